"""The operator's verbs on facts, by key. Any key works in the address: slashes, percent signs, spaces, emoji."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import datetime
from typing import Annotated, Protocol

from ninja import Query, Router, Status
from pydantic import WithJsonSchema

from memory.api.auth import ApiRequest, BearerKey
from memory.api.errors import ApiError, invalid
from memory.api.requests import FactsQuery, FactValue
from memory.api.responses import ChangedFact, DeletedFact, Fact, FactPage, answers
from memory.models import AuditRow, FactConflict, PersonalFact, RankedFact
from memory.text import normalising
from memory.text.lines import encodable

router = Router(tags=["Facts"], auth=BearerKey("read"))

Key = Annotated[str, WithJsonSchema({"type": "string", "example": "dog.name"})]

_CURSOR = re.compile(rb"facts:(\d{1,9})")


@router.get("/memory/facts", response=answers(200, FactPage), summary="Facts by importance")
def index(request: ApiRequest, query: Query[FactsQuery]) -> FactPage:
    """The facts in order of importance, with the parts of their rank; those past their last day at the end.

    `next` stands for a place in that order: a fact that changes rank between two calls may come twice or not at all.
    """
    start = _place(query.before)
    end = start + query.limit
    ranked = _listed(request.auth.now, end + 1, retired=query.retired)
    data = [Fact.of(item) for item in ranked[start:end]]
    return FactPage(data=data, next=_cursor(end) if len(ranked) > end else None)


def _listed(now: datetime, limit: int, *, retired: bool) -> list[RankedFact]:
    if retired:
        ended = list(PersonalFact.objects.retired()[:limit])
        return PersonalFact.objects.with_importance(ended, now)
    return PersonalFact.objects.by_importance(now, limit=limit)


@router.get("/memory/facts/{path:key}", response=answers(200, Fact, 404), summary="One fact")
def show(request: ApiRequest, key: Key) -> Fact:
    """The fact with this key. Its history is `GET /v1/audit?fact=KEY`."""
    return Fact.of(_find(key).ranked(request.auth.now))


@router.put(
    "/memory/facts/{path:key}",
    auth=BearerKey("manage"),
    response={**answers(200, Fact, 404, 409), **answers(201, Fact)},
    summary="Add or correct a fact",
)
def put(request: ApiRequest, key: Key, wanted: FactValue) -> Status[Fact]:
    """A new key adds (201). An existing one is corrected: confidence 1.0, and its edits count in its rank (200).

    A fact that was no longer true is brought back, with this value.
    """
    now = request.auth.now
    fact = PersonalFact.objects.by_key(encodable(key))
    if fact is None:
        added = _add(encodable(key), wanted, now=now)
        return Status(201, Fact.of(added.ranked(now)))
    fact.edit(wanted.value, now=now, expected=wanted.expected)
    return Status(200, Fact.of(fact.ranked(now)))


@router.delete(
    "/memory/facts/{path:key}",
    auth=BearerKey("manage"),
    response=answers(200, DeletedFact, 404),
    summary="Delete a fact",
)
def delete(request: ApiRequest, key: Key) -> DeletedFact:
    """Deletes the fact. `audit_log_id` names the row that holds it, which `POST /v1/audit/{id}/undo` takes back."""
    fact = _find(key)
    deletion = fact.forget(now=request.auth.now)
    if deletion is None:
        raise _absent(key)
    return DeletedFact(key=fact.key, audit_log_id=deletion.pk)


# Addresses of their own: a key may end like a verb.


@router.post(
    "/memory/confirmed-facts/{path:key}",
    auth=BearerKey("manage"),
    response=answers(200, ChangedFact, 404, 409),
    summary="Say that a fact is still true",
)
def confirm(request: ApiRequest, key: Key) -> ChangedFact:
    """Its date is now; value, confidence and edits stay. One that was no longer true, or past, holds again."""
    return _changed(request, _find(key), PersonalFact.confirm)


@router.put(
    "/memory/kept-facts/{path:key}",
    auth=BearerKey("manage"),
    response=answers(200, ChangedFact, 404, 409),
    summary="Keep a fact",
)
def keep(request: ApiRequest, key: Key) -> ChangedFact:
    """It comes first in prompts. Kept facts may take half of a prompt's facts: one more answers 409 `too_many_kept`."""
    return _changed(request, _find(key), PersonalFact.keep)


@router.delete(
    "/memory/kept-facts/{path:key}",
    auth=BearerKey("manage"),
    response=answers(200, ChangedFact, 404, 409),
    summary="Keep a fact no longer",
)
def unkeep(request: ApiRequest, key: Key) -> ChangedFact:
    """It goes by its importance again."""
    return _changed(request, _find(key), PersonalFact.unkeep)


class _Verb(Protocol):
    def __call__(self, fact: PersonalFact, /, *, now: datetime) -> AuditRow | None: ...


def _changed(request: ApiRequest, fact: PersonalFact, verb: _Verb) -> ChangedFact:
    row = verb(fact, now=request.auth.now)
    return ChangedFact(fact=Fact.of(fact.ranked(request.auth.now)), audit_log_id=row.pk if row else None)


def _find(key: str) -> PersonalFact:
    fact = PersonalFact.objects.by_key(encodable(key))
    if fact is None:
        raise _absent(key)
    return fact


def _absent(key: str) -> ApiError:
    message = f"There is no fact “{encodable(key)[: normalising.MAX_KEY_CHARS]}”. GET /v1/memory/facts lists them all."
    return ApiError(404, message, code="not_found", param="key")


def _add(key: str, wanted: FactValue, *, now: datetime) -> PersonalFact:
    try:
        key = normalising.normal_key(key)
    except normalising.TextRefused as error:
        raise invalid(str(error), param="key") from None
    if wanted.expected is not None:
        raise FactConflict(f"{key} is gone. Leave out expected to add it again.", wanted=wanted.value, current=None)
    return PersonalFact.objects.add(key, wanted.value, now=now)


def _cursor(place: int) -> str:
    return urlsafe_b64encode(b"facts:%d" % place).decode()


def _place(cursor: str | None) -> int:
    """The place a cursor stands for; 0 for none. Raises the 422 for one that was not made here."""
    if cursor is None:
        return 0
    try:
        match = _CURSOR.fullmatch(urlsafe_b64decode(cursor))
    except ValueError:
        match = None
    if match is None:
        raise invalid("before must be the next of an earlier answer, unchanged.", param="before")
    return int(match[1])

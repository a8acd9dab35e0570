"""A question to memory: what it has that answers it, each thing with its date, its reason and its address."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated, Self

from django.conf import settings
from ninja import Field, Query, Router
from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationInfo, WithJsonSchema, field_validator

from memory.api.auth import ApiRequest, BearerKey
from memory.api.errors import ApiError
from memory.api.people import TaskHeader, kept_out_reason, leaves_no_words
from memory.api.requests import invalid_value
from memory.api.responses import Timestamp, answers
from memory.api.turns import MemoryHeader
from memory.recall import explicit
from memory.recall.explicit import KINDS, Kind
from memory.text.lines import one_line

router = Router(tags=["Search"], auth=BearerKey("read"))

_ONE_KIND = "|".join(KINDS)


def _day(value: object) -> object:
    """A day in ISO 8601. None stays None."""
    if value is None:
        return None
    try:
        if isinstance(value, str) and len(value) == len("2026-05-20"):
            return date.fromisoformat(value)
    except ValueError:
        pass
    raise invalid_value("must be a day that exists, such as 2026-05-20")


def _words(value: object) -> object:
    if isinstance(value, str) and not one_line(value):
        raise invalid_value("must hold words")
    return value


def _kinds(value: object) -> object:
    """One or several, each a word or several with commas between."""
    given = value if isinstance(value, list) else [value]
    kinds = [kind.strip() for one in given for kind in str(one).split(",")]
    if any(kind not in KINDS for kind in kinds):
        raise invalid_value(f"must be {', '.join(KINDS[:-1])} or {KINDS[-1]}; several with commas between")
    return kinds


Day = Annotated[date | None, BeforeValidator(_day)]


class SearchQuery(BaseModel):
    """A question, and what its answer is bound to."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    q: Annotated[str, Field(min_length=1), BeforeValidator(_words)]
    """The question, in any language; a date in it ("last May") lifts what is of that time. What stands in quotation
    marks is looked for as it stands. 2,000 characters are read."""
    kind: Annotated[
        list[Kind],
        BeforeValidator(_kinds),
        WithJsonSchema(
            {
                "type": "array",
                "items": {"type": "string", "pattern": f"^({_ONE_KIND})(,({_ONE_KIND}))*$"},
                "minItems": 1,
            }
        ),
    ] = list(KINDS)
    """`fact`, `conversation` or `message` (the words of chats); several with commas between, or given again."""
    since: Day = None
    """The first day that counts, in the operator's time zone."""
    until: Day = None
    """The last day that counts."""
    limit: Annotated[int, Field(ge=1, le=50)] = 10

    @field_validator("until")
    @classmethod
    def _in_order(cls, until: date | None, seen: ValidationInfo) -> date | None:
        since = seen.data.get("since")
        if since is not None and until is not None and since > until:
            raise invalid_value("must not be before since: exchange the two")
        return until


class Hit(BaseModel):
    """One thing that was found. `id` is its address: `fact:KEY`, `episode:ID` or `chat:AUDIT_LOG_ID`. `when`: when a
    fact was last said, a conversation or a message took place. `why`: the reason, as a sentence. `audit_log_id`: the
    chat it came of; null where that is gone. `key`: a fact's key."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    kind: Kind
    id: str
    title: str
    text: str
    """As it is now: a fact that ended is said to have, a corrected value has its correction behind it."""
    when: Timestamp
    score: float
    """1 and more where meaning and words are all there; comparable across kinds, within one answer."""
    why: str
    audit_log_id: int | None
    key: str | None

    @classmethod
    def of(cls, found: explicit.Found) -> Self:
        """The hit as the client sees it."""
        return cls(
            kind=found.kind,
            id=found.id,
            title=found.title,
            text=found.text,
            when=found.when,
            score=found.score,
            why=found.why,
            audit_log_id=found.chat_id,
            key=found.key or None,
        )


class SearchAnswer(BaseModel):
    """What was found, the best first. `read_dates`: the days that the question was read as asking for. `mode`: by what
    conversations were looked for. `notes`: what had to do without."""

    data: Sequence[Hit]
    read_dates: str
    mode: str
    notes: Sequence[str]


@router.get("/memory/search", response=answers(200, SearchAnswer), summary="Search memory")
def search(
    request: ApiRequest,
    query: Query[SearchQuery],
    x_memory: MemoryHeader = None,
    x_memory_task: TaskHeader = None,
) -> SearchAnswer:
    """What memory has that answers a question: facts, conversations, and the words of chats.

    It looks at all there is, without the threshold and the window of what a turn is given, and counts as no recall. One
    row `memory.searched` says who asked what; with `X-Memory: off` or `X-Memory-Task: errand` there is none. A
    temporary chat and another person than the operator get nothing.
    """
    _keep_out(request)
    now = request.auth.now
    question = explicit.ask(query.q, since=query.since, until=query.until, now=now, zone=settings.CAESAR.zone)
    results = explicit.answer(question, kinds=query.kind, limit=query.limit)
    if not leaves_no_words(request):
        explicit.note(question, results, door="api", kinds=query.kind, now=now)
    return SearchAnswer(
        data=[Hit.of(one) for one in results.found],
        read_dates=results.read_dates,
        mode=results.mode,
        notes=results.notes,
    )


def _keep_out(request: ApiRequest) -> None:
    """Raises the 403 where the client says that somebody else asks, or that the chat is temporary (decision 29)."""
    reason = kept_out_reason(request, None, is_preview=True)
    if reason == "other_person":
        message = "Memory is another person's: it keeps out of what this one asks."
        raise ApiError(403, message, code=reason, kind="permission_error")
    if reason is not None:
        message = "This chat is temporary: memory keeps out of it. Leave out the id of the chat to search."
        raise ApiError(403, message, code="temporary_chat", kind="permission_error")

"""`Idempotency-Key`: a request that is repeated is done once, and answered as it was the first time (decision 37).

A view under `idempotent` calls `keep_answer` in the transaction of what it writes, so that a kill leaves both or none.
Only good answers are kept: after a refusal or a failure the same key may be tried again.

Two requests with one key at the same time: where a call costs nothing, both do the work; the second waits at the key's
row until the first has committed, rolls its own work back and gives the first's answer. A call that pays a model says
so with `claim_key` before it asks. The second is then told to come back (409, `Retry-After`): it would otherwise hold
one of the server's few threads for a minute, or be paid for twice. A claim whose process was killed expires.
"""

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec, Self, TypeVar

from django.conf import settings
from django.http import HttpResponse
from pydantic import BaseModel, JsonValue

from memory.api.auth import ApiRequest
from memory.api.conversation_id import conversation_id
from memory.api.errors import ApiError, invalid
from memory.api.parsing import body_json
from memory.api.people import person_ids
from memory.api.responses import RECORDED
from memory.chat import KeptAnswer, spool
from memory.models import IdempotencyKey

HEADER: Final = "Idempotency-Key"
REPLAYED: Final = "Idempotency-Replayed"
RETRY_AFTER_SECONDS = 2

_SANE_KEY = re.compile(r"[!-~](?:[ -~]{0,253}[!-~])?")

PARAMETER: Final[dict[str, Any]] = {
    "in": "header",
    "name": HEADER,
    "required": False,
    "schema": {"type": "string", "pattern": f"^{_SANE_KEY.pattern}$", "maxLength": 255},
    "description": "A name of yours for this one request, best a random UUID. Sent again with the same key within a "
    f"day it is not done again: the first answer comes back, with `{REPLAYED}: true`.",
}
"""The header as the OpenAPI document has it."""

_NEW_EACH_TIME: Final = frozenset(("progressToken", "traceparent", "tracestate", "baggage"))

_KEYED_REQUEST = "caesar.idempotency"

Params = ParamSpec("Params")
Answered = TypeVar("Answered")
View = Callable[Concatenate[ApiRequest, Params], Answered]


class _LostRace(Exception):
    """Another request with this key committed first; raising this rolls back what this one wrote."""


@dataclass(frozen=True)
class _KeyedRequest:
    """One request with its key. `row`: what is written for it, by `claim_key` or by `keep_answer`."""

    row: IdempotencyKey

    @classmethod
    def of(cls, request: ApiRequest) -> Self | None:
        """The call of a request that has a key. Raises the 422 for a malformed one."""
        key = request.headers.get(HEADER)
        if key is None:
            return None
        if not _SANE_KEY.fullmatch(key):
            raise invalid(f"{HEADER} must be 1 to 255 visible ASCII characters, such as a UUID.", param=HEADER)
        caller = request.auth
        row = IdempotencyKey(api_key=caller.key, key=key, request_hash=_request_hash(request), created_at=caller.now)
        return cls(row)

    def first_answer(self) -> HttpResponse | None:
        """What the first request with this key was answered, None where this is it. Raises the 409 and the 422."""
        waiting = spool.answer_to(self.row.api_key_id, self.row.key)
        first = waiting.row if waiting else IdempotencyKey.objects.earlier(self.row, lease=_lease())
        if first is None:
            return None
        if first.request_hash != self.row.request_hash:
            message = f"This {HEADER} came with another request before. Use a new one for each new request."
            raise ApiError(422, message, code="idempotency_key_reused", param=HEADER)
        if first.is_under_way:
            raise _under_way()
        return HttpResponse(
            first.body,
            status=first.status,
            content_type="application/json; charset=utf-8",
            headers={REPLAYED: "true"} | ({RECORDED: "later"} if waiting else {}),
        )


def idempotent(view: "View[Params, Answered]") -> "View[Params, Answered | HttpResponse]":
    """The view, done once for each key; without a key as ever."""

    @wraps(view)
    def answered(request: ApiRequest, /, *args: Params.args, **kwargs: Params.kwargs) -> Answered | HttpResponse:
        call = _KeyedRequest.of(request)
        if call is None:
            return view(request, *args, **kwargs)
        first = call.first_answer()
        if first is not None:
            return first
        request.META[_KEYED_REQUEST] = call
        try:
            return view(request, *args, **kwargs)
        except _LostRace:
            first = call.first_answer()
        except BaseException:
            call.row.let_go()
            raise
        if first is None:
            raise _under_way()
        return first

    return answered


def claim_key(request: ApiRequest) -> None:
    """Tell others with the same key that this request is under way, before something is paid for."""
    call: _KeyedRequest | None = request.META.get(_KEYED_REQUEST)
    if call is not None and not call.row.claim():
        raise _LostRace


def keep_answer(request: ApiRequest, answer: BaseModel, *, status: int) -> None:
    """Keep the answer under the request's key, if it has one. Call it in the transaction of what was done for it."""
    call: _KeyedRequest | None = request.META.get(_KEYED_REQUEST)
    if call is not None and not call.row.keep(status=status, body=json.dumps(answer.model_dump(mode="json"))):
        raise _LostRace


def answer_for_later(request: ApiRequest, answer: BaseModel, *, status: int) -> KeptAnswer | None:
    """The answer that waits in the turn's file until it can be kept under the request's key; None without a key."""
    call: _KeyedRequest | None = request.META.get(_KEYED_REQUEST)
    if call is None:
        return None
    row = call.row
    return KeptAnswer(
        api_key_id=row.api_key_id,
        key=row.key,
        request_hash=row.request_hash,
        created_at=row.created_at,
        status=status,
        body=json.dumps(answer.model_dump(mode="json")),
    )


def _under_way() -> ApiError:
    return ApiError(
        409,
        f"A request with this {HEADER} is still under way. Send it again in a moment: its answer comes then.",
        code="idempotency_key_in_use",
        param=HEADER,
        headers={"Retry-After": str(RETRY_AFTER_SECONDS)},
    )


def _lease() -> timedelta:
    """How long a request may be under way: a model may be asked twice. One that takes longer was killed."""
    return timedelta(seconds=2 * settings.CAESAR.llm.timeout_seconds + 60)


def _request_hash(request: ApiRequest) -> str:
    """What makes two requests the same: the call, its JSON however it is written, and the headers that count."""
    x_memory = request.headers.get("X-Memory", "").strip().lower()
    body = body_json(request)
    same: list[JsonValue] = [request.path, x_memory, conversation_id(request), _what_is_asked(body)]
    people = person_ids(request, body if isinstance(body, dict) else {}, now=request.auth.now)
    if people:  # a kept answer is for one person alone
        same.append([list(one) for one in people])
    return hashlib.sha256(json.dumps(same, sort_keys=True).encode()).hexdigest()


def _what_is_asked(body: JsonValue) -> JsonValue:
    """The body; of a JSON-RPC request without what is another each time it is sent: its id, and marks of progress."""
    if not isinstance(body, dict) or "jsonrpc" not in body:
        return body
    asked = {name: value for name, value in body.items() if name != "id"}
    params = asked.get("params")
    if isinstance(params, dict) and isinstance(meta := params.get("_meta"), dict):
        kept = {name: value for name, value in meta.items() if name not in _NEW_EACH_TIME}
        asked["params"] = {name: value for name, value in params.items() if name != "_meta"} | (
            {"_meta": kept} if kept else {}
        )
    return asked

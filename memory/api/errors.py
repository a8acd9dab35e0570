"""Every refusal in one envelope: {"error": {"message", "type", "param", "code"}}, the shape OpenAI clients read.

`as_api_error` is the one place where an exception becomes a status. No text of an exception that is not ours gets out.
"""

import logging
import math
from collections.abc import Mapping, Sequence
from functools import singledispatch
from typing import Any, Literal

from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.db import OperationalError
from django.http import Http404, HttpRequest, UnreadablePostError
from ninja.errors import AuthenticationError, HttpError, ValidationError
from pydantic import JsonValue

from caesar import log_context
from caesar.server.errors import BodyTooSlow, Busy
from caesar.server.unpacking import ACCEPTED, BrokenEncoding, UnknownEncoding
from memory.chat import TurnRefused
from memory.llm import errors as llm
from memory.models import CannotUndo, FactConflict, NotWaiting, TooManyKept
from memory.models.transactions import is_storage_full, note_storage
from memory.text.normalising import TextRefused

logger = logging.getLogger(__name__)

ErrorType = Literal[
    "invalid_request_error",
    "authentication_error",
    "permission_error",
    "rate_limit_error",
    "provider_error",
    "server_error",
]
"""Whose fault: the request's, the key's (not known, not allowed, too often), the language model's, or ours."""

MAKE_A_KEY = "Make one on the dashboard's page Connect, or with: manage.py create_api_key LABEL"
UNION_TAG_PREFIX = "#"
"""Begins the name of a union's branch, which is no part of a path into the body."""

_REQUEST_ID = "caesar.request_id"


class ApiError(Exception):
    """An answer other than success. `extra` stands next to `error` in the body."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        code: str,
        kind: ErrorType = "invalid_request_error",
        param: str | None = None,
        headers: Mapping[str, str] | None = None,
        extra: Mapping[str, JsonValue] | None = None,
    ) -> None:
        super().__init__(message)
        self.status, self.message, self.code, self.kind, self.param = status, message, code, kind, param
        self.headers, self.extra = dict(headers or {}), dict(extra or {})
        self.provider_status: int | None = None
        """The status of a provider's failure, or of the error inside its 200."""

    @property
    def body(self) -> dict[str, JsonValue]:
        """The envelope."""
        error: JsonValue = {"message": self.message, "type": self.kind, "param": self.param, "code": self.code}
        return {"error": error, **self.extra}


def invalid(message: str, *, param: str | None) -> ApiError:
    """A value that cannot be taken: 422."""
    return ApiError(422, message, code="invalid_value", param=param)


def unauthorized(message: str) -> ApiError:
    """No key, or not a good one: 401, with the header that RFC 9110 asks for."""
    headers = {"WWW-Authenticate": 'Bearer realm="CAESAR memory"'}
    return ApiError(401, message, code="invalid_api_key", kind="authentication_error", headers=headers)


def note_request_id(request: HttpRequest, request_id: str) -> None:
    """Keep the request's id where `request_id` finds it."""
    request.META[_REQUEST_ID] = request_id
    log_context.note(request_id=request_id)


def request_id(request: HttpRequest) -> str:
    """The id under which this request stands in the log and in its answer's `X-Request-Id`."""
    return str(request.META.get(_REQUEST_ID, "-"))


def noted_error(request: HttpRequest, raised: Exception | type[Exception]) -> ApiError:
    """What an exception is to the caller. A fault of ours is in the log, and the message says under which id."""
    error = as_api_error(raised)
    if error.kind == "server_error" and isinstance(raised, Exception):
        cause = None if isinstance(raised, Busy) else raised  # who attacks must not fill the log
        logger.error("Request %s failed: %s %s", request_id(request), request.method, request.path, exc_info=cause)
        error.message = f"{error.message} The server's log has the cause under request id {request_id(request)}."
    return error


@singledispatch
def as_api_error(raised: object) -> ApiError:
    """What an exception is to the caller. Anything unforeseen is a 500 that tells nothing."""
    return ApiError(500, "Something went wrong here.", code="internal_error", kind="server_error")


@as_api_error.register
def _api_error(raised: ApiError) -> ApiError:
    return raised


@as_api_error.register
def _database_trouble(raised: OperationalError) -> ApiError:
    """503 where trying again helps; 507 where somebody must make room first, which no retry does."""
    if is_storage_full(raised):
        note_storage(raised)
        message = "The database's disk is full, or its size limit reached: nothing can be written. Make room there."
        return ApiError(507, message, code="storage_full", kind="server_error")
    message = "The database cannot be reached or is busy. Try again in a moment."
    return ApiError(503, message, code="database_unavailable", kind="server_error", headers={"Retry-After": "1"})


@as_api_error.register
def _from_ninja(raised: HttpError) -> ApiError:
    """What the library wraps around an error of the parser, or of receiving the body, is that error."""
    cause = raised.__cause__
    if cause is not None and as_api_error.dispatch(type(cause)) is not as_api_error.dispatch(object):
        return as_api_error(cause)
    return ApiError(raised.status_code, "The request cannot be read.", code="invalid_request")


@as_api_error.register
def _missing_key(raised: AuthenticationError) -> ApiError:
    return unauthorized(
        f"No API key was sent. Send the header Authorization: Bearer KEY, or x-api-key: KEY. {MAKE_A_KEY}"
    )


@as_api_error.register
def _not_found(raised: Http404) -> ApiError:
    return ApiError(404, "There is nothing here. /v1/docs lists every call.", code="not_found")


@as_api_error.register
def _body_too_large(raised: RequestDataTooBig) -> ApiError:
    message = "The body is larger than CAESAR_API__MAX_BODY_BYTES allows. Send less, or raise that setting."
    return ApiError(413, message, code="body_too_large")


@as_api_error.register
def _too_many_fields(raised: SuspiciousOperation) -> ApiError:
    return ApiError(400, "The request was refused: it holds more fields than any call takes.", code="invalid_request")


@as_api_error.register
def _incomplete_body(raised: UnreadablePostError) -> ApiError:
    return ApiError(400, "The body broke off before its end. Send the request again.", code="invalid_request")


@as_api_error.register
def _unknown_encoding(raised: UnknownEncoding) -> ApiError:
    message = (
        f"The body was sent with Content-Encoding: {raised}, which is not read here. Send it plain, or with "
        f"Content-Encoding gzip or deflate, one at a time."
    )
    return ApiError(415, message, code="unsupported_encoding", headers={"Accept-Encoding": ACCEPTED})


@as_api_error.register
def _broken_encoding(raised: BrokenEncoding) -> ApiError:
    message = "The body is not what its Content-Encoding says, or breaks off. Compress it again, or send it plain."
    return ApiError(400, message, code="invalid_encoding")


@as_api_error.register
def _slow_body(raised: BodyTooSlow) -> ApiError:
    message = (
        "The body did not arrive in time. Send the request again; on a slow line raise "
        "CAESAR_SERVER__RECEIVE_SILENCE_SECONDS or CAESAR_SERVER__RECEIVE_SECONDS."
    )
    return ApiError(408, message, code="body_timeout")


@as_api_error.register
def _no_room(raised: Busy) -> ApiError:
    message = "This process receives as many slow or large bodies as it takes at once. Try again in a moment."
    return ApiError(503, message, code="too_many_bodies", kind="server_error", headers={"Retry-After": "5"})


# --- the domain's own refusals ----------------------------------------------------------------------------------


@as_api_error.register
def _refused_turn(raised: TurnRefused) -> ApiError:
    return invalid(str(raised), param=raised.param)


@as_api_error.register
def _refused_text(raised: TextRefused) -> ApiError:
    return invalid(str(raised), param="value")


@as_api_error.register
def _fact_conflict(raised: FactConflict) -> ApiError:
    current = raised.current.value if raised.current else None
    both: dict[str, JsonValue] = {"wanted": raised.wanted, "current": current}
    return ApiError(409, str(raised), code="conflict", param="value", extra={"conflict": both})


@as_api_error.register
def _too_many_kept(raised: TooManyKept) -> ApiError:
    return ApiError(409, str(raised), code="too_many_kept")


@as_api_error.register
def _cannot_undo(raised: CannotUndo) -> ApiError:
    return ApiError(409, str(raised), code="cannot_undo")


@as_api_error.register
def _not_waiting(raised: NotWaiting) -> ApiError:
    return ApiError(404, f"{raised} GET /v1/memory/waiting-facts lists those that wait.", code="not_found")


@as_api_error.register
def _provider_failure(raised: llm.LLMError) -> ApiError:
    """502, 503 or 504 where the provider is at fault, 400 where it refused what was asked of it."""
    if isinstance(raised, llm.RequestRefused):
        return ApiError(400, str(raised), code="provider_refused_request")
    status, code = next(
        (_STATUS_BY_ERROR[kind] for kind in type(raised).__mro__ if kind in _STATUS_BY_ERROR), (502, "provider_error")
    )
    wait = raised.retry_after_seconds
    headers = {} if wait is None or not math.isfinite(wait) else {"Retry-After": str(max(math.ceil(wait), 0))}
    return ApiError(status, str(raised), code=code, kind="provider_error", headers=headers)


def with_upstream_status(error: llm.LLMError) -> ApiError:
    """A provider's failure with the status the provider gave, which is what clients go by; ours where it gave none."""
    answer = as_api_error(error)
    answer.provider_status = error.status
    if error.http_status is not None and 400 <= error.http_status <= 599:
        answer.status = error.http_status
    return answer


_STATUS_BY_ERROR: dict[type, tuple[int, str]] = {
    llm.NotConfigured: (503, "provider_not_configured"),
    llm.TooSlow: (504, "provider_timeout"),
    llm.RateLimited: (502, "provider_rate_limited"),
    llm.AccessDenied: (502, "provider_denied_access"),
    llm.NotFound: (502, "provider_not_found"),
    llm.Outage: (502, "provider_unavailable"),
    llm.BadAnswer: (502, "provider_bad_answer"),
}


# --- values of the wrong shape ----------------------------------------------------------------------------------

_MESSAGE_BY_TYPE = {
    "string_type": "must be text",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_parsing_size": "is too large a number",
    "bool_type": "must be true or false",
    "list_type": "must be a list",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
    "missing": "is missing",
    "too_short": "must not be empty",
    "string_too_short": "must not be empty",
    "string_too_long": "must have at most {max_length} characters",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "string_pattern_mismatch": "must match {pattern}",
    "literal_error": "must be one of {expected}",
}


@as_api_error.register
def _validation(raised: ValidationError) -> ApiError:
    """The first thing that is wrong, with its place in the body: `messages[0].content`."""
    first = raised.errors[0]
    source, *place = first["loc"]
    is_body = source == "body"
    if is_body and len(place) == 1 and first["type"] == "missing":
        return ApiError(400, "The body is empty. Send a JSON object.", code="empty_body")
    param = _parameter_path(place[1:] if is_body else place)
    code = "missing" if first["type"] == "missing" else "invalid_value"
    return ApiError(422, f"{param or 'The body'} {_what_is_wrong(first)}.", code=code, param=param)


def _what_is_wrong(error: Mapping[str, Any]) -> str:
    """What is wrong, to be said after the value's name."""
    template = _MESSAGE_BY_TYPE.get(error["type"])
    return template.format(**error.get("ctx", {})) if template else str(error["msg"])


def _parameter_path(place: Sequence[str | int]) -> str | None:
    """("messages", 0, "content") -> "messages[0].content"; None for the body itself."""
    steps = [step for step in place if not (isinstance(step, str) and step.startswith(UNION_TAG_PREFIX))]
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
    return path.removeprefix(".") or None

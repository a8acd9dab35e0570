"""Turns a server's refusal into an `LLMError`: status, headers and body of an answer -> one error.

Pure except that it reads the clock.

Servers refuse in many shapes, even those that speak the same API: `{"error": {...}}`, `{"error": "text"}`,
`{"detail": ...}`, a list of one, an HTML page, or an error inside a 200.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from pydantic import JsonValue

from memory.llm.errors import (
    AccessDenied,
    LLMError,
    NotFound,
    RateLimited,
    RequestRefused,
    ServerFault,
    TooSlow,
    scrubbed,
)

MAX_RETRY_AFTER_SECONDS = 3600.0


@dataclass(frozen=True)
class Server:
    """The server that was asked, as error texts name it, and the `secrets` that no text may show."""

    provider: str
    host: str
    secrets: frozenset[str] = field(default=frozenset(), repr=False)

    def __str__(self) -> str:
        return f"{self.provider} at {self.host}" if self.host else self.provider

    def scrubbed(self, text: str) -> str:
        """`text` on one line, shortened and without keys."""
        return scrubbed(text, secrets=self.secrets)


_STATUS_BY_CODE: Mapping[str, int] = {
    "rate_limit_exceeded": 429,
    "rate_limit_error": 429,
    "too_many_requests": 429,
    "insufficient_quota": 429,
    "resource_exhausted": 429,
    "invalid_api_key": 401,
    "authentication_error": 401,
    "unauthenticated": 401,
    "permission_error": 403,
    "permission_denied": 403,
    "billing_error": 402,
    "model_not_found": 404,
    "not_found_error": 404,
    "not_found": 404,
    "context_length_exceeded": 400,
    "invalid_request_error": 400,
    "invalid_argument": 400,
    "request_too_large": 413,
    "unavailable": 503,
    "overloaded": 503,
    "overloaded_error": 503,
    "timeout": 504,
    "deadline_exceeded": 504,
}
_BAD_KEY = re.compile(r"\b(?:api[ _-]?key not valid|(?:invalid|incorrect) api[ _-]?key)\b", re.IGNORECASE)
_NO_CREDIT = re.compile(
    r"\bcredit balance is too low\b|\breached your specified \w+ usage limits\b|\borganization has been disabled\b",
    re.IGNORECASE,
)
_ACCOUNT_STATUSES = frozenset({401, 402, 403, 404, 429})
_TITLE = re.compile(r"<title[^>]*>([^<]{1,200})", re.IGNORECASE)
_PAGE = re.compile(r"\s*<(?:!doctype|html|head|body|\?xml)\b", re.IGNORECASE)


@dataclass(frozen=True)
class ErrorBody:
    """The error in a body: its text, and the status that its codes stand for, if any."""

    text: str
    status: int | None = None


def error_body_in(payload: JsonValue) -> ErrorBody | None:
    """The error under `error` in a JSON answer, which may be a list of one object; None where there is no error."""
    if isinstance(payload, list) and len(payload) == 1:
        payload = payload[0]
    error = payload.get("error") if isinstance(payload, dict) else None
    if not error:
        return None
    if not isinstance(error, dict):
        return ErrorBody(error if isinstance(error, str) else json.dumps(error), _status_of_text(str(error)))
    text = next((value for name in ("message", "detail", "type", "code") if (value := error.get(name))), error)
    text = text if isinstance(text, str) else json.dumps(text)
    codes = [_status_of_text(text), *(_status_of_code(error.get(name)) for name in ("code", "status", "type"))]
    codes.sort(key=lambda code: code not in _ACCOUNT_STATUSES)
    return ErrorBody(text, next((code for code in codes if code), None))


def _status_of_text(text: str) -> int | None:
    """The status for a text about a wrong key or an account without credit; its codes often do not tell."""
    if _BAD_KEY.search(text):
        return 401
    return 402 if _NO_CREDIT.search(text) else None


def _status_of_code(code: JsonValue) -> int | None:
    """The status for a code: 429, "429" and "rate_limit_exceeded" are the same. None for an unknown code."""
    if isinstance(code, str):
        code = int(code) if code.isascii() and code.isdigit() and len(code) == 3 else _STATUS_BY_CODE.get(code.lower())
    return code if isinstance(code, int) and 400 <= code <= 599 else None


def error_for(server: Server, *, status: int, headers: Mapping[str, str], payload: JsonValue, text: str) -> LLMError:
    """The error for a refusal: a status outside 2xx, or an error inside a 200.

    The status decides the class, except where the body is more precise: in a 200 with an error inside, and in a 400,
    413 or 422 about the key, the account or the model, which is not the fault of this one request.
    """
    error_body = error_body_in(payload) or ErrorBody(_redirect(status, headers) or _text_without_error(payload, text))
    inner_status = error_body.status
    if inner_status and (status < 300 or (status in (400, 413, 422) and inner_status in _ACCOUNT_STATUSES)):
        kind = _error_class(inner_status)
    else:
        kind = _error_class(status)
    reason = server.scrubbed(error_body.text) or "no reason given"
    error = kind(
        f"{server} answered {_described(status, inner_status)}: {_sentence(reason)} {_CURES[kind]}",
        provider=server.provider,
        status=inner_status if inner_status and status < 300 else status,
        retry_after_seconds=retry_after_seconds(headers.get("retry-after"), now=datetime.now(UTC)),
    )
    error.http_status = status
    return error


def _redirect(status: int, headers: Mapping[str, str]) -> str:
    return f"a redirect to {headers.get('location', 'nowhere')}" if 300 <= status < 400 else ""


def _described(status: int, inner_status: int | None) -> str:
    if status < 300:
        return f"{status} with an error inside" + (f" ({inner_status})" if inner_status else "")
    return str(status)


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else text + "."


def _error_class(status: int) -> type[LLMError]:
    """The class of error for a status. 402 means an account without credit, an outage like a wrong key."""
    if status == 429:
        return RateLimited
    if status == 408:
        return TooSlow
    if status in (401, 402, 403, 407):
        return AccessDenied
    if status in (404, 405) or 300 <= status < 400:
        return NotFound
    return RequestRefused if 400 <= status < 500 else ServerFault


_CURES: Mapping[type[LLMError], str] = {
    RateLimited: "Wait, or raise the limit of the account.",
    TooSlow: "Try again later.",
    AccessDenied: "Check the API key and what its account may use.",
    NotFound: "Check the base URL and the name of the model.",
    RequestRefused: "The request itself has to change.",
    ServerFault: "Try again later; if it stays, check the server and the base URL.",
}


def _text_without_error(payload: JsonValue, text: str) -> str:
    """The reason in a body without `error`: its `message` or `detail`, a page's title, or the bare text."""
    if isinstance(payload, dict):
        reason = payload.get("message") or payload.get("detail")
        return reason if isinstance(reason, str) else text
    if _PAGE.match(text):
        title = _TITLE.search(text)
        return f"an HTML page ({title.group(1).strip()})" if title else "an HTML page"
    return text


def not_json(server: Server, text: str) -> LLMError:
    """The error for a 2xx whose body is not a JSON object: a wrong address, or an answer that was cut off."""
    reason = server.scrubbed(_text_without_error(None, text)) or "nothing"
    return ServerFault(
        f"{server} answered 200, but no JSON object: {_sentence(reason)} Check the base URL.",
        provider=server.provider,
        status=200,
    )


def unasked_stream(server: Server) -> LLMError:
    """The error for a stream in answer to a request for one whole answer."""
    return ServerFault(
        f"{server} streams although it was asked for one whole answer. Set it, or the gateway before it, to answer "
        'requests with "stream": false, or use another.',
        provider=server.provider,
        status=200,
    )


def retry_after_seconds(header: str | None, *, now: datetime) -> float | None:
    """The seconds that a Retry-After header asks for, a number or a date, in 0..3600; None where it is invalid."""
    if header is None:
        return None
    seconds = _seconds(header.strip(), now)
    return None if seconds is None else min(max(seconds, 0.0), MAX_RETRY_AFTER_SECONDS)


def _seconds(header: str, now: datetime) -> float | None:
    if re.fullmatch(r"\d{1,9}(?:\.\d{1,9})?", header, re.ASCII):
        return float(header)
    try:
        at = parsedate_to_datetime(header)
    except (ValueError, OverflowError):
        return None
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp() - now.timestamp()

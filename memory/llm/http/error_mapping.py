"""What a server's refusal means: status, headers and body of an answer -> one error of our own. Pure but for the clock.

Servers that speak the same API refuse in many shapes: `{"error": {...}}`, `{"error": "text"}`, `{"detail": ...}`,
a list of one, an HTML page, and the error inside a 200.
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
    """Who was asked, as error texts name it, and the `secrets` that no text may show."""

    provider: str
    host: str
    secrets: frozenset[str] = field(default=frozenset(), repr=False)

    def __str__(self) -> str:
        return f"{self.provider} at {self.host}" if self.host else self.provider

    def scrubbed(self, text: str) -> str:
        """`text` cut short and without keys."""
        return scrubbed(text, secrets=self.secrets)


_CODES: Mapping[str, int] = {
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
class Complaint:
    """What an error body says: its text, and the status that the codes inside stand for, where they do."""

    text: str
    status: int | None = None


def complaint_in(payload: JsonValue) -> Complaint | None:
    """The error that a JSON answer carries under `error`, alone or as a list of one; None where it carries none."""
    if isinstance(payload, list) and len(payload) == 1:
        payload = payload[0]
    error = payload.get("error") if isinstance(payload, dict) else None
    if not error:
        return None
    if not isinstance(error, dict):
        return Complaint(error if isinstance(error, str) else json.dumps(error), _status_of_text(str(error)))
    text = next((said for name in ("message", "detail", "type", "code") if (said := error.get(name))), error)
    text = text if isinstance(text, str) else json.dumps(text)
    codes = [_status_of_text(text), *(_status_of_code(error.get(name)) for name in ("code", "status", "type"))]
    codes.sort(key=lambda code: code not in _ACCOUNT_STATUSES)
    return Complaint(text, next((code for code in codes if code), None))


def _status_of_text(text: str) -> int | None:
    """The status a text stands for where the codes beside it say less: a wrong key, or an account without credit."""
    if _BAD_KEY.search(text):
        return 401
    return 402 if _NO_CREDIT.search(text) else None


def _status_of_code(code: JsonValue) -> int | None:
    """The status a code stands for: 429, "429" and "rate_limit_exceeded" are the same; None for an unknown one."""
    if isinstance(code, str):
        code = int(code) if code.isascii() and code.isdigit() and len(code) == 3 else _CODES.get(code.lower())
    return code if isinstance(code, int) and 400 <= code <= 599 else None


def refusal(server: Server, *, status: int, headers: Mapping[str, str], payload: JsonValue, text: str) -> LLMError:
    """The error for an answer that is none: a status outside 2xx, or an error inside a 200.

    The status decides, except where it says less than the body: a 200 with an error in it, and a 400, 413 or 422
    that is about the key, the account or the model, which is no fault of this one request.
    """
    complaint = complaint_in(payload) or Complaint(_redirect(status, headers) or _plain(payload, text))
    inside = complaint.status
    if inside and (status < 300 or (status in (400, 413, 422) and inside in _ACCOUNT_STATUSES)):
        kind = _kind(inside)
    else:
        kind = _kind(status)
    said = server.scrubbed(complaint.text) or "no reason given"
    error = kind(
        f"{server} answered {_shown(status, inside)}: {_sentence(said)} {_CURES[kind]}",
        provider=server.provider,
        status=inside if inside and status < 300 else status,
        retry_after_seconds=retry_after_seconds(headers.get("retry-after"), now=datetime.now(UTC)),
    )
    error.http_status = status
    return error


def _redirect(status: int, headers: Mapping[str, str]) -> str:
    return f"a redirect to {headers.get('location', 'nowhere')}" if 300 <= status < 400 else ""


def _shown(status: int, inside: int | None) -> str:
    if status < 300:
        return f"{status} with an error inside" + (f" ({inside})" if inside else "")
    return str(status)


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else text + "."


def _kind(status: int) -> type[LLMError]:
    """The class of error a status stands for. 402 is an account without credit: it holds, like a wrong key."""
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


def _plain(payload: JsonValue, text: str) -> str:
    """What an error body without `error` says: its `detail` or `message`, a page's title, or the bare text."""
    if isinstance(payload, dict):
        said = payload.get("message") or payload.get("detail")
        return said if isinstance(said, str) else text
    if _PAGE.match(text):
        title = _TITLE.search(text)
        return f"an HTML page ({title.group(1).strip()})" if title else "an HTML page"
    return text


def no_json(server: Server, text: str) -> LLMError:
    """The error for a 2xx whose body is not a JSON object: the address of something else, or an answer cut off."""
    said = server.scrubbed(_plain(None, text)) or "nothing"
    return ServerFault(
        f"{server} answered 200, but no JSON object: {_sentence(said)} Check the base URL.",
        provider=server.provider,
        status=200,
    )


def retry_after_seconds(header: str | None, *, now: datetime) -> float | None:
    """A Retry-After header, in seconds or as a date, as seconds from `now` in 0..3600; None where there is none."""
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

"""From the bytes of a body to JSON that every later step can store, forward and encode."""

import json
import math
from typing import NoReturn, cast

from django.conf import settings
from django.http import HttpRequest
from ninja.parser import Parser
from pydantic import JsonValue

from caesar.server.unpacking import UNPACKED, coding_of, unpacked
from memory.api.errors import ApiError
from memory.text.lines import encodable

MAX_DEPTH = 64
"""Levels of lists and objects in a body: far more than any client needs, far less than any later step can bear."""

_PARSED = "caesar.parsed_body"


class StrictJSON(Parser):
    """The API's parser. It raises `ApiError`, which the library hands on as the cause of its own error."""

    def parse_body(self, request: HttpRequest) -> dict[str, JsonValue]:
        """The body as JSON; whether it is an object is the schema's business."""
        _check_media_type(request.content_type or "")
        request.META[_PARSED] = read_json(_plain_body(request))
        return cast(dict[str, JsonValue], request.META[_PARSED])


def body_json(request: HttpRequest) -> JsonValue:
    """The JSON that `StrictJSON` read out of this request's body; None of a call that takes no body."""
    parsed: JsonValue = request.META.get(_PARSED)
    return parsed


def _plain_body(request: HttpRequest) -> bytes:
    """The body, unpacked. This project's own server did that while it arrived; another one hands on what came."""
    body = request.body
    coding = "" if request.META.get(UNPACKED) else coding_of(request.headers.get("Content-Encoding", ""))
    if not coding:
        return body
    most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE or settings.CAESAR.api.max_body_bytes
    return b"".join(unpacked([body], coding, most=most))


def _check_media_type(media_type: str) -> None:
    if media_type not in ("", "application/json"):
        message = f"The body was sent as {media_type[:100]}. Send it as Content-Type: application/json."
        raise ApiError(415, message, code="unsupported_media_type")


def read_json(body: bytes) -> JsonValue:
    """The JSON in `body`. Half surrogate pairs become U+FFFD, and NUL goes: a chat is not lost for one bad character.

    Raises `ApiError` (400) that says where reading ended: NaN, Infinity and numbers too large to hold are no JSON,
    and more than 64 levels are too deep.
    """
    try:
        text = body.decode("utf-8-sig")
        return _clean(json.loads(text, parse_constant=_no_number, parse_float=_finite), MAX_DEPTH)
    except UnicodeDecodeError as error:
        raise _unreadable(f"it is not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise _unreadable(f"it stops being JSON at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise _too_deep() from None
    except ValueError:
        raise _unreadable("it holds a whole number of thousands of digits") from None


def _unreadable(reason: str) -> ApiError:
    return ApiError(400, f"The body cannot be read: {reason}. Send one JSON object.", code="invalid_json")


def _too_deep() -> ApiError:
    return _unreadable(f"its lists and objects are nested more than {MAX_DEPTH} deep")


def _no_number(name: str) -> NoReturn:
    raise _unreadable(f"{name} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise _unreadable(f"the number {digits[:40]} is too large")
    return number


def _clean(value: JsonValue, levels_left: int) -> JsonValue:
    """`value` with text that every database takes and UTF-8 can write."""
    if isinstance(value, str):
        return encodable(value)
    if not isinstance(value, list | dict):
        return value
    if not levels_left:
        raise _too_deep()
    if isinstance(value, list):
        return [_clean(item, levels_left - 1) for item in value]
    return {encodable(key): _clean(item, levels_left - 1) for key, item in value.items()}

"""Refusals in Anthropic's shape: {"type": "error", "error": {"type", "message"}, "request_id"}, with its statuses."""

from typing import Final

from pydantic import JsonValue

from memory.api.errors import ApiError

_TYPE_BY_STATUS: Final = {
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    408: "timeout_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}
_OURS_TO_MEND: Final = frozenset({"database_unavailable", "provider_not_configured"})
"""Cases of 503 that are no overload."""


def status_of(error: ApiError) -> int:
    """The status that Anthropic's clients know: a value that cannot be taken is 400 there."""
    return 400 if error.status == 422 else error.status


def body_of(error: ApiError, request_id: str) -> dict[str, JsonValue]:
    """The refusal as they read it."""
    detail: JsonValue = {"type": _type_of(error), "message": error.message}
    return {"type": "error", "error": detail, "request_id": request_id}


def _type_of(error: ApiError) -> str:
    theirs = error.provider_status
    status = theirs if theirs is not None and theirs >= 400 else status_of(error)  # a 200 may hold no answer
    if status == 503 and error.code not in _OURS_TO_MEND:
        return "overloaded_error"
    return _TYPE_BY_STATUS.get(status, "api_error" if status >= 500 else "invalid_request_error")

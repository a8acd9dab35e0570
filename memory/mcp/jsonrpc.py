"""JSON-RPC 2.0 messages: what a client sent, and what it is answered. Pure."""

from dataclasses import dataclass
from typing import Final

from pydantic import JsonValue

JsonObject = dict[str, JsonValue]
Id = str | int

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
RESOURCE_NOT_FOUND: Final = -32002
"""Of the versions with a handshake; the one after them says `INVALID_PARAMS`."""
REFUSED: Final = -32010
"""Ours: the key, its limits or the state of memory do not allow it; `data.code` says which."""
HEADER_MISMATCH: Final = -32020
UNSUPPORTED_VERSION: Final = -32022
ABOUT_VERSIONS: Final = (HEADER_MISMATCH, UNSUPPORTED_VERSION)

_STATUS_BY_CODE: Final = {
    PARSE_ERROR: 400,
    INVALID_REQUEST: 400,
    METHOD_NOT_FOUND: 404,
    INVALID_PARAMS: 400,
    HEADER_MISMATCH: 400,
    UNSUPPORTED_VERSION: 400,
    REFUSED: 403,
}


class RpcError(Exception):
    """An answer other than a result. The message names the cure."""

    def __init__(self, code: int, message: str, *, data: JsonValue = None) -> None:
        super().__init__(message)
        self.code, self.message, self.data = code, message, data

    @property
    def status(self) -> int:
        """The HTTP status of its answer, where the protocol names one."""
        return _STATUS_BY_CODE.get(self.code, 200)


@dataclass(frozen=True)
class Message:
    """A request, or a notification where `id` is None."""

    id: Id | None
    method: str
    params: JsonObject

    def text(self, name: str) -> str:
        """A parameter that must be text. Raises the error for invalid params."""
        value = self.params.get(name)
        if not isinstance(value, str):
            raise RpcError(INVALID_PARAMS, f"{self.method} needs {name}, as text.")
        return value

    def object(self, name: str) -> JsonObject:
        """A parameter that is an object; empty where it is left out. Raises the error for invalid params."""
        value = self.params.get(name)
        if value is None:
            return {}
        if not isinstance(value, dict):
            raise RpcError(INVALID_PARAMS, f"{name} must be an object.")
        return value


def read_message(value: JsonValue) -> Message | None:
    """One message; None for an answer to a question, of which this server asks none. Raises `RpcError`."""
    if not isinstance(value, dict) or value.get("jsonrpc") != "2.0":
        raise RpcError(INVALID_REQUEST, 'Send one JSON-RPC request: an object with "jsonrpc": "2.0", id and method.')
    if "method" not in value and ("result" in value or "error" in value):
        return None
    method, params = value.get("method"), value.get("params", {})
    if not isinstance(method, str):
        raise RpcError(INVALID_REQUEST, "method must be text, such as tools/list.")
    if "id" in value and id_of(value) is None:
        raise RpcError(INVALID_REQUEST, "id must be text or a whole number; a notification has none.")
    if not isinstance(params, dict):
        raise RpcError(INVALID_PARAMS, "params must be an object.")
    return Message(id_of(value), method, params)


def id_of(value: JsonValue) -> Id | None:
    """The id of a message, so that even a refusal finds its request; None where it has no usable one."""
    found = value.get("id") if isinstance(value, dict) else None
    return found if isinstance(found, str | int) and not isinstance(found, bool) else None


def result_answer(id_: Id | None, result: JsonObject) -> JsonObject:
    """The answer to a request that went well."""
    return {"jsonrpc": "2.0", "id": id_, "result": result}


def error_answer(id_: Id | None, error: RpcError) -> JsonObject:
    """The answer to one that did not."""
    described: JsonObject = {"code": error.code, "message": error.message}
    if error.data is not None:
        described["data"] = error.data
    return {"jsonrpc": "2.0", "id": id_, "error": described}

"""The protocol's methods: which there are in which era, and what each answers."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Final

from django.db import transaction
from pydantic import BaseModel

from memory.api.auth import lacks_scope
from memory.mcp import prompts, resources, versions
from memory.mcp.calls import Call
from memory.mcp.envelopes import SERVER_KEY
from memory.mcp.jsonrpc import INVALID_PARAMS, METHOD_NOT_FOUND, JsonObject, Message, RpcError
from memory.mcp.tools.listing import find_tool, tools_for
from memory.mcp.tools.tool import ToolRefused

SERVER: Final[JsonObject] = {"name": "caesar-memory", "title": "CAESAR memory", "version": "1"}
_CAPABILITIES: Final[JsonObject] = {"tools": {}, "resources": {}, "prompts": {}}
_INSTRUCTIONS: Final = (
    "The user's long-term memory: facts about them, and what past conversations were about. Search it before you say "
    "that you do not know something about the user, and when they refer to something they said before. Each result "
    "says when it was said: newer beats older. add_memory only suggests; the user decides. Never change or delete a "
    "memory unless the user asked for it."
)
_HOUR_MS: Final = 3_600_000
_MINUTE_MS: Final = 60_000

Method = Callable[[Call, Message], JsonObject]


def answer(call: Call, message: Message) -> JsonObject:
    """The result of a request. Raises `RpcError`, and `ApiError` for what the key may not do."""
    is_stateless = versions.is_stateless(call.version)
    method = (_STATELESS if is_stateless else _HANDSHAKE).get(message.method)
    if method is None:
        raise RpcError(METHOD_NOT_FOUND, f"There is no method {message.method[:100]} in {call.version}.")
    result = method(call, message)
    return _completed(message.method, result) if is_stateless else result


def _completed(method: str, result: JsonObject) -> JsonObject:
    """What every result of the stateless version says, too: that it is whole, and how long it may be kept."""
    stamped: JsonObject = {**result, "resultType": "complete", "_meta": {SERVER_KEY: SERVER}}
    fresh_ms = _FRESH_MS.get(method)
    return stamped if fresh_ms is None else {**stamped, "ttlMs": fresh_ms, "cacheScope": "private"}


# --- who is there -----------------------------------------------------------------------------------------------------


def _discover(call: Call, message: Message) -> JsonObject:
    return {
        "supportedVersions": list(versions.SUPPORTED),
        "capabilities": _CAPABILITIES,
        "instructions": _INSTRUCTIONS,
    }


def _initialize(call: Call, message: Message) -> JsonObject:
    call.connected()
    return {
        "protocolVersion": call.version,
        "capabilities": _CAPABILITIES,
        "serverInfo": SERVER,
        "instructions": _INSTRUCTIONS,
    }


def _ping(call: Call, message: Message) -> JsonObject:
    return {}


# --- tools ------------------------------------------------------------------------------------------------------------


def _list_tools(call: Call, message: Message) -> JsonObject:
    return {"tools": [tool.as_json() for tool in tools_for(call)]}


def _call_tool(call: Call, message: Message) -> JsonObject:
    """What the tool gives, with its row. A refusal is a result as well: the model reads it and does better."""
    name, arguments = message.text("name"), message.object("arguments")
    tool = find_tool(name)
    if tool is None:
        call.record("tool", name, problem="There is no such tool.")
        raise RpcError(INVALID_PARAMS, f"There is no tool {name[:100]}. tools/list names those there are.")
    if not call.may(*tool.scopes):
        call.record("tool", name, problem="The key may not.")
        raise lacks_scope(call.key, *tool.scopes)
    try:
        with _together(tool.hints.reads_only):
            given = tool.call(call, arguments)
            if not tool.leaves_own_row or call.leaves_no_words:
                call.record("tool", name, arguments)
    except ToolRefused as refused:
        call.record("tool", name, arguments, problem=refused.noted)
        return {"content": [_text(str(refused))], "isError": True}
    return _given(given)


def _together(reads_only: bool) -> AbstractContextManager[object]:
    """A change and the row of the call that made it stand or fall together."""
    return nullcontext() if reads_only else transaction.atomic()


def _given(given: BaseModel) -> JsonObject:
    """Structured, and as text for clients that know no structure."""
    return {
        "content": [_text(given.model_dump_json())],
        "structuredContent": given.model_dump(mode="json"),
        "isError": False,
    }


def _text(text: str) -> JsonObject:
    return {"type": "text", "text": text}


# --- resources and prompts --------------------------------------------------------------------------------------------


def _list_resources(call: Call, message: Message) -> JsonObject:
    _require_read(call)
    listed = resources.list_facts(call, _cursor(message))
    call.record("resource", "resources/list")
    return listed


def _list_templates(call: Call, message: Message) -> JsonObject:
    return {"resourceTemplates": list(resources.TEMPLATES)}


def _read_resource(call: Call, message: Message) -> JsonObject:
    uri = message.text("uri")
    _require_read(call)
    try:
        read = resources.read_resource(call, uri)
    except RpcError as error:
        call.record("resource", uri, problem=error.message)
        raise
    call.record("resource", uri)
    return read


def _list_prompts(call: Call, message: Message) -> JsonObject:
    return {"prompts": list(prompts.PROMPTS)}


def _get_prompt(call: Call, message: Message) -> JsonObject:
    name, arguments = message.text("name"), message.object("arguments")
    if not call.may("record", "read"):
        raise lacks_scope(call.key, "record", "read")
    try:
        prompt = prompts.get_prompt(call, name, arguments)
    except RpcError as error:
        call.record("prompt", name, arguments, problem=error.message)
        raise
    call.record("prompt", name, arguments)
    return prompt


def _require_read(call: Call) -> None:
    if not call.may("read"):
        raise lacks_scope(call.key, "read")


def _cursor(message: Message) -> str:
    cursor = message.params.get("cursor")
    if cursor is not None and not isinstance(cursor, str):
        raise RpcError(INVALID_PARAMS, "cursor must be text.")
    return cursor or ""


_SHARED: Final[Mapping[str, Method]] = {
    "tools/list": _list_tools,
    "tools/call": _call_tool,
    "resources/list": _list_resources,
    "resources/templates/list": _list_templates,
    "resources/read": _read_resource,
    "prompts/list": _list_prompts,
    "prompts/get": _get_prompt,
}
_STATELESS: Final[Mapping[str, Method]] = {"server/discover": _discover, **_SHARED}
_HANDSHAKE: Final[Mapping[str, Method]] = {"initialize": _initialize, "ping": _ping, **_SHARED}

TOUCH_MEMORY: Final = frozenset(("tools/call", "resources/list", "resources/read", "prompts/get"))
"""Methods that read or change what is remembered."""

_FRESH_MS: Final = {
    "server/discover": _HOUR_MS,
    "resources/templates/list": _HOUR_MS,
    "prompts/list": _HOUR_MS,
    "tools/list": _MINUTE_MS,  # a key may be allowed more or less
    "resources/list": 0,
    "resources/read": 0,
}
"""How long a client may keep a result. Others are not kept."""

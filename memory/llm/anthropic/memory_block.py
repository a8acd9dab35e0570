"""Where memory stands in a client's own request to the messages API: behind every cache breakpoint, if there is room.

A provider caches how a request begins, in the order tools, system, messages, up to each `cache_control` of the
client's. What stands before a breakpoint is therefore the client's, byte for byte; only before one in an answer that
the client began there is memory, too, in the newest message of the user's.
"""

from collections.abc import Sequence

from pydantic import JsonValue

from memory import transcript
from memory.events import Message
from memory.llm.answers.json_fields import objects_in
from memory.llm.http.client import JsonObject
from memory.text import wording

_CACHEABLE = frozenset({"text", "image", "document", "search_result", "tool_result"})


def with_memory(body: JsonObject, block: str, *, prompt: str, position: wording.Position) -> JsonObject:
    """The request with the memory block in it.

    Where a message has a breakpoint, or the whole request (which the API sets on its last block), the block is a text
    of the newest user's message behind it, before the client's own words where it can be. Otherwise it stands in
    `system`: behind the last breakpoint there is, else by `position`. Where the client sent no system prompt, `prompt`
    (memory and the configured one) becomes it, but not before a breakpoint.
    """
    messages = body.get("messages")
    if isinstance(messages, list) and any(map(_has_breakpoint, [body, *messages])):
        marked = _with_automatic_breakpoint(body, messages) if block else body
        placed = _in_newest_message(objects_in(marked["messages"]), block)
        if placed is not None:
            return {**marked, "messages": placed}
    system = _system_with(body.get("system"), block, prompt=prompt, position=position)
    return {**body, "system": system} if system else body


def _has_breakpoint(holder: JsonValue) -> bool:
    """Whether a message or a block has a breakpoint, in itself or in the blocks inside it."""
    if not isinstance(holder, dict):
        return False
    source = holder.get("source")
    inner = [*objects_in(holder.get("content")), *objects_in(source.get("content") if isinstance(source, dict) else 0)]
    return bool(holder.get("cache_control")) or any(map(_has_breakpoint, inner))


def _with_automatic_breakpoint(body: JsonObject, messages: Sequence[JsonValue]) -> JsonObject:
    """The request with its own `cache_control` on the client's last block, where the API would set it.

    Left to the API, it would end what is cached with the memory block, and no later request would find it. The same
    request where there is none, or where the last block is no user's that can have it.
    """
    automatic, last = body.get("cache_control"), messages[-1] if messages else None
    if not automatic or not isinstance(last, dict) or last.get("role") != "user":
        return body
    content = last.get("content")
    blocks: JsonValue = [{"type": "text", "text": content}] if isinstance(content, str) else content
    end = blocks[-1] if isinstance(blocks, list) and blocks else None
    if not isinstance(blocks, list) or not isinstance(end, dict) or not _is_cacheable(end):
        return body
    marked: JsonObject = {**end, "cache_control": end.get("cache_control") or automatic}
    ending: JsonObject = {**last, "content": [*blocks[:-1], marked]}
    rest = {name: value for name, value in body.items() if name != "cache_control"}
    return {**rest, "messages": [*messages[:-1], ending]}


def _is_cacheable(block: JsonObject) -> bool:
    return block.get("type") in _CACHEABLE and (block["type"] != "text" or bool(block.get("text")))


def _in_newest_message(messages: Sequence[JsonValue], block: str) -> list[JsonValue] | None:
    """The messages with the block in the newest one of the user's; None where there is none.

    A breakpoint in an answer that the client began comes behind the block in any case; so nothing older changes.
    """
    place = next((place for place in reversed(range(len(messages))) if _role(messages[place]) == "user"), -1)
    if place < 0:
        return None
    newest = messages[place]
    if not block or not isinstance(newest, dict):
        return list(messages)
    placed: JsonObject = {**newest, "content": _content_with(newest.get("content"), block)}
    return [*messages[:place], placed, *messages[place + 1 :]]


def _role(message: JsonValue) -> JsonValue:
    return message.get("role") if isinstance(message, dict) else None


def _content_with(content: JsonValue, block: str) -> list[JsonValue]:
    """The content with the block in it, as early as breakpoints and the results of tools let it stand."""
    remembered: JsonObject = {"type": "text", "text": block}
    if not isinstance(content, list):
        return [remembered, {"type": "text", "text": content}] if content else [remembered]
    before = [place for place, one in enumerate(content) if _has_breakpoint(one) or _is_result(one)]
    start = before[-1] + 1 if before else 0
    return [*content[:start], remembered, *content[start:]]


def _is_result(block: JsonValue) -> bool:
    """Whether it is the result of a tool: the API wants all of them first in their message."""
    return isinstance(block, dict) and block.get("type") == "tool_result"


def _system_with(system: JsonValue, block: str, *, prompt: str, position: wording.Position) -> JsonValue:
    """The system prompt with the block in it; `prompt` where the client sent none."""
    if not system:
        return prompt
    if not block or not isinstance(system, str | list):
        return system
    marked = [place for place, one in enumerate(system) if _has_breakpoint(one)] if isinstance(system, list) else []
    if isinstance(system, list) and marked:
        start = marked[-1] + 1 if position == "top" else len(system)
        return [*system[:start], {"type": "text", "text": block}, *system[start:]]
    own = Message(role="system", content=system if isinstance(system, str) else objects_in(system))
    with_block = transcript.with_memory_block(own, block, position=position).content
    return with_block if isinstance(with_block, str) else list[JsonValue](with_block or [])

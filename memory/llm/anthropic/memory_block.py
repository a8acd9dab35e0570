"""Where memory stands in a client's own request to the messages API: behind every cache breakpoint, none of them moved.

A provider caches how a request begins, in the order tools, system, messages, up to each `cache_control` of the
client's. What stands before a breakpoint is therefore the client's, byte for byte.
"""

from collections.abc import Sequence

from pydantic import JsonValue

from memory import transcript
from memory.events import Message
from memory.llm.answers.json_fields import objects_in
from memory.llm.http.client import JsonObject
from memory.text import wording


def with_memory(body: JsonObject, block: str, *, prompt: str, position: wording.Position) -> JsonObject:
    """The request with the memory block in it.

    Where a message has a breakpoint, the block is a text of the newest user's message behind it, before the client's
    own words where it can be. Otherwise it stands in `system`: behind the last breakpoint there is, else by `position`.
    Where the client sent no system prompt, `prompt` (memory and the configured one) becomes it, but not before a
    breakpoint.
    """
    messages = body.get("messages")
    if isinstance(messages, list) and any(map(_has_breakpoint, messages)):
        placed = _in_newest_message(messages, block)
        if placed is not None:
            return {**body, "messages": placed}
    system = _system_with(body.get("system"), block, prompt=prompt, position=position)
    return {**body, "system": system} if system else body


def _has_breakpoint(holder: JsonValue) -> bool:
    """Whether a message or a block has a breakpoint, in itself or in the blocks inside it."""
    if not isinstance(holder, dict):
        return False
    source = holder.get("source")
    inner = [*objects_in(holder.get("content")), *objects_in(source.get("content") if isinstance(source, dict) else 0)]
    return bool(holder.get("cache_control")) or any(map(_has_breakpoint, inner))


def _in_newest_message(messages: Sequence[JsonValue], block: str) -> list[JsonValue] | None:
    """The messages with the block in the newest one of the user's; None where a breakpoint stands behind that."""
    place = next((place for place in reversed(range(len(messages))) if _role(messages[place]) == "user"), -1)
    if place < 0 or any(map(_has_breakpoint, messages[place + 1 :])):
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

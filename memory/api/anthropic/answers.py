"""A chat completion as Anthropic's message, for answers of providers that speak OpenAI's shape."""

import json
import uuid
from collections.abc import Mapping

from pydantic import JsonValue

from memory.api.anthropic.conversation import Block, objects_in, text_in

_STOPS: Mapping[str, str] = {
    "length": "max_tokens",
    "tool_calls": "tool_use",
    "function_call": "tool_use",
    "content_filter": "refusal",
}
REASONING = ("reasoning_content", "reasoning")


def new_id() -> str:
    """An id for a message."""
    return f"msg_{uuid.uuid4().hex}"


def stop_reason(finish_reason: str) -> str:
    """Anthropic's word for why a model stopped."""
    return _STOPS.get(finish_reason, "end_turn")


def usage_of(counts: JsonValue) -> Block:
    """Token counts: OpenAI counts what was read from a cache among the prompt's, Anthropic beside it."""
    given = counts if isinstance(counts, dict) else {}
    details = given.get("prompt_tokens_details")
    cached = _count(details, "cached_tokens")
    usage: Block = {
        "input_tokens": max(_count(given, "prompt_tokens") - cached, 0),
        "output_tokens": _count(given, "completion_tokens"),
    }
    return {**usage, "cache_read_input_tokens": cached} if cached else usage


def _count(holder: JsonValue, name: str) -> int:
    value = holder.get(name) if isinstance(holder, dict) else None
    return value if isinstance(value, int) and value > 0 else 0


def as_message(answer: Block, *, with_thinking: bool) -> Block:
    """A whole answer. `with_thinking`: the client asked for it; what a model thought comes first then, unsigned."""
    choice = next(iter(objects_in(answer.get("choices"))), {})
    given = choice.get("message")
    return {
        **message_head(text_in(answer, "model")),
        "content": _blocks(given if isinstance(given, dict) else {}, with_thinking=with_thinking),
        "stop_reason": stop_reason(text_in(choice, "finish_reason")),
        "usage": usage_of(answer.get("usage")),
    }


def message_head(model: str) -> Block:
    """What a message begins with."""
    return {
        "id": new_id(),
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
    }


def _blocks(message: Block, *, with_thinking: bool) -> list[JsonValue]:
    blocks: list[JsonValue] = []
    thought = reasoning_in(message)
    if thought and with_thinking:
        blocks.append({"type": "thinking", "thinking": thought, "signature": ""})
    if text := words_in(message):
        blocks.append({"type": "text", "text": text})
    for call in objects_in(message.get("tool_calls")):
        given = call.get("function")
        function = given if isinstance(given, dict) else {}
        use: Block = {"type": "tool_use", "id": text_in(call, "id"), "name": text_in(function, "name")}
        blocks.append({**use, "input": _input(function.get("arguments"))})
    return blocks


def words_in(message: Block) -> str:
    """The text of a message or a delta, its refusal where it has none."""
    content = message.get("content")
    if isinstance(content, list):
        content = "".join(text_in(part, "text") for part in objects_in(content))
    return content if isinstance(content, str) and content else text_in(message, "refusal")


def reasoning_in(message: Block) -> str:
    """What the model thought, whichever name its server has for that."""
    return next((text for name in REASONING if (text := text_in(message, name))), "")


def _input(arguments: JsonValue) -> Block:
    """A tool's input. Models write it as JSON, which may be broken: then it comes as the one field `arguments`."""
    try:
        value = json.loads(arguments) if isinstance(arguments, str) and arguments.strip() else arguments or {}
    except (ValueError, RecursionError):
        value = arguments
    return value if isinstance(value, dict) else {"arguments": value}

"""Anthropic's Messages API as the stand-in for model servers speaks it."""

import json
from collections.abc import Sequence
from typing import Any

USE = {"type": "tool_use", "id": "call_1", "name": "look", "input": {"at": "the thermostat"}}
THOUGHT = {"type": "thinking", "thinking": "Let me think.", "signature": "c2lnbmVkIGJ5IHRoZSBzZXJ2ZXI="}
USAGE = {"input_tokens": 20, "output_tokens": 4}
_ERROR = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
OVERLOADED = f"event: error\ndata: {json.dumps(_ERROR)}\n\n"


def message_for(body: dict[str, Any], pieces: Sequence[str]) -> dict[str, Any]:
    """The answer to a request: thinking where it is asked for, a call where tools wait, else the words."""
    newest = body["messages"][-1]["content"]
    has_result = isinstance(newest, list) and any(block["type"] == "tool_result" for block in newest)
    calls = bool(body.get("tools")) and not has_result
    thought = [THOUGHT] if (body.get("thinking") or {}).get("type") == "enabled" else []
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-large",
        "content": [*thought, USE if calls else {"type": "text", "text": "".join(pieces)}],
        "stop_reason": "tool_use" if calls else "end_turn",
        "stop_sequence": None,
        "usage": USAGE,
    }


def events_of(message: dict[str, Any]) -> list[dict[str, Any]]:
    """The events of a stream that say the message."""
    start = {**message, "content": [], "stop_reason": None}
    events: list[dict[str, Any]] = [{"type": "message_start", "message": start}]
    for index, block in enumerate(message["content"]):
        events.append({"type": "content_block_start", "index": index, "content_block": _empty(block)})
        events += [{"type": "ping"}] if not index else []
        events += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in _deltas(block)]
        events.append({"type": "content_block_stop", "index": index})
    stop = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    return [*events, {"type": "message_delta", "delta": stop, "usage": USAGE}, {"type": "message_stop"}]


def _empty(block: dict[str, Any]) -> dict[str, Any]:
    return {
        "text": {"type": "text", "text": ""},
        "thinking": {"type": "thinking", "thinking": "", "signature": ""},
        "tool_use": {**block, "input": {}},
    }[block["type"]]


def _deltas(block: dict[str, Any]) -> list[dict[str, Any]]:
    if block["type"] == "text":
        middle = len(block["text"]) // 2
        return [{"type": "text_delta", "text": part} for part in (block["text"][:middle], block["text"][middle:])]
    if block["type"] == "thinking":
        thought = {"type": "thinking_delta", "thinking": block["thinking"]}
        return [thought, {"type": "signature_delta", "signature": block["signature"]}]
    text = json.dumps(block["input"])
    return [{"type": "input_json_delta", "partial_json": part} for part in (text[:5], text[5:])]

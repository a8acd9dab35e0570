"""Requests, answers and events in Anthropic's shape."""

import json
from typing import Any

import httpx

PATH = "/v1/messages"
DOG: dict[str, Any] = {
    "model": "caesar",
    "max_tokens": 100,
    "messages": [{"role": "user", "content": "my dog's name is Beans"}],
}
BREAK = {"cache_control": {"type": "ephemeral"}}
MESSAGE: dict[str, Any] = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "claude-x-2026",
    "content": [
        {"type": "thinking", "thinking": "A dog.", "signature": "c2lnbmVk"},
        {"type": "text", "text": "A fine name.", "citations": [{"type": "char_location", "cited_text": "Beans"}]},
    ],
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "usage": {"input_tokens": 3, "cache_read_input_tokens": 20, "cache_creation_input_tokens": 5, "output_tokens": 7},
}


def text(words: str, **fields: Any) -> dict[str, Any]:
    return {"type": "text", "text": words, **fields}


def user(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


def whole(**changes: Any) -> httpx.Response:
    """Anthropic's answer."""
    return httpx.Response(200, json={**MESSAGE, **changes})


def events_of(message: dict[str, Any]) -> list[dict[str, Any]]:
    """The events by which Anthropic streams a message."""
    start = {**message, "content": [], "stop_reason": None, "usage": {**message["usage"], "output_tokens": 1}}
    found: list[dict[str, Any]] = [{"type": "message_start", "message": start}, {"type": "ping"}]
    for index, block in enumerate(message["content"]):
        kind = block["type"]
        empty = {**block, kind: "", **({"signature": ""} if kind == "thinking" else {})}
        deltas = [{"type": f"{kind}_delta", kind: block[kind]}]
        deltas += [{"type": "signature_delta", "signature": block["signature"]}] if kind == "thinking" else []
        found.append({"type": "content_block_start", "index": index, "content_block": empty})
        found += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        found.append({"type": "content_block_stop", "index": index})
    stop = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    usage = {"output_tokens": message["usage"]["output_tokens"]}
    return [*found, {"type": "message_delta", "delta": stop, "usage": usage}, {"type": "message_stop"}]


def streamed(*events: dict[str, Any]) -> httpx.Response:
    """A server's stream of these events."""
    body = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
    return httpx.Response(200, text=body, headers={"Content-Type": "text/event-stream"})


def told(response: Any) -> list[dict[str, Any]]:
    """The events of an answer of ours. Each is named by its type."""
    found = []
    for part in b"".join(response.streaming_content).decode().removesuffix("\n\n").split("\n\n"):
        name, data = part.split("\n")
        event = json.loads(data.removeprefix("data: "))
        assert name == f"event: {event['type']}"
        found.append(event)
    return found

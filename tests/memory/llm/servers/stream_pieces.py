"""The pieces of streams, as OpenAI, Anthropic and Ollama send them."""

import json
from collections.abc import Mapping
from typing import Any

DONE = b"data: [DONE]\n\n"


def chunk(*, finish_reason: str | None = None, index: int = 0, **delta: Any) -> dict[str, Any]:
    """One of OpenAI's chunks; further arguments are fields of its delta."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "gpt-small",
        "choices": [{"index": index, "delta": delta, "finish_reason": finish_reason}],
    }


def sse(*objects: object, kind: str = "") -> bytes:
    """Objects as the events of a stream; texts are data as they stand."""
    head = f"event: {kind}\n" if kind else ""
    data = (one if isinstance(one, str) else json.dumps(one) for one in objects)
    return "".join(f"{head}data: {one}\n\n" for one in data).encode()


def named(*events: Mapping[str, Any]) -> bytes:
    """Events as Anthropic sends them: each under the name of its type."""
    return b"".join(sse(event, kind=event["type"]) for event in events)


def lines(*objects: object) -> bytes:
    """Objects as lines of JSON."""
    return "".join(json.dumps(one) + "\n" for one in objects).encode()

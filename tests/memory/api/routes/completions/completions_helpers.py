"""What the tests of chat completions share: an upstream's stream, and the events of our own."""

import json
from typing import Any

import httpx

from memory import events
from memory.models import AuditRow
from tests.memory.llm.scripted import MODEL

DOG: dict[str, Any] = {"messages": [{"role": "user", "content": "my dog's name is Beans"}]}
PATH = "/v1/chat/completions"


def event_stream(*chunks: dict[str, Any] | str, done: bool = True) -> httpx.Response:
    """An upstream's stream: each chunk as an event, then `[DONE]`."""
    written = [chunk if isinstance(chunk, str) else json.dumps(chunk) for chunk in chunks] + ["[DONE]"] * done
    content = "".join(f"data: {text}\n\n" for text in written)
    return httpx.Response(200, text=content, headers={"Content-Type": "text/event-stream"})


def chunk(text: str = "", *, finish_reason: str | None = None, **delta: Any) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": MODEL,
        "choices": [{"index": 0, "delta": {"content": text, **delta}, "finish_reason": finish_reason}],
    }


def told(response: Any) -> list[Any]:
    """The events of an answer that was streamed, `[DONE]` as a text."""
    body = b"".join(response.streaming_content).decode()
    assert body.endswith("\n\n")
    texts = [part.removeprefix("data: ") for part in body.removesuffix("\n\n").split("\n\n")]
    return [text if text == "[DONE]" else json.loads(text) for text in texts]


def last(kind: type[events.Event]) -> AuditRow:
    return AuditRow.objects.get_queryset().of_type(kind).latest("id")

"""Completions of Anthropic's, asked of a real server."""

from collections.abc import Sequence
from typing import Any

from memory.events import Message
from memory.llm import (
    Completion,
    JsonSchema,
)
from memory.llm.anthropic import Anthropic
from memory.llm.types import Request, Route, Task
from tests.memory.llm.routes import route_to
from tests.memory.llm.servers.model_server import Answer, ModelServer, Refusal, model_server

KEY = "sk-ant-test-0123456789"
SCHEMA: JsonSchema = {"title": "facts", "type": "object", "properties": {"facts": {"type": "array"}}}
HELLO = [Message(role="user", content="Hello")]
TEXT = {"type": "text", "text": "Hello to you."}
THOUGHT = {"type": "thinking", "thinking": "They greet me.", "signature": "c2ln"}
PIXEL = "iVBORw0KGgo="


def route(**changes: Any) -> Route:
    own = {"model": "claude-test", "base_url": "https://api.anthropic.com", "api_key": KEY, "timeout_seconds": 5}
    return route_to(**{"provider": "anthropic", **own, **changes})


def answering(*blocks: dict[str, Any], stop_reason: str | None = "end_turn", **fields: Any) -> dict[str, Any]:
    """One message as Anthropic gives it."""
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-test-20260101",
        "content": list(blocks),
        "stop_reason": stop_reason,
        "stop_sequence": None,
        "usage": {"input_tokens": 11, "output_tokens": 7},
        **fields,
    }


def tool_use(given: object, *, name: str = "facts") -> dict[str, Any]:
    return {"type": "tool_use", "id": "toolu_1", "name": name, "input": given}


def refusing(status: int, kind: str, words: str, **headers: str) -> Refusal:
    return Refusal(status, {"type": "error", "error": {"type": kind, "message": words}, "request_id": "req_1"}, headers)


def ask(
    *answers: Answer,
    task: Task = "memory_extract",
    messages: Sequence[Message] = HELLO,
    json_schema: JsonSchema | None = None,
    provider: Anthropic | None = None,
) -> tuple[Completion, ModelServer]:
    """What a fresh provider makes of these answers of a real server, and that server."""
    with model_server(*answers) as server:
        request = Request(
            messages=messages, task=task, route=route(base_url=server.url), max_tokens=77, json_schema=json_schema
        )
        return (provider or Anthropic()).complete(request), server


def turns_of(*messages: dict[str, Any]) -> list[dict[str, Any]]:
    """The turns that go out for these messages of a chat."""
    _, server = ask(answering(TEXT), task="chat", messages=[Message.model_validate(message) for message in messages])
    sent: list[dict[str, Any]] = server.requests[0]["messages"]
    return sent

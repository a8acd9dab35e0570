"""A relay to Anthropic, and messages with tools."""

from typing import Any

import httpx

from caesar.conf import AnthropicSettings
from memory import llm
from tests.memory.llm.scripted import ScriptedLLM, scripted_llm

ASK: dict[str, Any] = {"messages": [{"role": "user", "content": "Hello"}]}
ANSWER: dict[str, Any] = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "claude-small",
    "content": [{"type": "text", "text": "Hello to you."}],
    "stop_reason": "end_turn",
    "usage": {"input_tokens": 11, "output_tokens": 7},
}
PNG = "iVBORw0KGgo="
WALK = {"type": "function", "function": {"name": "walk", "description": "Walks.", "parameters": {"type": "object"}}}
BARE = {"type": "function", "function": {"name": "sit"}}


def relay(body: dict[str, Any], *answers: object, **settings: Any) -> tuple[llm.Relayed, ScriptedLLM]:
    """What relaying a request makes of these answers, and the server that gave them."""
    given = [one if isinstance(one, httpx.Response) else httpx.Response(200, json=one) for one in answers or [ANSWER]]
    with scripted_llm(*given, provider="anthropic", anthropic=AnthropicSettings(api_key="k"), **settings) as server:
        return llm.relay(body), server


def sent(**body: Any) -> dict[str, Any]:
    """What goes out for a request."""
    _, server = relay({**ASK, **body})
    return server.requests[0]


def turns(*messages: dict[str, Any], **body: Any) -> Any:
    """The turns that go out for these messages."""
    return sent(messages=list(messages), **body)["messages"]


def call(id: str, name: str = "walk", arguments: str = "{}") -> dict[str, Any]:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def calling(*calls: dict[str, Any], content: str | None = None) -> dict[str, Any]:
    return {"role": "assistant", "content": content, "tool_calls": list(calls)}


def result(id: str, content: Any = "42") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id, "content": content}

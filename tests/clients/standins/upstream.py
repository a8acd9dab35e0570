"""A model server on loopback that speaks the shapes of OpenAI, Anthropic and Ollama, as their documentation has them.

It answers what it was told: the reply of a turn names the remembered lines of its system prompt, so that a client's own
output shows what memory did.
"""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.clients.standins import messages_api
from tests.memory.llm.servers.local_server import local_server, send_answer, send_chunk, send_stream_head

TOOL_CALL: dict[str, Any] = {
    "id": "call_1",
    "type": "function",
    "function": {"name": "look", "arguments": '{"at": "the thermostat"}'},
}

ENDLESS = "an endless answer, please"
OVERLOADS = "an answer too long for its server, please"
TOKENS = 77
BREAKS_OFF = "an answer that breaks off, please"


class Upstream:
    """What was asked, and what is refused next: `refusals` are statuses, used up one by one.

    `tool_call` is what it calls where a client offers that tool.
    """

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.headers: list[Mapping[str, str]] = []
        self.refusals: list[tuple[int, dict[str, str]]] = []
        self.url = ""
        self.tool_call = TOOL_CALL
        self.was_hung_up = threading.Event()

    def system_prompt(self) -> str:
        """The system prompt of the last turn, in whatever shape it came."""
        body = self.requests[-1]
        system = body.get("system") or next((m["content"] for m in body["messages"] if m["role"] == "system"), "")
        return system if isinstance(system, str) else "\n".join(part["text"] for part in system)


def words(upstream: Upstream) -> list[str]:
    """The reply to the last request, in pieces."""
    lines = [line.removeprefix("  - ") for line in upstream.system_prompt().splitlines() if line.startswith("  - ")]
    return ["I ", "know: ", "; ".join(lines) or "nothing", "."]


_MESSAGE = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-large", "stop_sequence": None}


def _said(body: dict[str, Any]) -> str:
    """The text of the last message."""
    content = body["messages"][-1].get("content") or ""
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def _wants_tool(body: dict[str, Any]) -> bool:
    """Whether a tool is offered, and no result of one is what came last."""
    last = body["messages"][-1]
    parts = last["content"] if isinstance(last["content"], list) else []
    is_result = last["role"] != "user" or any(part.get("type") == "tool_result" for part in parts)
    return bool(body.get("tools")) and not is_result


class _Speaker:
    """Answers one request in the shape of the API that it came to."""

    def __init__(self, upstream: Upstream, request: BaseHTTPRequestHandler) -> None:
        self.upstream = upstream
        self.request = request

    @property
    def _path(self) -> str:
        return self.request.path.partition("?")[0]

    def answer(self) -> None:
        if self.request.command == "GET":
            self._answer(
                {"object": "list", "data": [{"id": "large", "object": "model"}], "models": [{"name": "large"}]}
            )
            return
        body = json.loads(self.request.rfile.read())
        self.upstream.requests.append(body)
        self.upstream.headers.append(dict(self.request.headers.items()))
        if self.upstream.refusals:
            status, headers = self.upstream.refusals.pop(0)
            error = {"message": "Rate limit reached", "type": "requests", "code": None}
            self._answer({"error": error}, status=status, headers=headers)
            return
        if body.get("stream") and _said(body) == BREAKS_OFF:
            self._break_off()
            return
        speak = {
            "/v1/chat/completions": self._openai,
            "/v1/messages": self._anthropic,
            "/v1/messages/count_tokens": lambda body: self._answer({"input_tokens": TOKENS}),
            "/api/chat": self._ollama,
        }
        speak[self._path](body)

    def _on_and_on(self, again: str, *before: str) -> None:
        """The same part until whoever asked hangs up."""
        self._stream("text/event-stream", [*before, again], is_whole=False)
        try:
            while not self.upstream.was_hung_up.wait(0.02):
                send_chunk(self.request, again.encode())
        except OSError:
            self.upstream.was_hung_up.set()

    def _break_off(self) -> None:
        """A word, and the connection is gone."""
        events = {
            "/v1/chat/completions": {"choices": [{"index": 0, "delta": {"content": "half "}, "finish_reason": None}]},
            "/v1/messages": {"type": "message_start", "message": {**_MESSAGE, "content": [], "usage": {}}},
            "/api/chat": {"model": "small", "message": {"role": "assistant", "content": "half "}, "done": False},
        }
        line = json.dumps(events[self._path])
        is_lines = self._path == "/api/chat"
        media_type = "application/x-ndjson" if is_lines else "text/event-stream"
        self._stream(media_type, [f"{line}\n" if is_lines else f"data: {line}\n\n"], is_whole=False)
        self.request.close_connection = True

    def _openai(self, body: dict[str, Any]) -> None:
        if body["messages"][-1]["content"] == ENDLESS:
            chunk = {"choices": [{"index": 0, "delta": {"content": "on and on "}, "finish_reason": None}]}
            self._on_and_on(f"data: {json.dumps(chunk)}\n\n")
            return
        pieces = words(self.upstream)
        offered = [tool["function"]["name"] for tool in body.get("tools") or []]
        tool_call = self.upstream.tool_call
        wants_tool = tool_call["function"]["name"] in offered and body["messages"][-1]["role"] == "user"
        finish = "tool_calls" if wants_tool else "stop"
        usage = {"prompt_tokens": 20, "completion_tokens": 4, "total_tokens": 24}
        base = {"id": "chatcmpl-1", "created": 1760000000, "model": "large-2026"}
        if not body.get("stream"):
            message = {"role": "assistant", "content": "".join(pieces), "refusal": None}
            if wants_tool:
                message |= {"content": None, "tool_calls": [tool_call]}
            choice = {"index": 0, "message": message, "finish_reason": finish, "logprobs": None}
            self._answer({**base, "object": "chat.completion", "choices": [choice], "usage": usage})
            return
        deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
        deltas += [{"tool_calls": [{"index": 0, **tool_call}]}] if wants_tool else [{"content": one} for one in pieces]
        events: list[dict[str, Any]] = [
            {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas
        ]
        events.append({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
        if (body.get("stream_options") or {}).get("include_usage"):
            events.append({"choices": [], "usage": usage})
        lines = [json.dumps({**base, "object": "chat.completion.chunk", **event}) for event in events]
        self._stream("text/event-stream", [f"data: {line}\n\n" for line in [*lines, "[DONE]"]])

    def _anthropic(self, body: dict[str, Any]) -> None:
        message = messages_api.message_for(body, words(self.upstream))
        parts = [f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in messages_api.events_of(message)]
        asked = json.dumps(body["messages"][-1])
        if not body.get("stream"):
            self._answer(message)
        elif ENDLESS in asked:
            again = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "on and on "}}
            self._on_and_on(f"event: {again['type']}\ndata: {json.dumps(again)}\n\n", *parts[:2])
        elif OVERLOADS in asked:
            self._stream("text/event-stream", [*parts[:4], messages_api.OVERLOADED])
        else:
            self._stream("text/event-stream", parts)

    def _ollama(self, body: dict[str, Any]) -> None:
        pieces = words(self.upstream)
        base = {"model": "small", "created_at": "2026-05-20T09:00:00Z"}
        counts = {"total_duration": 5, "load_duration": 1, "prompt_eval_count": 20, "eval_count": 4}
        done = {**base, "done": True, "done_reason": "stop", **counts}
        said: list[dict[str, Any]] = [{"content": one} for one in pieces]
        if _wants_tool(body):
            called = {"function": {"name": "look", "arguments": {"at": "the thermostat"}}}
            said = [{"content": "", "tool_calls": [called]}]
        if body.get("stream") is False:
            whole = {**said[0], "content": "".join(one["content"] for one in said)}
            self._answer({**done, "message": {"role": "assistant", **whole}})
            return
        lines = [{**base, "message": {"role": "assistant", **one}, "done": False} for one in said]
        last = {**done, "message": {"role": "assistant", "content": ""}}
        self._stream("application/x-ndjson", [json.dumps(line) + "\n" for line in [*lines, last]])

    def _answer(self, payload: dict[str, Any], *, status: int = 200, headers: Mapping[str, str] | None = None) -> None:
        head = {"Content-Type": "application/json", **(headers or {})}
        send_answer(self.request, payload, status=status, headers=head)

    def _stream(self, media_type: str, parts: list[str], *, is_whole: bool = True) -> None:
        send_stream_head(self.request, 200, {"Content-Type": media_type})
        for part in [*parts, *([""] if is_whole else [])]:
            send_chunk(self.request, part.encode())


@contextmanager
def upstream() -> Iterator[Upstream]:
    """The server while open."""
    asked = Upstream()
    with local_server(lambda request: _Speaker(asked, request).answer()) as url:
        asked.url = url
        yield asked

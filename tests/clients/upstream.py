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

from tests.memory.llm.servers.local_server import local_server, send_answer, send_chunk, send_stream_head

TOOL_CALL: dict[str, Any] = {
    "id": "call_1",
    "type": "function",
    "function": {"name": "look", "arguments": '{"at": "the thermostat"}'},
}

ENDLESS = "an endless answer, please"
BREAKS_OFF = "an answer that breaks off, please"


class Upstream:
    """What was asked, and what is refused next: `refusals` are statuses, used up one by one.

    `tool_call` is what it calls where a client offers that tool.
    """

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
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

    def answer(self) -> None:
        if self.request.command == "GET":
            self._answer({"object": "list", "data": [{"id": "large", "object": "model"}]})
            return
        body = json.loads(self.request.rfile.read())
        self.upstream.requests.append(body)
        if self.upstream.refusals:
            status, headers = self.upstream.refusals.pop(0)
            error = {"message": "Rate limit reached", "type": "requests", "code": None}
            self._answer({"error": error}, status=status, headers=headers)
            return
        if body.get("stream") and _said(body) == BREAKS_OFF:
            self._break_off()
            return
        speak = {"/v1/chat/completions": self._openai, "/v1/messages": self._anthropic, "/api/chat": self._ollama}
        speak[self.request.path](body)

    def _on_and_on(self) -> None:
        """Until whoever asked hangs up."""
        chunk = {"choices": [{"index": 0, "delta": {"content": "on and on "}, "finish_reason": None}]}
        self._stream("text/event-stream", [f"data: {json.dumps(chunk)}\n\n"], is_whole=False)
        try:
            while not self.upstream.was_hung_up.wait(0.02):
                send_chunk(self.request, f"data: {json.dumps(chunk)}\n\n".encode())
        except OSError:
            self.upstream.was_hung_up.set()

    def _break_off(self) -> None:
        """A word, and the connection is gone."""
        events = {
            "/v1/chat/completions": {"choices": [{"index": 0, "delta": {"content": "half "}, "finish_reason": None}]},
            "/v1/messages": {"type": "message_start", "message": {**_MESSAGE, "content": [], "usage": {}}},
            "/api/chat": {"model": "small", "message": {"role": "assistant", "content": "half "}, "done": False},
        }
        line = json.dumps(events[self.request.path])
        is_lines = self.request.path == "/api/chat"
        media_type = "application/x-ndjson" if is_lines else "text/event-stream"
        self._stream(media_type, [f"{line}\n" if is_lines else f"data: {line}\n\n"], is_whole=False)
        self.request.close_connection = True

    def _openai(self, body: dict[str, Any]) -> None:
        if body["messages"][-1]["content"] == ENDLESS:
            self._on_and_on()
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
        pieces = words(self.upstream)
        usage = {"input_tokens": 20, "output_tokens": 4}
        wants_tool = _wants_tool(body)
        block: dict[str, Any] = {"type": "text", "text": "".join(pieces)}
        deltas: list[dict[str, Any]] = [{"type": "text_delta", "text": one} for one in pieces]
        if wants_tool:
            look = {"type": "tool_use", "id": TOOL_CALL["id"], "name": "look"}
            block = {**look, "input": {"at": "the thermostat"}}
            deltas = [{"type": "input_json_delta", "partial_json": one} for one in ('{"at": ', '"the thermostat"}')]
        stop_reason = "tool_use" if wants_tool else "end_turn"
        if not body.get("stream"):
            self._answer({**_MESSAGE, "content": [block], "stop_reason": stop_reason, "usage": usage})
            return
        start = {"type": "message_start", "message": {**_MESSAGE, "content": [], "stop_reason": None, "usage": usage}}
        empty = {**block, **({"input": {}} if wants_tool else {"text": ""})}
        opened = {"type": "content_block_start", "index": 0, "content_block": empty}
        ended = {
            "type": "message_delta",
            "delta": {"stop_reason": stop_reason, "stop_sequence": None},
            "usage": {"output_tokens": 4},
        }
        events: list[dict[str, Any]] = [
            start,
            opened,
            {"type": "ping"},
            *({"type": "content_block_delta", "index": 0, "delta": delta} for delta in deltas),
            {"type": "content_block_stop", "index": 0},
            ended,
            {"type": "message_stop"},
        ]
        self._stream(
            "text/event-stream", [f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events]
        )

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

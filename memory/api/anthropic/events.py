"""The events of a stream in Anthropic's shape: those of Anthropic's own server, and those made of OpenAI's chunks."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from pydantic import JsonValue

from memory.api.anthropic import errors
from memory.api.anthropic.answers import message_head, reasoning_in, stop_reason, usage_of, words_in
from memory.api.anthropic.conversation import Block, objects_in, text_in
from memory.api.errors import ApiError
from memory.api.event_stream import event


def _named(value: Block) -> bytes:
    return event(value, name=text_in(value, "type"))


@dataclass
class NativeEvents:
    """Anthropic's own events, handed on. The last one waits until the turn is written down."""

    request_id: str
    _last: Block | None = None

    def chunk(self, chunk: Block) -> Iterator[bytes]:
        """The event as it is."""
        if chunk.get("type") == "message_stop":
            self._last = chunk
        else:
            yield _named(chunk)

    def error(self, error: ApiError) -> Iterator[bytes]:
        """An event `error`."""
        yield _named(errors.body_of(error, self.request_id))

    def end(self) -> Iterator[bytes]:
        """What clients wait for."""
        yield _named(self._last or {"type": "message_stop"})


@dataclass
class _ToolUse:
    """A tool call that comes in pieces: `index` of its block, -1 until its name is there."""

    index: int = -1
    id: str = ""
    name: str = ""
    waiting: str = ""


@dataclass
class TranslatedEvents:
    """OpenAI's chunks as the events of one message. `with_thinking`: the client asked for it."""

    request_id: str
    with_thinking: bool = False
    _has_begun: bool = False
    _blocks: int = 0
    _open: str = ""
    _open_index: int = -1
    _calls: dict[int, _ToolUse] = field(default_factory=dict)
    _finish: str = ""
    _usage: JsonValue = None

    def chunk(self, chunk: Block) -> Iterator[bytes]:
        """The events for one chunk; choices beyond the first are none of a message."""
        if not self._has_begun:
            yield from self._begin(text_in(chunk, "model"))
        self._usage = chunk.get("usage") or self._usage
        for choice in objects_in(chunk.get("choices")):
            if choice.get("index") in (None, 0):
                delta = choice.get("delta")
                yield from self._delta(delta if isinstance(delta, dict) else {})
                self._finish = text_in(choice, "finish_reason") or self._finish

    def error(self, error: ApiError) -> Iterator[bytes]:
        """An event `error`."""
        yield _named(errors.body_of(error, self.request_id))

    def end(self) -> Iterator[bytes]:
        """Why the model stopped, what it used, and the end."""
        if not self._has_begun:
            yield from self._begin("")
        yield from self._closed()
        delta: JsonValue = {"stop_reason": stop_reason(self._finish), "stop_sequence": None}
        yield _named({"type": "message_delta", "delta": delta, "usage": usage_of(self._usage)})
        yield _named({"type": "message_stop"})

    def _begin(self, model: str) -> Iterator[bytes]:
        self._has_begun = True
        yield _named({"type": "message_start", "message": {**message_head(model), "usage": usage_of(None)}})
        yield _named({"type": "ping"})

    def _delta(self, delta: Block) -> Iterator[bytes]:
        if self.with_thinking and (thought := reasoning_in(delta)):
            yield from self._opened("thinking", {"type": "thinking", "thinking": "", "signature": ""})
            yield self._piece({"type": "thinking_delta", "thinking": thought})
        if text := words_in(delta):
            yield from self._opened("text", {"type": "text", "text": ""})
            yield self._piece({"type": "text_delta", "text": text})
        for place, piece in enumerate(objects_in(delta.get("tool_calls"))):
            number = piece.get("index")
            yield from self._tool(number if isinstance(number, int) else place, piece)

    def _tool(self, number: int, piece: Block) -> Iterator[bytes]:
        given = piece.get("function")
        function = given if isinstance(given, dict) else {}
        call = self._calls.setdefault(number, _ToolUse())
        call.id, call.name = call.id or text_in(piece, "id"), call.name or text_in(function, "name")
        call.waiting += text_in(function, "arguments")
        if call.index < 0 and call.name:
            block: Block = {"type": "tool_use", "id": call.id or f"toolu_{number}", "name": call.name, "input": {}}
            yield from self._opened(f"tool {number}", block)
            call.index = self._open_index
        if call.index >= 0 and call.waiting:
            yield self._piece({"type": "input_json_delta", "partial_json": call.waiting}, index=call.index)
            call.waiting = ""

    def _opened(self, name: str, block: Block) -> Iterator[bytes]:
        """The events that make this the open block; none where it is."""
        if self._open == name:
            return
        yield from self._closed()
        self._open, self._open_index = name, self._blocks
        self._blocks += 1
        yield _named({"type": "content_block_start", "index": self._open_index, "content_block": block})

    def _closed(self) -> Iterator[bytes]:
        if self._open:
            yield _named({"type": "content_block_stop", "index": self._open_index})
        self._open = ""

    def _piece(self, delta: Block, *, index: int | None = None) -> bytes:
        place = self._open_index if index is None else index
        return _named({"type": "content_block_delta", "index": place, "delta": delta})

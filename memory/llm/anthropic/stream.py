"""What Anthropic's messages answer, in OpenAI's shape: a whole message, or the events of a stream one by one."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from pydantic import JsonValue

from memory.llm.answers import validation
from memory.llm.answers.json_stream import answer_or_objects
from memory.llm.answers.validation import plain
from memory.llm.chat_completions.responses import Envelope, Heard, chunks_of, tool_call, usage
from memory.llm.http.byte_stream import ByteStream
from memory.llm.http.client import JsonObject
from memory.llm.types import Route

_STOPS: Mapping[str, str] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "tool_use": "tool_calls",
    "refusal": "content_filter",
}
_INPUT_COUNTS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


def as_completion(answer: JsonObject, route: Route) -> JsonObject:
    """A whole message as OpenAI's `chat.completion`. Raises `BadAnswer` where it is none.

    What was thought stands beside the text, as `reasoning_content`; the other blocks are left out.
    """
    content = answer.get("content")
    if not isinstance(content, list | str):
        raise validation.bad_answer(route, "without any content in it")
    blocks = validation.objects(content)
    calls: list[JsonValue] = [
        tool_call(plain(block.get("id")), plain(block.get("name")), block.get("input"))
        for block in blocks
        if block.get("type") == "tool_use"
    ]
    text = plain(content) or _joined(blocks, "text")
    message: JsonObject = {"content": text if text or not calls else None, "refusal": None}
    if thought := _joined(blocks, "thinking"):
        message["reasoning_content"] = thought
    if calls:
        message["tool_calls"] = calls
    counts = usage_of(answer.get("usage"))
    return Envelope(plain(answer.get("model")) or route.model).answer(
        message, finish_reason=finish_reason(answer.get("stop_reason"), calls_tool=bool(calls)), usage=counts
    )


def _joined(blocks: list[JsonObject], kind: str) -> str:
    """The text of the blocks of a kind; the field has the kind's name."""
    return "".join(plain(block.get(kind)) for block in blocks if block.get("type") == kind)


def finish_reason(stop: JsonValue, *, calls_tool: bool) -> str:
    """OpenAI's word for why a model stopped."""
    return _STOPS.get(plain(stop), "tool_calls" if calls_tool and not stop else "stop")


def usage_of(counts: JsonValue) -> JsonObject | None:
    """Token counts in OpenAI's shape, where what was read from a cache is a part of the prompt."""
    read = [count for name in _INPUT_COUNTS if (count := validation.count(counts, name)) is not None]
    found = usage(sum(read) if read else None, validation.count(counts, "output_tokens"))
    cached = validation.count(counts, "cache_read_input_tokens")
    return {**found, "prompt_tokens_details": {"cached_tokens": cached}} if found and cached else found


# --- the stream -------------------------------------------------------------------------------------------------


def chunks_in(stream: ByteStream, heard: Heard, route: Route, *, has_usage: bool) -> Iterator[JsonObject]:
    """The events of a stream as OpenAI's chunks; a whole message where the server does not stream."""
    came = answer_or_objects(stream)
    if isinstance(came, dict):
        answer = as_completion(came, route)
        heard.count_tokens(answer.get("usage"))
        yield from chunks_of(answer, has_usage=has_usage)
        return
    told = _Told(route, heard, has_usage=has_usage)
    for event in filter(None, came):
        yield from told.chunks_for(event)
        if event.get("type") == "message_stop" and not heard.has_begun:
            raise validation.bad_answer(route, "that ends before it begins")
        if event.get("type") == "message_stop":
            stream.finish()
            break
    else:
        if not heard.is_finished:
            raise stream.call.lost()
    yield from told.end()


class _Told:
    """A message as its events tell it."""

    def __init__(self, route: Route, heard: Heard, *, has_usage: bool) -> None:
        self._envelope = Envelope(route.model, has_usage)
        self._heard = heard
        self._counts: JsonObject = {}
        self._calls: dict[JsonValue, int] = {}
        self._inputs: dict[int, JsonValue] = {}

    def chunks_for(self, event: JsonObject) -> Iterator[JsonObject]:
        """The chunks that one event makes; none for an event of another kind."""
        kind = event.get("type")
        if kind == "message_start":
            yield self._start(_part(event, "message"))
        elif kind == "content_block_start":
            yield from self._block(event.get("index"), _part(event, "content_block"))
        elif kind == "content_block_delta":
            yield from self._piece(event.get("index"), _part(event, "delta"))
        elif kind == "content_block_stop":
            yield from self._whole_input(event.get("index"))
        elif kind == "message_delta":
            self._count(event.get("usage"))
            yield from self._stop(_part(event, "delta").get("stop_reason"))

    def end(self) -> Iterator[JsonObject]:
        """The chunks behind the last event."""
        if not self._heard.is_finished:
            yield self._envelope.chunk({}, finish_reason=finish_reason(None, calls_tool=self._heard.calls_tool))
        yield from self._envelope.usage_chunks(usage_of(self._counts))

    def _start(self, message: JsonObject) -> JsonObject:
        model = plain(message.get("model"))
        if model:
            self._envelope = replace(self._envelope, model=model)
        self._count(message.get("usage"))
        return self._envelope.chunk({"role": "assistant", "content": ""})

    def _count(self, counts: JsonValue) -> None:
        """Take in token counts: later ones are counts of the whole, and need not name all."""
        given = counts if isinstance(counts, dict) else {}
        self._counts |= {name: value for name, value in given.items() if value is not None}
        self._heard.count_tokens(usage_of(self._counts))

    def _block(self, index: JsonValue, block: JsonObject) -> Iterator[JsonObject]:
        if block.get("type") == "tool_use":
            place = self._calls[str(index)] = len(self._calls)
            self._inputs[place] = block.get("input") or {}
            call = tool_call(plain(block.get("id")), plain(block.get("name")), "")
            yield self._envelope.chunk({"tool_calls": [{"index": place, **call}]})
        else:
            yield from self._piece(index, block)

    def _piece(self, index: JsonValue, piece: JsonObject) -> Iterator[JsonObject]:
        """What one piece of a block adds: text, a thought, or JSON of a tool's input."""
        place = self._calls.get(str(index))
        for name, told_as in (("text", "content"), ("thinking", "reasoning_content")):
            text = piece.get(name)
            if isinstance(text, str) and text:
                yield self._envelope.chunk({told_as: text})
        json_text = piece.get("partial_json")
        if place is not None and isinstance(json_text, str) and json_text:
            self._inputs.pop(place, None)
            yield self._arguments(place, json_text)

    def _whole_input(self, index: JsonValue) -> Iterator[JsonObject]:
        """The input of a tool that came without pieces of it."""
        place = self._calls.get(str(index))
        if place is not None and place in self._inputs:
            function = tool_call("", "", self._inputs.pop(place))["function"]
            yield self._arguments(place, plain(function.get("arguments")) if isinstance(function, dict) else "{}")

    def _arguments(self, place: int, text: str) -> JsonObject:
        return self._envelope.chunk({"tool_calls": [{"index": place, "function": {"arguments": text}}]})

    def _stop(self, stop: JsonValue) -> Iterator[JsonObject]:
        if stop:
            reason = finish_reason(stop, calls_tool=self._heard.calls_tool)
            yield self._envelope.chunk({}, finish_reason=reason)


def _part(event: JsonObject, name: str) -> JsonObject:
    part = event.get(name)
    return part if isinstance(part, dict) else {}

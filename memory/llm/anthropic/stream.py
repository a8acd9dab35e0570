"""The answers of Anthropic's messages API in OpenAI's shape: a whole message, or the events of a stream one by one."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from pydantic import JsonValue

from memory.llm.answers import validation
from memory.llm.answers.json_fields import clean_text, objects_in, token_count
from memory.llm.answers.json_stream import answer_or_objects
from memory.llm.chat_completions.responses import AnswerAccumulator, ResponseBuilder, as_chunks, tool_call, usage
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
    """A whole message as OpenAI's `chat.completion`. Raises `BadAnswer` where it has no content.

    Thinking goes beside the text, as `reasoning_content`. Blocks of any other kind are dropped.
    """
    content = answer.get("content")
    if not isinstance(content, list | str):
        raise validation.bad_answer(route, "without any content in it")
    blocks = objects_in(content)
    calls: list[JsonValue] = [
        tool_call(clean_text(block.get("id")), clean_text(block.get("name")), block.get("input"))
        for block in blocks
        if block.get("type") == "tool_use"
    ]
    text = clean_text(content) or _joined(blocks, "text")
    message: JsonObject = {"content": text if text or not calls else None, "refusal": None}
    if thinking := _joined(blocks, "thinking"):
        message["reasoning_content"] = thinking
    if calls:
        message["tool_calls"] = calls
    counts = usage_of(answer.get("usage"))
    return ResponseBuilder(clean_text(answer.get("model")) or route.model).answer(
        message, finish_reason=finish_reason(answer.get("stop_reason"), calls_tool=bool(calls)), usage=counts
    )


def _joined(blocks: list[JsonObject], kind: str) -> str:
    """The text of all blocks of one kind. The field that holds it is named like the kind."""
    return "".join(clean_text(block.get(kind)) for block in blocks if block.get("type") == kind)


def finish_reason(stop: JsonValue, *, calls_tool: bool) -> str:
    """OpenAI's word for why a model stopped."""
    return _STOPS.get(clean_text(stop), "tool_calls" if calls_tool and not stop else "stop")


def usage_of(counts: JsonValue) -> JsonObject | None:
    """Token counts in OpenAI's shape, which counts tokens read from a cache as part of the prompt."""
    read = [count for name in _INPUT_COUNTS if (count := token_count(counts, name)) is not None]
    found = usage(sum(read) if read else None, token_count(counts, "output_tokens"))
    cached = token_count(counts, "cache_read_input_tokens")
    return {**found, "prompt_tokens_details": {"cached_tokens": cached}} if found and cached else found


# --- the stream -------------------------------------------------------------------------------------------------


def chunks_in(
    stream: ByteStream, accumulator: AnswerAccumulator, *, route: Route, has_usage: bool
) -> Iterator[JsonObject]:
    """The events of a stream as OpenAI's chunks; a whole message where the server does not stream."""
    received = answer_or_objects(stream)
    if isinstance(received, dict):
        answer = as_completion(received, route)
        accumulator.set_usage(answer.get("usage"))
        yield from as_chunks(answer, has_usage=has_usage)
        return
    translator = _EventTranslator(route, accumulator, has_usage=has_usage)
    for event in filter(None, received):
        yield from translator.chunks_for(event)
        if event.get("type") == "message_stop" and not accumulator.has_choices:
            raise validation.bad_answer(route, "that ends before it begins")
        if event.get("type") == "message_stop":
            stream.finish()
            break
    else:
        if not accumulator.is_finished:
            raise stream.call.connection_lost()
    yield from translator.final_chunks()


class _EventTranslator:
    """Turns the events of one message into chunks."""

    def __init__(self, route: Route, accumulator: AnswerAccumulator, *, has_usage: bool) -> None:
        self._builder = ResponseBuilder(route.model, has_usage)
        self._accumulator = accumulator
        self._counts: JsonObject = {}
        self._calls: dict[JsonValue, int] = {}
        self._inputs: dict[int, JsonValue] = {}

    def chunks_for(self, event: JsonObject) -> Iterator[JsonObject]:
        """The chunks that one event makes; none for an event of an unknown kind."""
        kind = event.get("type")
        if kind == "message_start":
            yield self._message_start(_object_at(event, "message"))
        elif kind == "content_block_start":
            yield from self._block_start(event.get("index"), _object_at(event, "content_block"))
        elif kind == "content_block_delta":
            yield from self._delta(event.get("index"), _object_at(event, "delta"))
        elif kind == "content_block_stop":
            yield from self._block_stop(event.get("index"))
        elif kind == "message_delta":
            self._add_usage(event.get("usage"))
            yield from self._message_stop(_object_at(event, "delta").get("stop_reason"))

    def final_chunks(self) -> Iterator[JsonObject]:
        """The chunks that follow the last event."""
        if not self._accumulator.is_finished:
            yield self._builder.chunk({}, finish_reason=finish_reason(None, calls_tool=self._accumulator.calls_tool))
        yield from self._builder.usage_chunks(usage_of(self._counts))

    def _message_start(self, message: JsonObject) -> JsonObject:
        model = clean_text(message.get("model"))
        if model:
            self._builder = replace(self._builder, model=model)
        self._add_usage(message.get("usage"))
        return self._builder.chunk({"role": "assistant", "content": ""})

    def _add_usage(self, counts: JsonValue) -> None:
        """Add token counts. Later ones are totals, too, but may leave some out."""
        given = counts if isinstance(counts, dict) else {}
        self._counts |= {name: value for name, value in given.items() if value is not None}
        self._accumulator.set_usage(usage_of(self._counts))

    def _block_start(self, index: JsonValue, block: JsonObject) -> Iterator[JsonObject]:
        if block.get("type") == "tool_use":
            place = self._calls[str(index)] = len(self._calls)
            self._inputs[place] = block.get("input") or {}
            call = tool_call(clean_text(block.get("id")), clean_text(block.get("name")), "")
            yield self._builder.chunk({"tool_calls": [{"index": place, **call}]})
        else:
            yield from self._delta(index, block)

    def _delta(self, index: JsonValue, piece: JsonObject) -> Iterator[JsonObject]:
        """The chunks for one piece of a block: text, thinking, or JSON of a tool's input."""
        place = self._calls.get(str(index))
        for name, field in (("text", "content"), ("thinking", "reasoning_content")):
            text = piece.get(name)
            if isinstance(text, str) and text:
                yield self._builder.chunk({field: text})
        json_text = piece.get("partial_json")
        if place is not None and isinstance(json_text, str) and json_text:
            self._inputs.pop(place, None)
            yield self._arguments(place, json_text)

    def _block_stop(self, index: JsonValue) -> Iterator[JsonObject]:
        """The input of a tool that came whole with the start of its block."""
        place = self._calls.get(str(index))
        if place is not None and place in self._inputs:
            function = tool_call("", "", self._inputs.pop(place))["function"]
            yield self._arguments(place, clean_text(function.get("arguments")) if isinstance(function, dict) else "{}")

    def _arguments(self, place: int, text: str) -> JsonObject:
        return self._builder.chunk({"tool_calls": [{"index": place, "function": {"arguments": text}}]})

    def _message_stop(self, stop: JsonValue) -> Iterator[JsonObject]:
        if stop:
            reason = finish_reason(stop, calls_tool=self._accumulator.calls_tool)
            yield self._builder.chunk({}, finish_reason=reason)


def _object_at(event: JsonObject, name: str) -> JsonObject:
    part = event.get(name)
    return part if isinstance(part, dict) else {}

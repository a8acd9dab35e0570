"""Ollama's answers in OpenAI's shape: a whole message, or the lines of a stream one by one."""

from collections.abc import Iterator

from pydantic import JsonValue

from memory.llm.answers import validation
from memory.llm.answers.json_fields import clean_text, objects_in, token_count
from memory.llm.answers.json_stream import objects_in_lines
from memory.llm.chat_completions.responses import AnswerAccumulator, ResponseBuilder, tool_call, usage
from memory.llm.http import error_mapping
from memory.llm.http.byte_stream import ByteStream
from memory.llm.http.client import JsonObject
from memory.llm.types import Route


def as_completion(answer: JsonObject, route: Route) -> JsonObject:
    """A whole answer as OpenAI's `chat.completion`. Thinking goes beside the text, as `reasoning_content`."""
    received = answer.get("message")
    if not isinstance(received, dict):
        raise validation.bad_answer(route, "without a message in it")
    if answer.get("done") is False:
        raise validation.bad_answer(route, "that is a piece of a stream, which was not asked for")
    calls: list[JsonValue] = list(_calls(received))
    text = clean_text(received.get("content"))
    message: JsonObject = {"content": text if text or not calls else None, "refusal": None}
    if thinking := clean_text(received.get("thinking")):
        message["reasoning_content"] = thinking
    if calls:
        message["tool_calls"] = calls
    return ResponseBuilder(clean_text(answer.get("model")) or route.model).answer(
        message, finish_reason=_finish_reason(answer, calls_tool=bool(calls)), usage=_usage(answer)
    )


def _calls(message: JsonObject) -> Iterator[JsonObject]:
    for call in objects_in(message.get("tool_calls")):
        function = call.get("function")
        if isinstance(function, dict):
            yield tool_call(clean_text(call.get("id")), clean_text(function.get("name")), function.get("arguments"))


def _finish_reason(answer: JsonObject, *, calls_tool: bool) -> str:
    if answer.get("done_reason") == "length":
        return "length"
    return "tool_calls" if calls_tool else "stop"


def _usage(answer: JsonObject) -> JsonObject | None:
    return usage(token_count(answer, "prompt_eval_count"), token_count(answer, "eval_count"))


def chunks_in(
    stream: ByteStream, accumulator: AnswerAccumulator, *, route: Route, has_usage: bool
) -> Iterator[JsonObject]:
    """The lines of a stream as OpenAI's chunks. Raises `LLMError`, also where the stream ends before its last line."""
    builder: ResponseBuilder | None = None
    calls_so_far = 0
    for line in objects_in_lines(stream):
        message = line.get("message")
        if not isinstance(message, dict):
            raise validation.bad_answer(route, "without a message in it")
        if builder is None:
            builder = ResponseBuilder(clean_text(line.get("model")) or route.model, has_usage)
            yield builder.chunk({"role": "assistant", "content": ""})
        calls: list[JsonValue] = [{"index": calls_so_far + place, **call} for place, call in enumerate(_calls(message))]
        calls_so_far += len(calls)
        yield from _pieces(builder, message, calls)
        if line.get("done") is True:
            accumulator.set_usage(_usage(line))
            yield builder.chunk({}, finish_reason=_finish_reason(line, calls_tool=calls_so_far > 0))
            yield from builder.usage_chunks(_usage(line))
            stream.finish()
            return
    if builder is None:
        raise error_mapping.not_json(stream.call.server, "a stream with nothing in it")
    raise stream.call.connection_lost()


def _pieces(builder: ResponseBuilder, message: JsonObject, calls: list[JsonValue]) -> Iterator[JsonObject]:
    for name, field in (("thinking", "reasoning_content"), ("content", "content")):
        text = message.get(name)
        if isinstance(text, str) and text:
            yield builder.chunk({field: text})
    if calls:
        yield builder.chunk({"tool_calls": calls})

"""A stream of OpenAI's chunks, checked and handed on as it comes."""

from collections.abc import Iterator

from memory.llm.answers import validation
from memory.llm.answers.json_stream import answer_or_objects
from memory.llm.chat_completions.responses import AnswerAccumulator, as_chunks
from memory.llm.http import error_mapping
from memory.llm.http.byte_stream import ByteStream
from memory.llm.http.client import JsonObject
from memory.llm.openai.completion import message_in
from memory.llm.types import Route

# An object with none of these is a ping and no part of an answer.
_ANSWER_FIELDS = ("choices", "object", "usage")


def chunks_in(
    stream: ByteStream, accumulator: AnswerAccumulator, *, route: Route, has_usage: bool
) -> Iterator[JsonObject]:
    """The server's chunks; a whole answer as one chunk where it does not stream. Raises `LLMError`.

    They are unchanged with `has_usage`. Without, the counts are noted and what was only sent for them is left out.
    """
    received = answer_or_objects(stream)
    if isinstance(received, dict):
        message_in(received, route)
        accumulator.set_usage(received.get("usage"))
        yield from as_chunks(received, has_usage=has_usage)
        return
    count = 0
    for chunk in received:
        if chunk is None:
            stream.finish()
            break
        if any(name in chunk for name in _ANSWER_FIELDS):
            count += 1
            yield from [chunk] if has_usage else _without_usage(chunk, accumulator)
    else:
        if count and not accumulator.is_finished:
            raise stream.call.connection_lost()
    if not count:
        raise error_mapping.not_json(stream.call.server, "a stream with nothing in it")
    if not accumulator.has_choices:
        raise validation.bad_answer(route, "without any choice in it")


def _without_usage(chunk: JsonObject, accumulator: AnswerAccumulator) -> Iterator[JsonObject]:
    """The chunk without the `usage: null` that servers add to each; nothing of one that only has token counts."""
    if chunk.get("choices") == [] and chunk.get("usage"):
        accumulator.set_usage(chunk["usage"])
    elif chunk.get("usage", ...) is None:
        yield {name: value for name, value in chunk.items() if name != "usage"}
    else:
        yield chunk

"""Relaying without a model: the fixed reply in the shapes of OpenAI's answers."""

from collections.abc import Iterator

from memory.llm.chat_completions.requests import messages_in, refuse_untranslatable
from memory.llm.chat_completions.responses import (
    AnswerAccumulator,
    Relayed,
    RelayedStream,
    ResponseBuilder,
    relayed_answer,
    usage,
    wants_usage,
)
from memory.llm.http.client import JsonObject
from memory.llm.offline import completion
from memory.llm.types import Route

_WORDS_PER_CHUNK = 12
_USAGE = usage(0, 0)  # nothing was counted, but some clients fail without a usage


class OfflineRelay:
    """How the provider `offline` relays."""

    def relay(self, body: JsonObject, route: Route, *, max_tokens: int) -> Relayed:
        """The fixed reply. Raises `RequestRefused` where the messages cannot be read."""
        message: JsonObject = {"content": _reply(body, route), "refusal": None}
        return relayed_answer(
            ResponseBuilder(completion.MODEL).answer(message, finish_reason="stop", usage=_USAGE), route
        )

    def relay_stream(self, body: JsonObject, route: Route, *, max_tokens: int) -> RelayedStream:
        """The fixed reply, a few words at a time. Raises `RequestRefused` where the messages cannot be read."""
        accumulator = AnswerAccumulator(route)
        chunks = _chunks(_reply(body, route), ResponseBuilder(completion.MODEL, wants_usage(body)))
        return RelayedStream(accumulator.recording(chunks), accumulator)


def _reply(body: JsonObject, route: Route) -> str:
    refuse_untranslatable(body, route)
    return completion.chat_reply(messages_in(body, route))


def _chunks(reply: str, builder: ResponseBuilder) -> Iterator[JsonObject]:
    yield builder.chunk({"role": "assistant", "content": ""})
    words = reply.split(" ")
    for start in range(0, len(words), _WORDS_PER_CHUNK):
        text = " ".join(words[start : start + _WORDS_PER_CHUNK])
        yield builder.chunk({"content": text if start == 0 else f" {text}"})
    yield builder.chunk({}, finish_reason="stop")
    yield from builder.usage_chunks(_USAGE)

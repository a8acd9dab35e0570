"""Relaying without a model: the fixed reply, in the shapes that a client of a real one reads."""

from collections.abc import Iterator

from memory.llm.chat_completions.requests import messages_in, refuse_untranslatable
from memory.llm.chat_completions.responses import Envelope, Heard, Relayed, RelayedStream, relayed, usage, wants_usage
from memory.llm.http.client import JsonObject
from memory.llm.offline import completion
from memory.llm.types import Route

_WORDS_A_CHUNK = 12
_USAGE = usage(0, 0)  # nobody counted; but some clients fail where there are no counts


class OfflineRelay:
    """The provider `offline`."""

    def relay(self, body: JsonObject, route: Route, *, max_tokens: int) -> Relayed:
        """The fixed reply. Raises `RequestRefused` where the messages cannot be read."""
        message: JsonObject = {"content": _reply(body, route), "refusal": None}
        return relayed(Envelope(completion.MODEL).answer(message, finish_reason="stop", usage=_USAGE), route)

    def relay_stream(self, body: JsonObject, route: Route, *, max_tokens: int) -> RelayedStream:
        """The fixed reply, a few words at a time. Raises `RequestRefused` where the messages cannot be read."""
        heard = Heard(route)
        chunks = _chunks(_reply(body, route), Envelope(completion.MODEL, wants_usage(body)))
        return RelayedStream(heard.noted(chunks), heard)


def _reply(body: JsonObject, route: Route) -> str:
    refuse_untranslatable(body, route)
    return completion.chat_reply(messages_in(body, route))


def _chunks(reply: str, envelope: Envelope) -> Iterator[JsonObject]:
    yield envelope.chunk({"role": "assistant", "content": ""})
    words = reply.split(" ")
    for start in range(0, len(words), _WORDS_A_CHUNK):
        text = " ".join(words[start : start + _WORDS_A_CHUNK])
        yield envelope.chunk({"content": text if start == 0 else f" {text}"})
    yield envelope.chunk({}, finish_reason="stop")
    yield from envelope.usage_chunks(_USAGE)

"""Relaying to OpenAI, or to a server that speaks its API: what the client sent goes out, and what came goes back."""

from collections.abc import Iterator

from memory.llm.answers import validation
from memory.llm.answers.json_stream import answer_or_objects
from memory.llm.chat_completions.responses import Heard, Relayed, RelayedStream, chunks_of, relayed, wants_usage
from memory.llm.errors import NotFound
from memory.llm.http import client, error_mapping
from memory.llm.http.byte_stream import ByteStream, open_stream
from memory.llm.http.client import JsonObject
from memory.llm.openai import completion
from memory.llm.types import Route

# An object without any of these is no piece of an answer, but a ping.
_PIECES = ("choices", "object", "usage")


class OpenAIRelay:
    """The provider `openai`."""

    def relay(self, body: JsonObject, route: Route, *, max_tokens: int) -> Relayed:
        """The server's answer as it came; `max_tokens` is not sent. Raises `LLMError`."""
        try:
            answer = client.ask(
                route, completion.PATH, headers=completion.headers(route), body=_asked(body, route, is_streamed=False)
            )
        except NotFound as error:
            raise completion.with_hint(error, route) from None
        completion.message_in(answer, route)
        return relayed(answer, route)

    def relay_stream(self, body: JsonObject, route: Route, *, max_tokens: int) -> RelayedStream:
        """The server's chunks as they come; `max_tokens` is not sent. Raises `LLMError`."""
        url, sent = route.base_url + completion.PATH, _asked(body, route, is_streamed=True)
        try:
            stream = open_stream(url, headers=completion.headers(route), body=sent, route=route)
        except NotFound as error:
            raise completion.with_hint(error, route) from None
        heard = Heard(route)
        chunks = _chunks(stream, heard, route, has_usage=wants_usage(body))
        return RelayedStream(heard.noted(chunks), heard, stream)


def _asked(body: JsonObject, route: Route, *, is_streamed: bool) -> JsonObject:
    return {**body, "model": route.model, "stream": is_streamed}


def _chunks(stream: ByteStream, heard: Heard, route: Route, *, has_usage: bool) -> Iterator[JsonObject]:
    """What came, by chunks, with nothing changed; a whole answer where the server does not stream."""
    came = answer_or_objects(stream)
    if isinstance(came, dict):
        completion.message_in(came, route)
        heard.count_tokens(came.get("usage"))
        yield from chunks_of(came, has_usage=has_usage)
        return
    count = 0
    for chunk in came:
        if chunk is None:
            stream.finish()
            break
        if any(name in chunk for name in _PIECES):
            count += 1
            yield chunk
    else:
        if count and not heard.is_finished:
            raise stream.call.lost()
    if not count:
        raise error_mapping.no_json(stream.call.server, "a stream with nothing in it")
    if not heard.has_begun:
        raise validation.bad_answer(route, "without any choice in it")

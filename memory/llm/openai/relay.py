"""Relaying to OpenAI, or to a server that speaks its API: request and answer pass unchanged.

Of a stream the token counts are always asked for: they are recorded, and kept from a client that did not ask.
"""

import re
from functools import partial

from memory.llm.chat_completions.responses import Relayed, RelayedStream, relayed_answer, relayed_stream, wants_usage
from memory.llm.errors import NotFound
from memory.llm.http import client
from memory.llm.http.byte_stream import ByteStream, open_stream
from memory.llm.http.capability_fallback import CapabilityFallback
from memory.llm.http.client import JsonObject
from memory.llm.openai.completion import message_in
from memory.llm.openai.server import PATH, with_hint
from memory.llm.openai.stream import chunks_in
from memory.llm.openai.unasked_stream import put_together
from memory.llm.types import Route

_STREAM_OPTIONS = {"stream_options": re.compile(r"stream_options|include_usage")}


class OpenAIRelay:
    """How the provider `openai` relays. It never sends `max_tokens`: the client's own limit counts, or the server's."""

    def __init__(self) -> None:
        super().__init__()
        self._stream_fallback = CapabilityFallback(_STREAM_OPTIONS, statuses={400, 422}, suspects=_STREAM_OPTIONS)

    def relay(self, body: JsonObject, route: Route, *, max_tokens: int) -> Relayed:
        """The server's answer, unchanged. Raises `LLMError`."""
        request = {**body, "model": route.model, "stream": False}
        try:
            answer = client.post(
                route, PATH, headers=client.bearer_headers(route), body=request, put_together=put_together
            )
        except NotFound as error:
            raise with_hint(error, route) from None
        message_in(answer, route)
        return relayed_answer(answer, route)

    def relay_stream(self, body: JsonObject, route: Route, *, max_tokens: int) -> RelayedStream:
        """The server's chunks; token counts only where the client asked for them. Raises `LLMError`.

        Some servers refuse `stream_options`, by which the token counts are asked for: then without them.
        """
        request = {**_asking_for_usage(body), "model": route.model, "stream": True}
        try:
            stream = self._stream_fallback.call(
                partial(_open, request, route), route=route, parameters=_STREAM_OPTIONS.keys() & request.keys()
            )
        except NotFound as error:
            raise with_hint(error, route) from None
        return relayed_stream(stream, route, partial(chunks_in, stream, route=route, has_usage=wants_usage(body)))


def _asking_for_usage(body: JsonObject) -> JsonObject:
    """The request with a wish for token counts; `stream_options` that are no object are left to the server."""
    options = body.get("stream_options") or {}
    return {**body, "stream_options": {**options, "include_usage": True}} if isinstance(options, dict) else body


def _open(request: JsonObject, route: Route, unsupported: frozenset[str]) -> ByteStream:
    sent = {name: value for name, value in request.items() if name not in unsupported}
    return open_stream(route, PATH, headers=client.bearer_headers(route), body=sent)

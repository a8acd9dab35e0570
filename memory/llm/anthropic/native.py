"""The client's own request to Anthropic's messages API, sent as it is, and the answer handed on as it comes.

Nothing is translated: blocks, signatures, server tools, citations and cache breakpoints pass in both directions.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from memory.llm.answers import validation
from memory.llm.answers.json_fields import objects_in, token_count
from memory.llm.answers.json_stream import answer_or_objects
from memory.llm.anthropic.accumulator import MessageAccumulator
from memory.llm.anthropic.server import PATH, headers
from memory.llm.chat_completions.responses import Relayed, RelayedStream
from memory.llm.http import client
from memory.llm.http.byte_stream import ByteStream, open_stream
from memory.llm.http.client import JsonObject
from memory.llm.types import Route

_HEADER_VALUE = re.compile(r"[!-~](?:[ -~]{0,2000}[!-~])?")


@dataclass(frozen=True)
class ClientHeaders:
    """What a client says of the API it speaks: `version` and `betas` as it sent them, "" for none.

    `is_beta`: its package asks at the address with `?beta=true`.
    """

    version: str = ""
    betas: str = ""
    is_beta: bool = False

    def path(self, end: str = "") -> str:
        """The address of the messages API, or of a call below it."""
        return f"{PATH}{end}{'?beta=true' if self.is_beta else ''}"

    def over(self, ours: Mapping[str, str]) -> Mapping[str, str]:
        """Our headers with the client's in their place. What no header can hold is left out."""
        sent = {"anthropic-version": self.version, "anthropic-beta": self.betas}
        return {**ours, **{name: value for name, value in sent.items() if _HEADER_VALUE.fullmatch(value)}}


def relay_message(body: JsonObject, route: Route, sent: ClientHeaders) -> Relayed:
    """The server's whole message. Raises `LLMError`."""
    request: JsonObject = {**body, "model": route.model, "stream": False}
    answer = client.post(route, sent.path(), headers=sent.over(headers(route)), body=request)
    if not isinstance(answer.get("content"), list):
        raise validation.bad_answer(route, "without any content in it")
    accumulator = MessageAccumulator(route)
    accumulator.add_message(answer)
    return Relayed(answer, accumulator.completion, accumulator.calls_tool)


def stream_message(body: JsonObject, route: Route, sent: ClientHeaders) -> RelayedStream:
    """The server's events, unchanged. Returns when the first one is there. Raises `LLMError`."""
    request: JsonObject = {**body, "model": route.model, "stream": True}
    stream = open_stream(route, sent.path(), headers=sent.over(headers(route)), body=request)
    accumulator = MessageAccumulator(route)
    return RelayedStream(accumulator.recording(_events_in(stream, accumulator, route)), accumulator, stream)


def count_tokens(body: JsonObject, route: Route, sent: ClientHeaders) -> JsonObject:
    """The server's count for a request. Raises `LLMError`."""
    request: JsonObject = {**body, "model": route.model}
    return client.post(route, sent.path("/count_tokens"), headers=sent.over(headers(route)), body=request)


def _events_in(stream: ByteStream, accumulator: MessageAccumulator, route: Route) -> Iterator[JsonObject]:
    """The events up to the last one of the message. Raises `LLMError` where that is missing."""
    received = answer_or_objects(stream)
    if isinstance(received, dict):
        if not isinstance(received.get("content"), list):
            raise validation.bad_answer(route, "without any content in it")
        yield from as_events(received)
        return
    for event in filter(None, received):
        if event.get("type") == "message_stop" and not accumulator.has_begun:
            raise validation.bad_answer(route, "that ends before it begins")
        yield event
        if event.get("type") == "message_stop":
            stream.finish()
            return
    raise stream.call.connection_lost()


def as_events(message: JsonObject) -> Iterator[JsonObject]:
    """A whole message as the events of a stream, for a server that does not stream."""
    usage = message.get("usage")
    head: JsonObject = {**message, "content": [], "stop_reason": None, "stop_sequence": None}
    yield {"type": "message_start", "message": head}
    for index, block in enumerate(objects_in(message.get("content"))):
        yield {"type": "content_block_start", "index": index, "content_block": block}
        yield {"type": "content_block_stop", "index": index}
    stop: JsonObject = {name: message.get(name) for name in ("stop_reason", "stop_sequence")}
    yield {
        "type": "message_delta",
        "delta": stop,
        "usage": {"output_tokens": token_count(usage, "output_tokens") or 0},
    }
    yield {"type": "message_stop"}

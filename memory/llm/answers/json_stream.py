"""What a stream of a model server's holds: JSON objects one by one, out of events or lines, or one whole answer.

An error among them, a web page, something unreadable and a stream without an end are `LLMError`s here, once for all
providers.
"""

import json
from collections.abc import Iterator

from pydantic import JsonValue

from memory.llm.answers import validation
from memory.llm.errors import LLMError
from memory.llm.http import client, error_mapping, event_stream
from memory.llm.http.byte_stream import ByteStream, beginning
from memory.llm.http.client import Call, JsonObject
from memory.llm.http.event_stream import Event

_DONE = "[DONE]"
_NO_STREAM = (b"{", b"[", b"<", b"")


def answer_or_objects(stream: ByteStream) -> JsonObject | Iterator[JsonObject | None]:
    """The one answer of a server that did not stream, or else the objects in its events, each as soon as it came.

    None among them stands for the server's word that it is done. Raises `LLMError`.
    """
    first, pieces = beginning(stream)
    if first in _NO_STREAM:
        return _whole(pieces, stream.call)
    return _objects_in_events(pieces, stream.call)


def objects_in_lines(stream: ByteStream) -> Iterator[JsonObject]:
    """The objects in a server's lines, each as soon as it came. Raises `LLMError`."""
    first, pieces = beginning(stream)
    if first != b"{":
        _whole(pieces, stream.call)
    try:
        for line in filter(str.strip, event_stream.lines(pieces)):
            payload = client.parsed(line)
            if payload is None:  # no line of theirs holds anything else, so this one was cut
                raise stream.call.lost()
            yield from _checked(Event("", line), payload, stream.call)
    except event_stream.TooLong:
        raise stream.call.too_long(" in one line") from None


def _whole(pieces: Iterator[bytes], call: Call) -> JsonObject:
    """The object in a body that is no stream. Raises `LLMError` where it is none."""
    body = bytearray()
    for piece in pieces:
        body += piece
        if len(body) > client.MAX_ANSWER_BYTES:
            raise call.too_long()
    payload = client.payload_in(bytes(body), call.server)
    if not isinstance(payload, dict):
        raise error_mapping.no_json(call.server, json.dumps(payload))
    return payload


def _objects_in_events(pieces: Iterator[bytes], call: Call) -> Iterator[JsonObject | None]:
    try:
        for event in event_stream.events(pieces):
            if event.data.strip() == _DONE:
                yield None
            elif event.data.strip():
                yield from _checked(event, client.parsed(event.data), call)
    except event_stream.TooLong:
        raise call.too_long(" in one line") from None


def _checked(event: Event, payload: JsonValue, call: Call) -> Iterator[JsonObject]:
    """The object in an event, if it is one. Raises `LLMError` where it is an error, or nothing that can be read."""
    if problem := _problem_in(event, payload, call):
        raise problem
    if isinstance(payload, dict):
        yield payload


def _problem_in(event: Event, payload: JsonValue, call: Call) -> LLMError | None:
    """What an event stands for that is no piece of an answer; None where it is one, or says nothing."""
    complaint = payload if error_mapping.complaint_in(payload) else None
    if complaint is None and event.kind == "error":
        complaint = {"error": event.data if payload is None else payload}
    if complaint is None and isinstance(payload, dict):  # aggregators put it into a choice
        choices = validation.objects(payload.get("choices"))
        complaint = next((choice for choice in choices if error_mapping.complaint_in(choice)), None)
    if complaint is not None:
        return error_mapping.refusal(call.server, status=200, headers={}, payload=complaint, text=event.data)
    if payload is None and event.data.strip() != "null":
        return call.lost() if event.is_cut else error_mapping.no_json(call.server, event.data)
    return None

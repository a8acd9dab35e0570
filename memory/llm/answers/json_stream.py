"""The JSON in a model server's stream: objects one by one, from events or lines, or one whole answer.

An error among the objects, a web page, unreadable data and a line without end become `LLMError`s here, for all
providers alike.
"""

import json
from collections.abc import Iterator

from pydantic import JsonValue

from memory.llm.answers.json_fields import objects_in
from memory.llm.errors import LLMError
from memory.llm.http import client, error_mapping, event_stream
from memory.llm.http.byte_stream import ByteStream, peek
from memory.llm.http.client import Call, JsonObject
from memory.llm.http.event_stream import Event

_DONE = "[DONE]"
_FIRST_BYTES_OF_A_WHOLE_BODY = (b"{", b"[", b"<", b"")


def answer_or_objects(stream: ByteStream) -> JsonObject | Iterator[JsonObject | None]:
    """The objects in a server's events, each as soon as it comes; or the one answer of a server that did not stream.

    None among the objects stands for `[DONE]`. Raises `LLMError`.
    """
    first, pieces = peek(stream)
    if first in _FIRST_BYTES_OF_A_WHOLE_BODY:
        return _whole_body(pieces, stream.call)
    return _objects_in_events(pieces, stream.call)


def objects_in_body(body: bytes, call: Call) -> Iterator[JsonObject | None]:
    """The objects in a stream that came as one body, None for `[DONE]`. Raises `LLMError`."""
    return _objects_in_events(iter([body]), call)


def objects_in_lines(stream: ByteStream) -> Iterator[JsonObject]:
    """The objects in a server's lines, each as soon as it comes. Raises `LLMError`."""
    first, pieces = peek(stream)
    if first != b"{":
        _whole_body(pieces, stream.call)
    try:
        for line in filter(str.strip, event_stream.lines(pieces)):
            payload = client.parse_json(line)
            if payload is None:  # every line is an object, so this one was cut off
                raise stream.call.connection_lost()
            yield from _checked(Event("", line), payload, stream.call)
    except event_stream.TooLong:
        raise stream.call.answer_too_long(" in one line") from None


def _whole_body(pieces: Iterator[bytes], call: Call) -> JsonObject:
    """The object in a body that is not a stream. Raises `LLMError` where it is not an object."""
    body = bytearray()
    for piece in pieces:
        body += piece
        if len(body) > client.MAX_ANSWER_BYTES:
            raise call.answer_too_long()
    payload = client.checked_payload(bytes(body), call.server)
    if not isinstance(payload, dict):
        raise error_mapping.not_json(call.server, json.dumps(payload))
    return payload


def _objects_in_events(pieces: Iterator[bytes], call: Call) -> Iterator[JsonObject | None]:
    try:
        for event in event_stream.events(pieces):
            if event.data.strip() == _DONE:
                yield None
            elif event.data.strip():
                yield from _checked(event, client.parse_json(event.data), call)
    except event_stream.TooLong:
        raise call.answer_too_long(" in one line") from None


def _checked(event: Event, payload: JsonValue, call: Call) -> Iterator[JsonObject]:
    """The object in an event, if it is one. Raises `LLMError` where the event is an error or cannot be read."""
    if problem := _problem_in(event, payload, call):
        raise problem
    if isinstance(payload, dict):
        yield payload


def _problem_in(event: Event, payload: JsonValue, call: Call) -> LLMError | None:
    """The error that an event stands for; None where it is part of an answer, or empty."""
    error_body = payload if error_mapping.error_body_in(payload) else None
    if error_body is None and event.kind == "error":
        error_body = {"error": event.data if payload is None else payload}
    if error_body is None and isinstance(payload, dict):  # aggregators put the error into a choice
        choices = objects_in(payload.get("choices"))
        error_body = next((choice for choice in choices if error_mapping.error_body_in(choice)), None)
    if error_body is not None:
        return error_mapping.error_for(call.server, status=200, headers={}, payload=error_body, text=event.data)
    if payload is None and event.data.strip() != "null":
        return call.connection_lost() if event.is_cut else error_mapping.not_json(call.server, event.data)
    return None

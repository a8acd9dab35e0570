"""A client's turn as server-sent events: common to every API that chat clients speak.

Each API says in an `Encoding` what its events look like.
"""

import json
import logging
from collections.abc import Iterable, Iterator
from typing import Protocol

from django.db import DatabaseError
from django.http import StreamingHttpResponse
from pydantic import JsonValue

from memory import llm
from memory.api.auth import ApiRequest
from memory.api.capacity import limit_write_wait, turn_limiter
from memory.api.errors import ApiError, as_api_error, request_id, with_upstream_status
from memory.api.responses import RECORDED
from memory.chat import relay

logger = logging.getLogger(__name__)


class Encoding(Protocol):
    """The events of one stream, as bytes. Each stream has its own, which may keep what came so far."""

    def chunk(self, chunk: dict[str, JsonValue]) -> Iterable[bytes]:
        """The events for one `chat.completion.chunk`."""
        ...

    def error(self, error: ApiError) -> Iterable[bytes]:
        """The last events, where something went wrong after the status was sent."""
        ...

    def end(self) -> Iterable[bytes]:
        """The last events of a whole answer. Its turn is written down by now."""
        ...


def streamed(call: relay.Call, request: ApiRequest, encoding: Encoding) -> StreamingHttpResponse:
    """The answer to a call, event by event. The first chunk is there by now: what goes wrong before it has its status.

    Raises `llm.LLMError` for that, and the 503 where as many turns are under way as there may be.
    """
    limit_write_wait(request)
    turn_limiter.acquire()
    try:
        stream = relay.stream(call)
    except BaseException:
        turn_limiter.release()
        raise
    response = StreamingHttpResponse(_EventStream(stream, request, encoding), content_type="text/event-stream")
    response.headers["Cache-Control"] = "no-cache"
    response.headers["X-Accel-Buffering"] = "no"  # or nginx would hold the chunks back
    return response


class _EventStream:
    """A stream's events. The server closes it when it is sent or when the client has gone."""

    def __init__(self, stream: relay.Stream, request: ApiRequest, encoding: Encoding) -> None:
        self._stream, self._request, self._encoding = stream, request, encoding
        self._is_closed = False

    def __iter__(self) -> Iterator[bytes]:
        """The events of each chunk and those of the end, or an error as the last of them."""
        try:
            for chunk in self._stream:
                yield from self._encoding.chunk(chunk)
        except llm.LLMError as error:
            yield from self._encoding.error(with_upstream_status(error))
        except DatabaseError as error:
            # The status is sent: the stream itself has to say that something went wrong.
            logger.exception("Request %s failed in its stream", request_id(self._request))
            yield from self._encoding.error(as_api_error(error))
        else:
            yield from self._said_of_recording()
            yield from self._encoding.end()

    def _said_of_recording(self) -> Iterator[bytes]:
        """A comment where the turn is not on record: the headers are sent, and clients pass over comments."""
        recorded = self._stream.recorded
        if recorded is not None and recorded.when != "now":
            yield f": {RECORDED}: {recorded.when}\n\n".encode()

    def close(self) -> None:
        """Write the turn down where the client hung up, and let the thread go."""
        if not self._is_closed:
            self._is_closed = True
            turn_limiter.release()
            self._stream.close()


def event(value: dict[str, JsonValue], *, name: str = "") -> bytes:
    """One event with this JSON as its data, and with a name where it has one."""
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {ascii_json(value)}\n\n".encode()


def ascii_json(value: dict[str, JsonValue]) -> str:
    """As JSON, in ASCII: a chunk may end between the halves of a surrogate pair, which nothing else can write.

    Some servers write NaN and Infinity, which are no JSON and stop a client from reading the rest: null.
    """
    try:
        return json.dumps(value, separators=(",", ":"), allow_nan=False)
    except ValueError:
        finite = json.loads(json.dumps(value), parse_constant=lambda name: None)
        return json.dumps(finite, separators=(",", ":"))

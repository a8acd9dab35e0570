"""The body of an answer as it comes, in bytes, with a limit on every silence and on the whole.

Raises nothing but `LLMError`. A stream is read by one thread and may be closed by any.
"""

import threading
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from itertools import chain
from typing import Self

import httpx

from memory.llm.errors import LLMError
from memory.llm.http import client
from memory.llm.http.client import Call, JsonObject
from memory.llm.types import Route

MAX_STREAM_BYTES = 256 * 1024 * 1024

_DRAIN_SECONDS = 0.05
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class ByteStream:
    """The pieces of one answer's body, decompressed, in the sizes they come in."""

    def __init__(self, call: Call, response: httpx.Response) -> None:
        self.call = call
        self._response = response
        self._pieces = response.iter_bytes()
        self._reading = threading.Lock()
        self._is_done = False
        self._bytes = 0

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> bytes:
        """The next piece. Raises `LLMError`, also where the stream was closed before its end."""
        with self._reading:
            piece = self._read()
        if piece is None:
            raise StopIteration
        return piece

    def _read(self) -> bytes | None:
        try:
            if self.call.deadline.is_cancelled:
                raise self.call.connection_lost()
            with self.call.mapping_errors(), self.call.deadline.applied():
                piece = None if self._is_done else next(self._pieces, None)
            if self.call.deadline.is_cancelled:  # during the read, which may then look like the end of the body
                raise self.call.connection_lost()
            self._is_done = piece is None
            self._bytes += len(piece or b"")
            if self._bytes > MAX_STREAM_BYTES:
                raise self.call.answer_too_long()
        except LLMError:
            self._response.close()
            raise
        return piece

    def finish(self) -> None:
        """End a stream whose last object was read, keeping the connection if possible.

        Waits a moment for the end of the body: where it comes, the connection can serve the next call.
        """
        self.call.deadline.shorten(_DRAIN_SECONDS)
        with suppress(LLMError):
            for _ in self:
                pass
        self.close()

    def close(self) -> None:
        """Close the connection at once, even while another thread waits for it. Does nothing after the end was read."""
        if self._is_done:
            return
        self.call.deadline.cancel()
        if self._reading.acquire(blocking=False):  # otherwise the reading thread, which wakes up now, closes it
            try:
                self._response.close()
            finally:
                self._reading.release()


def open_stream(route: Route, path: str, *, headers: Mapping[str, str], body: JsonObject) -> ByteStream:
    """The body of a server's answer to `body`, from its first byte on. Raises `LLMError`, also for a refusal.

    Keys travel in `headers`; their values are removed from every error text.
    """
    timeouts = client.Timeouts(route.stream_seconds, route.connect_seconds, route.first_byte_seconds)
    url = route.base_url + path
    call = Call(client.server_at(url, headers, provider=route.provider), timeouts)
    all_headers = {"Content-Type": "application/json", "Accept-Encoding": "identity", **headers}
    with call.mapping_errors(), call.deadline.applied():
        sender = client.shared_client()
        request = sender.build_request(
            "POST", url, content=client.encoded(body), headers=all_headers, timeout=timeouts.for_httpx()
        )
        response = sender.send(request, stream=True)
        if not response.is_success:
            with closing(response):
                raise call.refusal(response, call.body_of(response))
    return ByteStream(call, response)


def peek(stream: ByteStream) -> tuple[bytes, Iterator[bytes]]:
    """The first byte of a stream (b"" where it is empty), and the whole stream from that byte on.

    Skips a byte order mark, and the blanks that some servers send to keep a connection open.
    """
    head = b""
    for piece in stream:
        head = (head + piece).removeprefix(_BYTE_ORDER_MARK).lstrip()
        if head and not _BYTE_ORDER_MARK.startswith(head):
            break
    return head[:1], chain([head], stream)

"""The body of an answer as it comes: bytes from a model server, with a bound on every silence and on the whole.

Nothing but `LLMError` leaves this file. A stream is read by one thread and may be closed by any.
"""

import threading
import time
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

_LAST_WORDS_SECONDS = 0.05
_MARK = b"\xef\xbb\xbf"


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
            if self.call.watch.is_hung_up:
                raise self.call.lost()
            with self.call.mapping_errors(), self.call.watch.on_duty():
                piece = None if self._is_done else next(self._pieces, None)
            if self.call.watch.is_hung_up:  # meanwhile; what came of it may look like the end
                raise self.call.lost()
            self._is_done = piece is None
            self._bytes += len(piece or b"")
            if self._bytes > MAX_STREAM_BYTES:
                raise self.call.too_long()
        except LLMError:
            self._response.close()
            raise
        return piece

    def finish(self) -> None:
        """Let go of a stream that said that it is done.

        Its connection serves the next call too, where the end comes right behind what was read.
        """
        watch = self.call.watch
        watch.deadline = min(watch.deadline, time.monotonic() + _LAST_WORDS_SECONDS)
        with suppress(LLMError):
            for _ in self:
                pass
        self.close()

    def close(self) -> None:
        """End the connection at once, also under a thread that waits for it; nothing where the end was read."""
        if self._is_done:
            return
        self.call.watch.hang_up()
        if self._reading.acquire(blocking=False):  # else the reading thread, woken just now, does it
            try:
                self._response.close()
            finally:
                self._reading.release()


def open_stream(url: str, *, headers: Mapping[str, str], body: JsonObject, route: Route) -> ByteStream:
    """The body of what a server answers to `body`, from its first byte on. Raises `LLMError`, where it refuses too.

    Keys travel in `headers`; their values are scrubbed from every error text.
    """
    limits = client.Limits(route.stream_seconds, route.connect_seconds, route.first_byte_seconds)
    call = Call(client.server_at(url, headers, provider=route.provider), limits)
    sent = {"Content-Type": "application/json", "Accept-Encoding": "identity", **headers}
    with call.mapping_errors(), call.watch.on_duty():
        sender = client.shared_client()
        request = sender.build_request(
            "POST", url, content=client.encoded(body), headers=sent, timeout=limits.timeout()
        )
        response = sender.send(request, stream=True)
        if not response.is_success:
            with closing(response):
                raise call.refusal(response, call.body_of(response))
    return ByteStream(call, response)


def beginning(stream: ByteStream) -> tuple[bytes, Iterator[bytes]]:
    """The first byte of a stream (b"" where there is none), and the stream from there on again.

    A byte order mark and the blanks by which some servers keep a connection open are left out.
    """
    head = b""
    for piece in stream:
        head = (head + piece).removeprefix(_MARK).lstrip()
        if head and not _MARK.startswith(head):
            break
    return head[:1], chain([head], stream)

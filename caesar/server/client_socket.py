"""The socket of one client: reading from it waits for a bounded time, and only in one of a few places."""

import select
import socket
import time
from collections.abc import Callable
from typing import Final, Protocol

from caesar.server.errors import TooSlow
from caesar.server.receiving import Deadlines, WaitingPlaces

MOST_AT_ONCE: Final = 64 * 1024
"""Bytes of one read, which bounds what a connection holds of a body that is received."""

_CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class Closable(Protocol):
    """gunicorn's request, as far as it is needed here."""

    def force_close(self) -> None:
        """Have the connection closed after the answer, and the answer say so."""


class ClientSocket(socket.socket):
    """A blocking socket without a timeout of Python's, so that a write may be bounded by SO_SNDTIMEO.

    `ahead` holds what the worker's loop has read before a thread takes over. `waited_seconds` counts what this request
    has waited for its bytes so far; the time that a view works between two reads is not the client's.
    """

    def __init__(
        self, accepted: socket.socket, deadlines: Deadlines, places: WaitingPlaces, *, on_close: Callable[[], None]
    ) -> None:
        family, kind, protocol = accepted.family, accepted.type, accepted.proto
        super().__init__(family, kind, protocol, fileno=accepted.detach())
        self._deadlines, self._places, self._on_close = deadlines, places, on_close
        self._request: Closable | None = None
        self._owes_continue = False
        self.ahead = bytearray()
        self.waited_seconds = 0.0
        self.has_key = False

    def close(self) -> None:
        """Close it, once; later calls do nothing."""
        is_open = self.fileno() >= 0
        super().close()
        if is_open:
            self._on_close()

    # --- one request after the other ----------------------------------------------------------------------------------

    def expect_request(self) -> None:
        """Start anew: the next byte belongs to a new request."""
        self._request, self._owes_continue, self.has_key, self.waited_seconds = None, False, False, 0.0

    def begin_answer(self, request: Closable, *, owes_continue: bool) -> None:
        """The head was read. `owes_continue`: the client waits to be told to send its body; the first read does so."""
        self._request, self._owes_continue = request, owes_continue

    def close_after_answer(self) -> None:
        """Keep this connection for no further request, and say so in the answer."""
        if self._request is not None:
            self._request.force_close()

    # --- reading ------------------------------------------------------------------------------------------------------

    def read_ahead(self) -> bool:
        """Read what is there without waiting. False at the client's end. Raises BlockingIOError where nothing is."""
        piece = super().recv(MOST_AT_ONCE, socket.MSG_DONTWAIT)
        self.ahead += piece
        return bool(piece)

    def recv(self, bufsize: int, flags: int = 0, /) -> bytes:
        """Up to `bufsize` bytes, b"" at the client's end. Raises `TooSlow` or `NoPlace` instead of waiting longer."""
        if self.ahead:
            piece = bytes(self.ahead[:bufsize])
            del self.ahead[:bufsize]
            return piece
        bufsize = min(bufsize, MOST_AT_ONCE)
        if self.gettimeout() is not None:  # whoever set a timeout, or none at all, waits by himself
            return super().recv(bufsize, flags)
        self._send_continue()
        while True:
            try:
                return super().recv(bufsize, flags | socket.MSG_DONTWAIT)
            except BlockingIOError:
                self._wait()

    def _send_continue(self) -> None:
        if self._owes_continue:
            self._owes_continue = False
            self.sendall(_CONTINUE)

    def _wait(self) -> None:
        """Return when there is something to read."""
        seconds = min(self._deadlines.silence, self._deadlines.whole - self.waited_seconds)
        if seconds <= 0:
            raise TooSlow
        poll = select.poll()
        poll.register(self, select.POLLIN)
        with self._places.one(has_key=self.has_key):
            began = time.monotonic()
            is_readable = poll.poll(seconds * 1_000)
        self.waited_seconds += time.monotonic() - began
        if not is_readable:
            raise TooSlow

"""A deadline for a whole call, kept by every read and write of its connection, and a way to cancel the call.

httpx has a timeout for each single read, so a server that sends a byte now and then would never time out. Here the
connection itself asks the deadline of the call it is serving. `Deadline.applied()` says which deadline that is, for
each thread.
"""

import socket
import ssl
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import httpcore
import httpx


class Deadline:
    """The end of one call's time, on the monotonic clock."""

    def __init__(self, seconds: float) -> None:
        self.ends_at = time.monotonic() + seconds
        self.is_cancelled = False
        self._connection: _DeadlineStream | None = None

    @property
    def has_passed(self) -> bool:
        """Whether the time is over."""
        return time.monotonic() >= self.ends_at

    def shorten(self, seconds: float) -> None:
        """Let the call end `seconds` from now at the latest."""
        self.ends_at = min(self.ends_at, time.monotonic() + seconds)

    @contextmanager
    def applied(self) -> Iterator[None]:
        """While open, this thread's reads and writes keep to this deadline."""
        before = getattr(_thread, "deadline", None)
        _thread.deadline = self
        try:
            yield
        finally:
            _thread.deadline = before

    def cancel(self) -> None:
        """End the call, from any thread: a thread that waits for the server wakes up with an end of file."""
        self.is_cancelled = True
        if self._connection is not None and self._connection.deadline is self:  # it may serve another call by now
            self._connection.shut_down()

    def bounded(self, timeout: float | None, connection: "_DeadlineStream | None" = None) -> float:
        """`timeout` for the next read or write, shortened to the time that is left.

        Notes that `connection` serves this call now. Raises httpcore's errors where the call is over or cancelled.
        """
        if connection is not None:
            connection.deadline, self._connection = self, connection
        if self.is_cancelled:
            raise httpcore.ReadError("cancelled")
        left = self.ends_at - time.monotonic()
        if left <= 0:
            raise httpcore.ReadTimeout("the deadline has passed")
        return left if timeout is None else min(timeout, left)


_MAX_WRITE_BYTES = 65_536

_thread = threading.local()


def _bounded(timeout: float | None, connection: "_DeadlineStream | None" = None) -> float | None:
    """`timeout` as this thread's deadline bounds it; unchanged where none is applied."""
    deadline: Deadline | None = getattr(_thread, "deadline", None)
    return timeout if deadline is None else deadline.bounded(timeout, connection)


class _DeadlineStream(httpcore.NetworkStream):
    """A connection that keeps to the deadline of the call it serves."""

    def __init__(self, inner: httpcore.NetworkStream) -> None:
        self.deadline: Deadline | None = None
        self._inner = inner

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, _bounded(timeout, self))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        for start in range(0, len(buffer), _MAX_WRITE_BYTES):
            self._inner.write(buffer[start : start + _MAX_WRITE_BYTES], _bounded(timeout, self))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        return _DeadlineStream(self._inner.start_tls(ssl_context, server_hostname, _bounded(timeout, self)))

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)

    def shut_down(self) -> None:
        """Wake the thread that reads here.

        Calls the plain socket's `shutdown`: TLS's own would drop its state while the other thread is reading.
        """
        connection = self._inner.get_extra_info("socket")
        if isinstance(connection, socket.socket):
            with suppress(OSError):
                socket.socket.shutdown(connection, socket.SHUT_RDWR)


class _DeadlineBackend(httpcore.NetworkBackend):
    """The network, with connections that keep to deadlines."""

    def __init__(self, inner: httpcore.NetworkBackend) -> None:
        self._inner = inner

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        seconds = _bounded(timeout)
        return _DeadlineStream(self._inner.connect_tcp(host, port, seconds, local_address, socket_options))


def enforce_deadlines(client: httpx.Client) -> None:
    """Let every connection that `client` makes from now on, also through proxies, keep to the deadline of its call.

    httpx has no public way to set the network of its connection pools, so this uses private names. `test_deadline.py`
    fails where a version of httpx has renamed them.
    """
    for transport in (client._transport, *client._mounts.values()):
        if isinstance(transport, httpx.HTTPTransport):
            transport._pool._network_backend = _DeadlineBackend(httpcore.SyncBackend())

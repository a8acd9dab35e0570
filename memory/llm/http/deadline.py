"""How long a call may take, and how it is ended from outside: a deadline that every read and write keeps to.

httpx knows a timeout for each read alone, so a server that drips bytes, headers or 1xx answers goes on for ever. Here
the connection itself looks at the call it serves: `Watch.on_duty()` says which one that is, thread by thread.
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


class Watch:
    """One call's deadline, on the monotonic clock."""

    def __init__(self, seconds: float) -> None:
        self.deadline = time.monotonic() + seconds
        self.is_hung_up = False
        self._connection: _Connection | None = None

    @property
    def is_over(self) -> bool:
        """Whether the deadline has passed."""
        return time.monotonic() >= self.deadline

    @contextmanager
    def on_duty(self) -> Iterator[None]:
        """While open, what this thread reads and writes belongs to this call."""
        before = getattr(_duty, "watch", None)
        _duty.watch = self
        try:
            yield
        finally:
            _duty.watch = before

    def hang_up(self) -> None:
        """End the call from any thread: one that waits for the server wakes with an end of file."""
        self.is_hung_up = True
        if self._connection is not None and self._connection.serves is self:  # it may serve another call by now
            self._connection.shut()

    def seconds_for(self, timeout: float | None, connection: "_Connection | None" = None) -> float:
        """How long the next read or write may wait: `timeout`, but not past the deadline."""
        if connection is not None:
            connection.serves, self._connection = self, connection
        if self.is_hung_up:
            raise httpcore.ReadError("hung up")
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise httpcore.ReadTimeout("the deadline has passed")
        return left if timeout is None else min(timeout, left)


_WRITTEN_BYTES = 65_536

_duty = threading.local()


def _seconds_for(timeout: float | None, connection: "_Connection | None" = None) -> float | None:
    watch: Watch | None = getattr(_duty, "watch", None)
    return timeout if watch is None else watch.seconds_for(timeout, connection)


class _Connection(httpcore.NetworkStream):
    """A connection that keeps to the deadline of the call it serves."""

    def __init__(self, inner: httpcore.NetworkStream) -> None:
        self.serves: Watch | None = None
        self._inner = inner

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, _seconds_for(timeout, self))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        for start in range(0, len(buffer), _WRITTEN_BYTES):
            self._inner.write(buffer[start : start + _WRITTEN_BYTES], _seconds_for(timeout, self))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        return _Connection(self._inner.start_tls(ssl_context, server_hostname, _seconds_for(timeout, self)))

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)

    def shut(self) -> None:
        """Wake who reads here. The plain socket's method: TLS's would drop its state under the reading thread."""
        connection = self._inner.get_extra_info("socket")
        if isinstance(connection, socket.socket):
            with suppress(OSError):
                socket.socket.shutdown(connection, socket.SHUT_RDWR)


class _Network(httpcore.NetworkBackend):
    """The network, with connections of the kind above."""

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
        seconds = _seconds_for(timeout)
        return _Connection(self._inner.connect_tcp(host, port, seconds, local_address, socket_options))


def keep_to_deadlines(client: httpx.Client) -> None:
    """Let every connection that `client` makes from now on, through proxies too, keep to the deadline of its call.

    httpx hands no network on to the pool it makes, so this reaches for it by its private names; `test_patience.py`
    fails where a version of httpx names them otherwise.
    """
    for transport in (client._transport, *client._mounts.values()):
        if isinstance(transport, httpx.HTTPTransport):
            transport._pool._network_backend = _Network(httpcore.SyncBackend())

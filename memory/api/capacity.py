"""How many turns may be under way at once: each holds a thread for as long as its model takes.

A process keeps `SPARE_THREADS` of its `CAESAR_SERVER__THREADS` free for everything else.
"""

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.http import HttpRequest

from memory.api.errors import ApiError

SPARE_THREADS = 8
RETRY_AFTER_SECONDS = 5
MAX_WRITE_WAIT_SECONDS = 30
"""How long one write to a client may wait. After that it is gone: buffers hold megabytes."""


class TurnLimiter:
    """Counts the turns under way in this process and refuses those beyond the limit."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._under_way = 0

    @contextmanager
    def slot(self) -> Iterator[None]:
        """A turn, while open. Raises the 503 where as many are under way as there may be."""
        self.acquire()
        try:
            yield
        finally:
            self.release()

    def acquire(self) -> None:
        """Count one more, until `release`. Raises the 503 where as many are under way as there may be."""
        most = max(1, settings.CAESAR.server.threads - SPARE_THREADS)
        with self._lock:
            if self._under_way >= most:
                raise _too_many(most)
            self._under_way += 1

    def release(self) -> None:
        """Count one less."""
        with self._lock:
            self._under_way -= 1


turn_limiter = TurnLimiter()


def limit_write_wait(request: HttpRequest) -> None:
    """Bound how long a write to this client may wait: a client that stops reading would hold a thread for ever.

    Done by the operating system, which counts from the last byte it took; a slow client loses nothing.
    """
    connection = request.META.get("gunicorn.socket")
    if isinstance(connection, socket.socket):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", MAX_WRITE_WAIT_SECONDS, 0))


def _too_many(most: int) -> ApiError:
    message = (
        f"This process has {most} turns under way, which is the most it takes. Try again in a moment, or raise "
        "CAESAR_SERVER__THREADS."
    )
    return ApiError(
        503,
        message,
        code="too_many_turns",
        kind="server_error",
        headers={"Retry-After": str(RETRY_AFTER_SECONDS)},
    )

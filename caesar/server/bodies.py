"""A request's body: read when a view asks for it, up to a limit, through a file where it is large."""

import io
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import UnreadablePostError
from gunicorn.http.errors import ParseException

from caesar.server.errors import BodyTooSlow, Busy, NoPlace, TooSlow
from caesar.server.unpacking import unpacked

PIECE: Final = 64 * 1024
SMALL: Final = 256 * 1024
"""Bytes up to which a body is kept in memory while it arrives, and does not count as large."""

LARGE_AT_ONCE: Final = 2
"""Bodies of the largest size that a process holds in memory at once; smaller ones are more."""

WAIT_SECONDS: Final = 30.0


class IncomingBody:
    """The body of one request, as a file that is read once. It ends where its length or its last chunk says.

    Reading raises `RequestDataTooBig` beyond `most` bytes, and `UnreadablePostError` where the client breaks off,
    is too slow, or sends no proper chunks.
    """

    def __init__(self, environ: dict[str, Any], *, most: int) -> None:
        self._source, self.most = environ["wsgi.input"], most
        self._length = _length_of(environ)
        self._got = 0
        self.is_chunked = self._length is None
        self.is_at_end = self._length == 0

    def read(self, size: int | None = -1) -> bytes:
        """Up to `size` bytes, b"" at the end."""
        if size is None or size < 0:
            return b"".join(self.pieces())
        if self._length is not None and self._length > self.most:
            raise RequestDataTooBig(f"A body of {self._length} bytes is more than {self.most}.")
        if self.is_at_end or not size:
            return b""
        left = (self.most + 1 if self._length is None else self._length) - self._got
        piece = self._read_source(min(size, left))
        self._got += len(piece)
        if self._got > self.most:
            raise RequestDataTooBig(f"The body is more than {self.most} bytes.")
        if not piece and self._length is not None:
            raise UnreadablePostError("The body broke off before its end.")
        self.is_at_end = not piece if self._length is None else self._got == self._length
        return piece

    def pieces(self) -> Iterator[bytes]:
        """What is left of it, in small pieces."""
        while piece := self.read(PIECE):
            yield piece

    def readline(self, size: int | None = -1) -> bytes:
        """Not needed for any body that is read here, but part of what a file can do."""
        raise io.UnsupportedOperation("a body is read as a whole")

    def close(self) -> None:
        """Nothing is open."""

    def _read_source(self, size: int) -> bytes:
        try:
            piece: bytes = self._source.read(size)
        except TooSlow as error:
            raise BodyTooSlow("The body did not arrive in time.") from error
        except NoPlace as error:
            raise Busy("Too many requests arrive slowly.") from error
        except (OSError, ParseException) as error:
            raise UnreadablePostError(str(error)) from error
        return piece


def _length_of(environ: dict[str, Any]) -> int | None:
    """The length that was declared, 0 where there is no body, None where it comes in chunks. A length is believed."""
    declared = str(environ.get("CONTENT_LENGTH") or "")
    if declared:
        return int(declared) if declared.isascii() and declared.isdigit() else 0
    codings = str(environ.get("HTTP_TRANSFER_ENCODING", "")).lower().replace(" ", "").split(",")
    return None if codings[-1] == "chunked" else 0


class LargeBodies:
    """Bounds the bytes of large bodies that this process holds in memory at once. Who comes later waits."""

    def __init__(self, *, most_bytes: Callable[[], int], most_waiting: Callable[[], int]) -> None:
        self._most_bytes, self._most_waiting = most_bytes, most_waiting
        self._changed = threading.Condition()
        self._held = self._waiting = 0

    def take(self, size: int, *, wait_seconds: float = WAIT_SECONDS) -> None:
        """Count `size` more bytes, until `give`. Raises `Busy` where too many wait, or this one for too long."""
        with self._changed:
            if self._has_room(size):
                self._held += size
                return
            if self._waiting >= self._most_waiting():
                raise Busy("Too many large bodies wait to be read.")
            self._waiting += 1
            try:
                if not self._changed.wait_for(lambda: self._has_room(size), wait_seconds):
                    raise Busy("Other large bodies take too long.")
            finally:
                self._waiting -= 1
            self._held += size

    def give(self, size: int) -> None:
        """These bytes are free again."""
        with self._changed:
            self._held -= size
            self._changed.notify_all()

    def _has_room(self, size: int) -> bool:
        return not self._held or self._held + size <= self._most_bytes()


large_bodies = LargeBodies(
    most_bytes=lambda: LARGE_AT_ONCE * settings.CAESAR.api.max_body_bytes,
    most_waiting=lambda: max(1, settings.CAESAR.server.threads // 4),
)


@contextmanager
def received(body: IncomingBody, *, coding: str = "") -> Iterator[tuple[Any, int]]:
    """The whole body as a file at its start, and its size. What is larger than `SMALL` lies on disk.

    `coding`: how it is compressed; it is unpacked as it arrives, up to the same limit.
    """
    pieces = unpacked(body.pieces(), coding, most=body.most) if coding else body.pieces()
    with tempfile.SpooledTemporaryFile(max_size=SMALL, dir=settings.FILE_UPLOAD_TEMP_DIR) as spool:
        for piece in pieces:
            spool.write(piece)
        size = spool.tell()
        spool.seek(0)
        yield spool, size

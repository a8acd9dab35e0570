"""Server-sent events and lines, out of bytes in pieces of any size. Pure: the same bytes give the same events."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

MAX_LINE_BYTES = 16 * 1024 * 1024

_LINE_END = re.compile(rb"\r\n|\r|\n")


class TooLong(ValueError):
    """A line, or the lines of one event, longer than any server means them to be."""


@dataclass(frozen=True)
class Event:
    """One event: its `kind` ("" where the server named none) and its data.

    `is_cut` is true where the stream ended before the blank line that ends an event.
    """

    kind: str
    data: str
    is_cut: bool = False


def lines(pieces: Iterable[bytes], *, max_bytes: int = MAX_LINE_BYTES) -> Iterator[str]:
    """The lines in `pieces`, each as soon as it has ended by LF, CR or CRLF, and what stands after the last end.

    Without a byte order mark; bytes that are no UTF-8 become U+FFFD. Raises `TooLong`.
    """
    for place, line in enumerate(_byte_lines(pieces, max_bytes)):
        text = line.decode("utf-8", "replace")
        yield text if place else text.removeprefix("\ufeff")


def _byte_lines(pieces: Iterable[bytes], max_bytes: int) -> Iterator[bytes]:
    pending, is_after_cr = bytearray(), False
    for piece in filter(None, pieces):
        if is_after_cr and piece.startswith(b"\n"):  # the second half of a CRLF whose line was given already
            piece = piece[1:]
        is_after_cr = piece.endswith(b"\r")
        for place, part in enumerate(_LINE_END.split(piece)):
            if place:
                yield bytes(pending)
                pending.clear()
            pending += part
            if len(pending) > max_bytes:
                raise TooLong
    if pending:
        yield bytes(pending)


def events(pieces: Iterable[bytes], *, max_bytes: int = MAX_LINE_BYTES) -> Iterator[Event]:
    """The events in `pieces`, each as soon as its blank line is there; comments and events without data left out.

    What stands after the last blank line is given too, as cut. Raises `TooLong`.
    """
    kind, data, size = "", list[str](), 0
    for line in lines(pieces, max_bytes=max_bytes):
        if not line:
            if data:
                yield Event(kind, "\n".join(data))
            kind, data, size = "", [], 0
            continue
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            data.append(value)
            size += len(value)
        elif name == "event":
            kind = value
        if size > max_bytes:
            raise TooLong
    if data:
        yield Event(kind, "\n".join(data), is_cut=True)

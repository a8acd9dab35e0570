"""Reads lines and server-sent events from bytes that come in pieces, wherever the pieces are cut."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

MAX_LINE_BYTES = 16 * 1024 * 1024

_LINE_END = re.compile(rb"\r\n|\r|\n")


class TooLong(ValueError):
    """A line, or the data of one event, that is longer than the limit."""


@dataclass(frozen=True)
class Event:
    """One event: its `kind` ("" where the server named none) and its data.

    `is_cut` is true where the stream ended before the blank line that ends an event.
    """

    kind: str
    data: str
    is_cut: bool = False


def lines(pieces: Iterable[bytes], *, max_bytes: int = MAX_LINE_BYTES) -> Iterator[str]:
    """The lines in `pieces`, each as soon as its LF, CR or CRLF is there, and last the text that no line end follows.

    A byte order mark is dropped, and bytes that are not UTF-8 become U+FFFD. Raises `TooLong`.
    """
    for place, line in enumerate(_byte_lines(pieces, max_bytes)):
        text = line.decode("utf-8", "replace")
        yield text if place else text.removeprefix("\ufeff")


def _byte_lines(pieces: Iterable[bytes], max_bytes: int) -> Iterator[bytes]:
    pending, is_after_cr = bytearray(), False
    for piece in filter(None, pieces):
        if is_after_cr and piece.startswith(b"\n"):  # the second half of a CRLF, whose line was already given
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
    """The events in `pieces`, each as soon as its blank line is there, without comments and events that have no data.

    An event that no blank line ends comes last, with `is_cut`. Raises `TooLong`.
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

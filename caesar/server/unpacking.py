"""Bodies that were compressed (`Content-Encoding: gzip` or `deflate`): unpacked piece by piece, up to a limit."""

import zlib
from collections.abc import Iterable, Iterator
from typing import Final

from django.core.exceptions import RequestDataTooBig
from django.http import UnreadablePostError

PIECE: Final = 64 * 1024
MOST_MEMBERS: Final = 100
"""Parts of a gzip body, each with a head of its own: no client writes many, and each costs time."""

ACCEPTED: Final = "gzip, deflate"
UNPACKED: Final = "caesar.unpacked"
"""Marks a request, in its META, whose body is plain by now."""

_GZIP = frozenset({"gzip", "x-gzip"})


class UnknownEncoding(UnreadablePostError):
    """The body has a content encoding that is not read here."""


class BrokenEncoding(UnreadablePostError):
    """The body is not what its content encoding says, or it breaks off."""


def coding_of(content_encoding: str) -> str:
    """The one coding of a body, "" for a plain one. Raises `UnknownEncoding`, with the header's value."""
    parts = (part.strip() for part in content_encoding.lower().split(","))
    codings = [part for part in parts if part not in ("", "identity")]
    if not codings:
        return ""
    if len(codings) > 1 or codings[0] not in {*_GZIP, "deflate"}:
        raise UnknownEncoding(content_encoding[:100])
    return "gzip" if codings[0] in _GZIP else codings[0]


def unpacked(packed: Iterable[bytes], coding: str, *, most: int) -> Iterator[bytes]:
    """The plain bytes in small pieces, so that a little that unpacks to a lot costs no more than `most` bytes.

    Raises `RequestDataTooBig` beyond `most`, and `BrokenEncoding`.
    """
    size = 0
    for piece in _plain(packed, coding):
        size += len(piece)
        if size > most:
            raise RequestDataTooBig(f"The body unpacks to more than {most} bytes.")
        yield piece


def _plain(packed: Iterable[bytes], coding: str) -> Iterator[bytes]:
    unpacker: zlib._Decompress | None = None
    members = 0
    for rest in packed:
        is_full = False  # more may come of what was taken in already
        while rest or is_full:
            if unpacker is None:
                members += 1
                if members > (MOST_MEMBERS if coding == "gzip" else 1):
                    raise BrokenEncoding("It has too many parts.")
                unpacker = _unpacker(coding, rest)
            plain = _step(unpacker, rest)
            yield plain
            is_full = len(plain) == PIECE and not unpacker.eof
            if unpacker.eof:
                rest, unpacker = unpacker.unused_data, None
            else:
                rest = unpacker.unconsumed_tail
    if unpacker is not None or not members:
        raise BrokenEncoding("It breaks off before its end.")


def _step(unpacker: "zlib._Decompress", packed: bytes) -> bytes:
    try:
        return unpacker.decompress(packed, PIECE)
    except zlib.error as error:
        raise BrokenEncoding(str(error)) from error


def _unpacker(coding: str, beginning: bytes) -> "zlib._Decompress":
    """For gzip; for deflate in zlib's wrapping, as the RFC has it, or bare, as some clients send it."""
    if coding == "gzip":
        return zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    is_wrapped = beginning[0] & 0x0F == 8 and (len(beginning) < 2 or int.from_bytes(beginning[:2], "big") % 31 == 0)
    return zlib.decompressobj(wbits=zlib.MAX_WBITS if is_wrapped else -zlib.MAX_WBITS)

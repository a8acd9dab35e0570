"""Compressed bodies: read like plain ones, in whatever pieces they come; a little that unpacks to a lot is refused."""

import gzip
import zlib
from collections.abc import Iterable

import pytest
from django.core.exceptions import RequestDataTooBig

from caesar.server.unpacking import MOST_MEMBERS, PIECE, BrokenEncoding, UnknownEncoding, coding_of, unpacked

DATA = b'{"a": "' + b"x" * 300_000 + b'"}'
PACKED = {
    "gzip": gzip.compress(DATA),
    "two members": gzip.compress(DATA[:7]) + gzip.compress(DATA[7:]),
    "deflate": zlib.compress(DATA),
    "bare deflate": zlib.compress(DATA)[2:-4],
}
CODINGS = {"gzip": "gzip", "two members": "gzip", "deflate": "deflate", "bare deflate": "deflate"}


def pieces(data: bytes, size: int) -> Iterable[bytes]:
    return (data[start : start + size] for start in range(0, len(data), size))


@pytest.mark.parametrize("name", PACKED)
@pytest.mark.parametrize("size", [1, 7, PIECE])
def test_it_works(name: str, size: int) -> None:
    assert b"".join(unpacked(pieces(PACKED[name], size), CODINGS[name], most=len(DATA))) == DATA


@pytest.mark.parametrize("name", PACKED)
@pytest.mark.parametrize("change", ["cut", "empty", "garbled", "more"])
def test_what_is_broken_is_said_to_be(name: str, change: str) -> None:
    packed = PACKED[name]
    sent = {"cut": packed[:-5], "empty": b"", "garbled": b"not packed at all", "more": packed + b"x"}[change]
    with pytest.raises(BrokenEncoding):
        b"".join(unpacked([sent], CODINGS[name], most=10 * len(DATA)))


@pytest.mark.parametrize("name", PACKED)
def test_the_limit_counts_unpacked_bytes(name: str) -> None:
    with pytest.raises(RequestDataTooBig):
        b"".join(unpacked([PACKED[name]], CODINGS[name], most=len(DATA) - 1))


def test_a_bomb_is_given_up_at_the_limit() -> None:
    bomb, read = gzip.compress(b"\0" * 50_000_000), 0
    with pytest.raises(RequestDataTooBig):
        for piece in unpacked([bomb], "gzip", most=1_000_000):
            assert len(piece) <= PIECE
            read += len(piece)
    assert read <= 1_000_000


def test_many_empty_parts_are_refused() -> None:
    with pytest.raises(BrokenEncoding):
        list(unpacked([gzip.compress(b"") * (MOST_MEMBERS + 1)], "gzip", most=1_000))


@pytest.mark.parametrize(
    ("header", "coding"),
    [
        ("", ""),
        ("identity", ""),
        ("GZIP", "gzip"),
        ("x-gzip", "gzip"),
        (" deflate ", "deflate"),
        ("identity, gzip", "gzip"),
    ],
)
def test_codings_that_are_read(header: str, coding: str) -> None:
    assert coding_of(header) == coding


@pytest.mark.parametrize("header", ["br", "zstd", "compress", "gzip, gzip", "gzip;q=1", "aws-chunked"])
def test_other_codings_are_refused(header: str) -> None:
    with pytest.raises(UnknownEncoding):
        coding_of(header)

from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.llm.http.event_stream import Event, TooLong, events, lines

LINE_ENDS = ("\n", "\r", "\r\n")


def cut(body: bytes, places: Iterable[int]) -> list[bytes]:
    """`body` in pieces, cut at some places."""
    ends = sorted({place % (len(body) + 1) for place in places})
    return [body[start:end] for start, end in zip([0, *ends], [*ends, len(body)], strict=True)]


def read(body: bytes) -> list[Event]:
    return list(events([body]))


def test_it_works() -> None:
    assert read(b'data: {"a": 1}\n\nevent: error\ndata: no\n\n') == [Event("", '{"a": 1}'), Event("error", "no")]


# --- shapes that servers give -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "data"),
    [
        (b"data:x\n\n", ["x"]),
        (b"data: x\r\n\r\n", ["x"]),
        (b"data: x\r\r", ["x"]),
        (b"data:  x\n\n", [" x"]),
        (b"data\n\n", [""]),
        (b": OPENROUTER PROCESSING\n\ndata: x\n\n", ["x"]),
        (b":\n:\n\n\n\ndata: x\n\n", ["x"]),
        (b'data: {"a":\ndata: 1}\n\n', ['{"a":\n1}']),
        (b"id: 7\nretry: 10\ndata: x\nfoo: bar\nbare\n\n", ["x"]),
        (b"\xef\xbb\xbfdata: x\n\n", ["x"]),
        (b"event: ping\n\ndata: x\n\n", ["x"]),
        (b"data: a\xffb\n\n", ["a\ufffdb"]),
        (b"data: caf\xc3\xa9 \xf0\x9f\x90\x95\n\n", ["caf\xe9 \U0001f415"]),
        (b"data: a\x85b\xe2\x80\xa8c\n\n", ["a\ufffdb\u2028c"]),
        (b"", []),
        (b"\n\n\n", []),
        (b"hello", []),
    ],
)
def test_an_event_is_read_whatever_its_dress(body: bytes, data: Sequence[str]) -> None:
    assert [event.data for event in read(body)] == data


def test_a_name_counts_for_its_own_event_only() -> None:
    assert read(b"event: error\n\ndata: x\n\n") == [Event("", "x")]
    assert read(b"event:a\ndata: x\n\ndata: y\n\n") == [Event("a", "x"), Event("", "y")]


def test_what_stands_behind_the_last_blank_line_is_given_as_cut() -> None:
    assert read(b'data: x\n\ndata: {"a') == [Event("", "x"), Event("", '{"a', is_cut=True)]
    assert read(b"data: x\n") == [Event("", "x", is_cut=True)]


def test_an_event_is_given_as_soon_as_its_blank_line_is_there() -> None:
    def pieces() -> Iterable[bytes]:
        yield b"data: x\r\n\r"
        raise AssertionError("asked for more than it takes")

    assert next(events(pieces())) == Event("", "x")


def test_a_crlf_cut_in_two_is_one_end_and_no_more() -> None:
    assert list(lines([b"a\r", b"\n", b"\n", b"\r", b"", b"\n", b"b"])) == ["a", "", "", "b"]
    assert list(events([b"data: x\r", b"\n", b"\n", b"data: y\n\n"])) == [Event("", "x"), Event("", "y")]


def test_lines_are_given_as_soon_as_they_end() -> None:
    def pieces() -> Iterable[bytes]:
        yield b'{"a": 1}\n{"b"'
        raise AssertionError("asked for more than it takes")

    assert next(lines(pieces())) == '{"a": 1}'


# --- bounds -----------------------------------------------------------------------------------------------------


def test_an_endless_line_is_refused() -> None:
    def endless() -> Iterable[bytes]:
        while True:
            yield b"data: x"

    with pytest.raises(TooLong):
        list(lines(endless(), max_bytes=1_000))


def test_an_event_of_endless_lines_is_refused() -> None:
    def endless() -> Iterable[bytes]:
        while True:
            yield b"data: x\n"

    with pytest.raises(TooLong):
        list(events(endless(), max_bytes=1_000))


def test_a_line_at_the_bound_is_taken() -> None:
    assert list(lines([b"x" * 10, b"\n"], max_bytes=10)) == ["x" * 10]


def test_a_long_line_in_small_pieces_is_read_in_one_go() -> None:
    assert list(lines([b"x" * 1_000] * 4_000)) == ["x" * 4_000_000]


# --- properties -------------------------------------------------------------------------------------------------

PARTS = st.sampled_from(
    [b"data: ", b"data:", b"event: ", b": ", b"\n", b"\r", b"\r\n", b"\n\n", b"x", b"\xc3\xa9", b"\xff"]
)
BODIES = st.lists(PARTS, max_size=30).map(b"".join) | st.binary(max_size=60)
PLACES = st.lists(st.integers(0, 1_000), max_size=12)


@given(BODIES, PLACES)
def test_the_same_bytes_give_the_same_events_however_they_are_cut(body: bytes, places: list[int]) -> None:
    assert list(events(cut(body, places))) == read(body)
    assert list(lines(cut(body, places))) == list(lines([body]))


@given(BODIES)
def test_lines_are_those_of_the_whole(body: bytes) -> None:
    text = body.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    whole = text.split(b"\n")
    expected = whole[:-1] + ([whole[-1]] if whole[-1] else [])
    got = list(lines([body]))
    assert [line.removeprefix("\ufeff") for line in got] == [
        line.decode("utf-8", "replace").removeprefix("\ufeff") for line in expected
    ]


DATA = st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=20)


@given(st.lists(DATA.filter(bool), min_size=1, max_size=5), st.sampled_from(LINE_ENDS), PLACES)
def test_what_was_written_is_read(texts: list[str], end: str, places: list[int]) -> None:
    body = "".join(f"data: {text}{end}{end}" for text in texts).encode()
    assert [event.data for event in events(cut(body, places))] == texts

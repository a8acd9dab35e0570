"""Relaying a stream of OpenAI's that is malformed, cut off, or no stream at all."""

import gzip
import json
from collections.abc import Iterator, Sequence

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caesar.conf import OpenAISettings
from memory import llm
from memory.llm import (
    AccessDenied,
    Completion,
    ConnectionLost,
    LLMError,
    NotFound,
    RateLimited,
    ServerFault,
)
from tests.memory.llm.openai.relaying import ASK, HELLO, KEY, STOP, problem_with, read
from tests.memory.llm.scripted import scripted_llm
from tests.memory.llm.servers.stream_pieces import DONE, chunk, sse

PLAIN = sse(HELLO, STOP) + DONE


@pytest.mark.parametrize(
    "body",
    [
        PLAIN.replace(b"\n", b"\r\n"),
        PLAIN.replace(b"\n", b"\r"),
        PLAIN.replace(b"data: ", b"data:"),
        b"\xef\xbb\xbf" + PLAIN,
        b": OPENROUTER PROCESSING\n\n" + PLAIN,
        b"\n\n" + PLAIN,
        b'event: ping\ndata: {"type": "ping"}\n\n' + PLAIN,
        b"data:\n\ndata: null\n\ndata: 7\n\ndata: []\n\ndata: {}\n\n" + PLAIN,
        b"id: 1\nretry: 5\n" + PLAIN,
        json.dumps(HELLO, indent=1).join(["data: ", ""]).replace("\n", "\ndata: ").encode() + b"\n\n" + sse(STOP),
        sse(HELLO, STOP),
        sse(HELLO, STOP).rstrip(),
        sse(HELLO, STOP) + b"data: [DO",
        sse(HELLO, STOP) + b"data:  [DONE] \n\n" + sse(HELLO),
    ],
)
def test_a_malformed_stream_is_read_as_it_was_meant(body: bytes) -> None:
    if body.endswith(b"[DO"):
        with pytest.raises(ConnectionLost):
            read(body)
        return
    chunks, stream = read(body)
    assert chunks == [HELLO, STOP]
    assert (stream.completion.text, stream.completion.finish_reason) == ("Hello", "stop")


DOG = sse(json.dumps(chunk(content="caf\xe9 \U0001f415"), ensure_ascii=False), STOP) + DONE


@given(st.lists(st.integers(0, len(DOG)), max_size=20))
def test_a_stream_may_be_split_anywhere(places: list[int]) -> None:
    ends = sorted(set(places))
    pieces = [DOG[start:end] for start, end in zip([0, *ends], [*ends, len(DOG)], strict=True)]
    chunks, stream = read(iter(pieces))
    assert len(chunks) == 2
    assert stream.completion.text == "caf\xe9 \U0001f415"


@given(st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
def test_no_bytes_raise_anything_of_another_kind(body: bytes) -> None:
    for content in (body, sse(HELLO) + body, b"data: " + body + b"\n\n"):
        problem = problem_with(content)
        assert not problem or problem.startswith("openai at llm.test")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["choices", "delta", "message", "content", "index", "finish_reason", "usage", "error", "model"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(st.lists(JSON, max_size=4))
def test_no_objects_raise_anything_of_another_kind(objects: Sequence[object]) -> None:
    for content in (sse(*objects), sse(HELLO, *objects), json.dumps(objects[0] if objects else {}).encode()):
        problem = problem_with(content)
        assert not problem or problem.startswith("openai at llm.test")


@pytest.mark.parametrize(
    ("body", "kind", "words"),
    [
        (b"", ServerFault, "no JSON object: nothing"),
        (b"\n\n", ServerFault, "no JSON object: nothing"),
        (b"<!doctype html><title>Sign in</title>", ServerFault, r"an HTML page \(Sign in\)"),
        (b"Internal error", ServerFault, "a stream with nothing in it"),
        (DONE, ServerFault, "a stream with nothing in it"),
        (b": hm\n\n", ServerFault, "a stream with nothing in it"),
        (b'{"error": {"message": "slow down", "code": 429}}', RateLimited, "slow down"),
        (b'[{"error": {"message": "bad key", "code": 401}}]', AccessDenied, "bad key"),
        (sse({"error": {"message": "slow down", "code": 429}}), RateLimited, "slow down"),
        (sse({"error": {"message": "no such model", "code": "model_not_found"}}), NotFound, "no such model"),
        (sse("broken", kind="error"), ServerFault, "broken"),
        (sse({"message": "broken"}, kind="error"), ServerFault, "broken"),
        (sse({"choices": [{"index": 0, "error": {"code": 502, "message": "upstream"}}]}), ServerFault, "upstream"),
        (sse("not json"), ServerFault, "not json"),
        (b'{"choices": [', ServerFault, "no JSON object"),
    ],
)
def test_what_is_wrong_at_once_is_refused_before_anything_is_handed_on(
    body: bytes, kind: type[LLMError], words: str
) -> None:
    with scripted_llm(*[httpx.Response(200, content=body)] * 2), pytest.raises(kind, match=words):
        llm.relay_stream(ASK)


@pytest.mark.parametrize(
    ("body", "kind", "words"),
    [
        (b"", ConnectionLost, "before the answer was whole"),
        (b'data: {"choices": [{"del', ConnectionLost, "before the answer was whole"),
        (sse({"error": {"message": "upstream died", "code": 502}}), ServerFault, "upstream died"),
        (sse({"error": "overloaded"}) + DONE, ServerFault, "overloaded"),
        (sse("overloaded", kind="error"), ServerFault, "overloaded"),
        (sse("garbage"), ServerFault, "garbage"),
        (b"<html><title>502</title>\n\n", ConnectionLost, "before the answer was whole"),
    ],
)
def test_an_end_in_mid_stream_is_an_error_and_what_came_is_known(body: bytes, kind: type[LLMError], words: str) -> None:
    with scripted_llm(httpx.Response(200, content=sse(HELLO) + body)):
        stream = llm.relay_stream(ASK)
        chunks = iter(stream)
        assert next(chunks) == HELLO
        with pytest.raises(kind, match=words):
            next(chunks)
    assert stream.completion == Completion("Hello", "gpt-small", "openai", "", None, None)
    stream.close()


def test_a_key_in_mid_stream_is_masked() -> None:
    answer = httpx.Response(200, content=sse(HELLO, {"error": {"message": f"bad key {KEY}"}}))
    keyed = OpenAISettings(base_url="http://llm.test/v1", api_key=KEY)
    with scripted_llm(answer, openai=keyed), pytest.raises(LLMError) as raised:
        list(llm.relay_stream(ASK))
    assert "bad key" in str(raised.value)
    assert KEY not in str(raised.value)


def test_an_endless_line_is_refused() -> None:
    def endless() -> Iterator[bytes]:
        while True:
            yield b"data: x" * 100_000

    with pytest.raises(ServerFault, match="more than 16 MiB in one line"):
        read(endless())


def test_an_endless_page_is_refused() -> None:
    def endless() -> Iterator[bytes]:
        while True:
            yield b"<p>" * 100_000

    with pytest.raises(ServerFault, match="more than 16 MiB"):
        read(endless())


def test_a_long_run_of_blanks_before_the_stream_is_passed_over() -> None:
    chunks, _ = read(b"\n" * 200_000 + PLAIN)
    assert chunks == [HELLO, STOP]


def test_a_compressed_stream_is_read() -> None:
    body = gzip.compress(PLAIN)
    chunks, _ = read(
        iter([body[place : place + 7] for place in range(0, len(body), 7)]), **{"content-encoding": "gzip"}
    )
    assert chunks == [HELLO, STOP]


def test_a_stream_that_does_not_decompress_is_refused() -> None:
    with pytest.raises(ServerFault, match="does not decompress"):
        read(b"PK no gzip", **{"content-encoding": "gzip"})

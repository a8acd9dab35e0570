"""Relaying a stream of OpenAI's over a real connection: timeouts, and hanging up."""

import threading

import pytest

from memory import llm
from memory.llm import (
    ConnectionLost,
    LLMError,
    NotFound,
    RequestRefused,
    ServerFault,
    TooSlow,
)
from tests.memory.llm.openai.relaying import ASK, HELLO, STOP, openai_at, upstream, wait_for
from tests.memory.llm.servers.model_server import Refusal, model_server
from tests.memory.llm.servers.stream_pieces import DONE, sse

# --- the wire ---------------------------------------------------------------------------------------------------


def test_a_server_that_breaks_off_is_lost() -> None:
    with upstream() as server:
        server.send(sse(HELLO))
        chunks = iter(llm.relay_stream(ASK))
        assert next(chunks) == HELLO
        server.send(b"")
        with pytest.raises(ConnectionLost):
            next(chunks)


def test_a_silent_server_has_its_first_byte_to_give_in_time() -> None:
    with upstream(first_byte_seconds=0.2) as server, pytest.raises(TooSlow, match=r"nothing for 0\.2 .*FIRST_BYTE"):
        llm.relay_stream(ASK)
    assert server.is_left()


@pytest.mark.parametrize(
    ("bounds", "words"),
    [
        ({"first_byte_seconds": 0.2}, r"nothing for 0\.2 seconds"),
        ({"stream_seconds": 0.3}, r"not done within 0\.3 seconds.*STREAM_SECONDS"),
    ],
    ids=["silence", "whole"],
)
def test_a_server_that_falls_silent_in_mid_stream_is_too_slow(bounds: dict[str, float], words: str) -> None:
    with upstream(**bounds) as server:
        server.send(sse(HELLO))
        chunks = iter(llm.relay_stream(ASK))
        next(chunks)
        with pytest.raises(TooSlow, match=words):
            next(chunks)
        assert server.is_left()


def test_comments_alone_do_not_keep_a_stream_open_for_ever() -> None:
    with upstream(stream_seconds=0.3) as server:
        stop = threading.Event()

        def drip() -> None:
            while not stop.wait(0.02):
                server.send(b": still here\n\n")

        dripping = wait_for(drip)
        try:
            with pytest.raises(TooSlow, match="STREAM_SECONDS"):
                llm.relay_stream(ASK)
        finally:
            stop.set()
            dripping.join()


def test_a_page_and_a_refusal_are_no_streams() -> None:
    with model_server("<html><title>Sign in</title>", "<html><title>Sign in</title>") as server, openai_at(server.url):
        with pytest.raises(ServerFault, match="Sign in"):
            llm.relay_stream(ASK)
        with pytest.raises(ServerFault, match="Sign in"):
            llm.relay(ASK)
    refusal = Refusal(302, "", {"Location": "/v1/v1"})
    with model_server(refusal, refusal) as server, openai_at(server.url):
        for ask in (llm.relay, llm.relay_stream):
            with pytest.raises(NotFound, match="a redirect to /v1/v1"):
                ask(ASK)


# --- hanging up -------------------------------------------------------------------------------------------------


def test_closing_a_stream_ends_the_servers_connection() -> None:
    with upstream() as server:
        server.send(sse(HELLO))
        stream = llm.relay_stream(ASK)
        assert next(iter(stream)) == HELLO
        stream.close()
        assert server.is_left()
        stream.close()
        with pytest.raises(ConnectionLost):
            next(iter(stream))
    assert stream.completion.text == "Hello"


def test_closing_from_another_thread_wakes_a_reader_of_a_silent_server() -> None:
    with upstream() as server:
        server.send(sse(HELLO))
        stream = llm.relay_stream(ASK)
        chunks, problems = iter(stream), list[LLMError]()
        next(chunks)

        def read_on() -> None:
            try:
                next(chunks)
            except LLMError as error:
                problems.append(error)

        reader = wait_for(read_on)
        stream.close()
        reader.join(10)
        assert not reader.is_alive()
        assert server.is_left()
    assert [type(problem) for problem in problems] == [ConnectionLost]


def test_a_reader_that_stops_in_mid_stream_ends_the_servers_connection() -> None:
    with upstream() as server:
        server.send(sse(HELLO))
        chunks = iter(llm.relay_stream(ASK))
        next(chunks)
        chunks.close()  # type: ignore[attr-defined]
        assert server.is_left()


def test_closing_an_exhausted_stream_leaves_its_connection_to_the_next() -> None:
    with upstream() as server:
        server.send(sse(HELLO, STOP), DONE)
        server.end()
        first = llm.relay_stream(ASK)
        list(first)
        server.send(sse(HELLO))
        second = llm.relay_stream(ASK)
        first.close()
        server.send(sse(STOP), DONE)
        server.end()
        assert list(second) == [HELLO, STOP]
        assert len(server.connections) == 1


def test_a_refused_opening_leaves_no_connection_behind() -> None:
    with upstream(status=400) as server:
        server.send(b'{"error": {"message": "No."}}')
        server.end()
        with pytest.raises(RequestRefused, match="No."):
            llm.relay_stream(ASK)
    with upstream() as server:
        server.send(sse({"error": {"message": "No.", "code": 400}}))
        with pytest.raises(RequestRefused):
            llm.relay_stream(ASK)
        assert server.is_left()

"""The deadline of a call holds whatever the server does: through the real client, on real connections."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler

import httpx
import pytest

from memory.llm.errors import LLMError, TooSlow
from memory.llm.http import client
from memory.llm.http.deadline import Deadline, enforce_deadlines
from tests.memory.llm.routes import route_to
from tests.memory.llm.servers.local_server import local_server

WHOLE_SECONDS = 0.3
DRIPS, READS = 2_500, 90
"""How often a slow server goes on before it hangs up, which is another error than that of the deadline."""


@contextmanager
def dripping(line: bytes) -> Iterator[str]:
    """A server that begins its answer, and then sends `line` again and again."""
    done = threading.Event()

    def drip(request: BaseHTTPRequestHandler) -> None:
        request.close_connection = True
        request.wfile.write(b"" if line.startswith(b"HTTP/") else b"HTTP/1.1 200 OK\r\n")
        for _ in range(DRIPS):
            if done.wait(0.02):
                break
            request.wfile.write(line)

    with local_server(drip) as url:
        try:
            yield url
        finally:
            done.set()


def ask(url: str, *, body: client.JsonObject | None = None) -> client.JsonObject:
    return client.post(route_to(url, timeout_seconds=WHOLE_SECONDS), "", headers={}, body=body or {})


@pytest.mark.parametrize(
    "line", [b"X-Filler: more\r\n", b"HTTP/1.1 102 Processing\r\n\r\n", b"HTTP/1.1 103 Hints\r\n\r\n"]
)
def test_headers_that_never_end_end_at_the_deadline(line: bytes) -> None:
    with dripping(line) as url, pytest.raises(TooSlow, match=r"within 0\.3 seconds"):
        ask(url)


@pytest.mark.parametrize("reads", [0, 400_000])
def test_a_request_that_is_read_too_slowly_ends_at_the_deadline(reads: int) -> None:
    with slow_reader(reads) as url, pytest.raises(TooSlow):
        ask(url, body={"text": "x" * 40_000_000})


@contextmanager
def slow_reader(reads: int) -> Iterator[str]:
    """A server that takes a connection and reads little of what is sent there, or nothing."""
    done = threading.Event()
    listening = socket.create_server(("127.0.0.1", 0))

    def read_slowly() -> None:
        with listening.accept()[0] as connection, suppress(OSError):
            for _ in range(READS):
                if done.wait(0.05):
                    break
                connection.recv(reads)

    thread = threading.Thread(target=read_slowly, daemon=True)
    thread.start()
    address = listening.getsockname()
    try:
        yield f"http://127.0.0.1:{address[1]}"
    finally:
        done.set()
        socket.create_connection(address).close()  # where nobody came, this ends the wait
        thread.join()
        listening.close()


def test_every_transport_of_a_client_keeps_to_deadlines() -> None:
    """With proxies from the environment there are several."""
    with httpx.Client(mounts={"http://": httpx.HTTPTransport(proxy="http://127.0.0.1:9")}) as client:
        enforce_deadlines(client)
        transports = [client._transport, *client._mounts.values()]
        networks = {
            type(one._pool._network_backend).__name__ for one in transports if isinstance(one, httpx.HTTPTransport)
        }
    assert len(transports) >= 2
    assert networks == {"_DeadlineBackend"}


def test_a_call_without_a_deadline_is_left_alone() -> None:
    with local_server(answer_with(b"{}")) as url, httpx.Client(trust_env=False) as client:
        enforce_deadlines(client)
        assert client.get(url).json() == {}


def answer_with(body: bytes) -> Callable[[BaseHTTPRequestHandler], None]:
    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    return answer


def test_cancelling_ends_only_its_own_call() -> None:
    """Its connection may serve another call by then."""
    with local_server(answer_with(b"{}")) as url, httpx.Client(trust_env=False) as client:
        enforce_deadlines(client)
        first, second = Deadline(5), Deadline(5)
        with first.applied():
            client.get(url)
        with second.applied(), client.stream("GET", url) as response:
            first.cancel()
            assert response.read() == b"{}"
            assert second.is_cancelled is False


def test_a_cancelled_call_asks_no_more() -> None:
    with local_server(answer_with(b"{}")) as url, httpx.Client(trust_env=False) as client:
        enforce_deadlines(client)
        deadline = Deadline(5)
        deadline.cancel()
        with deadline.applied(), pytest.raises(httpx.RequestError):
            client.get(url)


def test_many_threads_have_a_deadline_each() -> None:
    problems: list[type[LLMError]] = []

    def try_it(url: str) -> None:
        try:
            ask(url)
        except LLMError as error:
            problems.append(type(error))

    with dripping(b"X-Filler: more\r\n") as url:
        threads = [threading.Thread(target=try_it, args=[url]) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    assert problems == [TooSlow] * 4

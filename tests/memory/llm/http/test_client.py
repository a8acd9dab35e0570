"""JSON over HTTP: what goes out, what comes back, and the one client of the process."""

import os
import threading
import warnings
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler

import httpx
import pytest

from memory.llm.errors import (
    AccessDenied,
    ConnectionLost,
    LLMError,
    NotConfigured,
    NotFound,
    TooSlow,
    Unreachable,
)
from memory.llm.http import client
from tests.memory.llm.http.posting import KEY, post, post_to
from tests.memory.llm.routes import route_to
from tests.memory.llm.servers.local_server import local_server


def test_it_works() -> None:
    assert post(httpx.Response(200, json={"a": [1, None]})) == {"a": [1, None]}


def test_what_is_got_may_be_a_list() -> None:
    with client.transport(httpx.MockTransport(lambda request: httpx.Response(200, json=[request.method]))):
        assert client.get(route_to("http://llm.test/v1"), "/x", headers={}) == ["GET"]


def test_what_is_got_is_refused_as_what_is_posted() -> None:
    refusal = httpx.Response(401, json={"error": {"message": f"no such key: {KEY}"}})
    with client.transport(httpx.MockTransport(lambda request: refusal)), pytest.raises(AccessDenied) as raised:
        client.get(route_to("http://llm.test/v1", provider="anthropic"), "/x", headers={"x-api-key": KEY})
    assert KEY not in str(raised.value)


# --- the way out ------------------------------------------------------------------------------------------------


def test_half_a_surrogate_pair_is_replaced_on_the_way_out() -> None:
    assert client.encoded({"a": "weather \ud83c today"}) == '{"a": "weather \ufffd today"}'.encode()
    assert client.encoded({"a": "\ud83d\ude00"}) == '{"a": "\U0001f600"}'.encode()


# --- foreign errors ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (httpx.ConnectError("[Errno 111] Connection refused"), Unreachable),
        (httpx.ConnectTimeout("slow"), Unreachable),
        (httpx.PoolTimeout("full"), Unreachable),
        (httpx.ProxyError("no"), Unreachable),
        (httpx.ReadTimeout("slow"), TooSlow),
        (httpx.WriteTimeout("slow"), TooSlow),
        (httpx.ReadError("reset"), ConnectionLost),
        (httpx.RemoteProtocolError("Server disconnected"), ConnectionLost),
        (httpx.LocalProtocolError("Illegal header value"), NotConfigured),
    ],
)
def test_each_failure_of_the_wire_is_one_kind_of_error(error: Exception, kind: type[LLMError]) -> None:
    with pytest.raises(LLMError) as raised:
        post(error)
    assert type(raised.value) is kind
    assert "openai at llm.test" in str(raised.value)


@pytest.mark.parametrize("url", ["llm.test/v1", "ftp://llm.test", "http://[broken", "http://a b/"])
def test_an_address_that_is_none_is_a_configuration_error(url: str) -> None:
    with pytest.raises(LLMError) as raised:
        post_to(url, timeout_seconds=0.2)
    assert isinstance(raised.value, NotConfigured | Unreachable)


# --- a real server ----------------------------------------------------------------------------------------------


def _answer(body: bytes, *, status: int = 200) -> Callable[[BaseHTTPRequestHandler], None]:
    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(status)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    return answer


def test_a_real_server_is_asked_and_read() -> None:
    with local_server(_answer(b'\xef\xbb\xbf\n\n{"a": "\xc3\xa9"}')) as url:
        assert post_to(url) == {"a": "\xe9"}
        assert post_to(url) == {"a": "\xe9"}


def test_a_server_that_is_not_there_is_unreachable() -> None:
    with local_server(_answer(b"{}")) as url:
        pass
    with pytest.raises(Unreachable, match=r"cannot be reached: .*refused"):
        post_to(url)


def test_a_server_that_says_nothing_is_too_slow() -> None:
    done = threading.Event()
    with local_server(lambda request: None if done.wait(5) else None) as url:
        with pytest.raises(TooSlow, match=r"within 0\.1 seconds"):
            post_to(url, timeout_seconds=0.1)
        done.set()


DRIPS = 1_500
"""Half a minute of an answer: its end is no `TooSlow`, and where that comes first the deadline was not kept."""


@pytest.mark.parametrize("drips", [True, False])
@pytest.mark.parametrize("header", ["Content-Length: 1000000", "X-Length: unknown"])
def test_an_answer_that_never_gets_whole_ends_at_the_deadline(drips: bool, header: str) -> None:
    gone = threading.Event()

    def drip(request: BaseHTTPRequestHandler) -> None:
        request.close_connection = True
        request.wfile.write(f"HTTP/1.1 200 OK\r\n{header}\r\nConnection: close\r\n\r\n".encode())
        for _ in range(DRIPS):
            if gone.wait(0.02):
                break
            request.wfile.write(b" " if drips else b"")

    with local_server(drip) as url:
        with pytest.raises(TooSlow):
            post_to(url, timeout_seconds=0.3)
        gone.set()


def test_a_connection_closed_in_the_middle_is_lost() -> None:
    def hang_up(request: BaseHTTPRequestHandler) -> None:
        request.close_connection = True
        request.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")

    with local_server(hang_up) as url, pytest.raises(ConnectionLost):
        post_to(url)


def test_a_connection_closed_without_a_word_is_lost() -> None:
    def hang_up(request: BaseHTTPRequestHandler) -> None:
        request.close_connection = True

    with local_server(hang_up) as url, pytest.raises(ConnectionLost):
        post_to(url)


def test_a_redirect_is_not_followed_with_the_key() -> None:
    asked: list[str] = []

    def redirect(request: BaseHTTPRequestHandler) -> None:
        asked.append(request.path)
        request.send_response(302)
        request.send_header("Location", "/elsewhere")
        request.send_header("Content-Length", "0")
        request.end_headers()

    with local_server(redirect) as url, pytest.raises(NotFound, match="a redirect to /elsewhere"):
        post_to(f"{url}/here")
    assert asked == ["/here"]


# --- the client -------------------------------------------------------------------------------------------------


def test_threads_share_one_client() -> None:
    found: list[httpx.Client] = []
    threads = [threading.Thread(target=lambda: found.append(client.shared_client())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(client) for client in found}) == 1


def test_a_forked_process_makes_its_own_client() -> None:
    parents = client.shared_client()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        os._exit(0 if client.shared_client() is not parents else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert client.shared_client() is parents


def test_the_test_transport_is_gone_after_its_block() -> None:
    with client.transport(httpx.MockTransport(lambda request: httpx.Response(200))):
        inside = client.shared_client()
    assert client.shared_client() is not inside

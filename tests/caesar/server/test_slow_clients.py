"""Clients that send slowly or not at all, against a web process of eight threads: others are answered meanwhile."""

import json
import select
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack

import httpx
import pytest

from caesar.environment import ROOT
from tests import parent_death
from tests.memory.commands.own_server import OwnServer
from tests.servers import eventually

pytestmark = pytest.mark.real_processes

SILENT = 40
MOST_CONNECTIONS = 60
PATIENCE_SECONDS = 30.0
SLOW = {"SERVER__THREADS": "8", "SERVER__RECEIVE_SILENCE_SECONDS": "1.5", "SERVER__RECEIVE_SECONDS": "3"}
BODY = json.dumps({"messages": [{"role": "user", "content": "My dog is called Beans."}], "reply": "Yes."}).encode()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnServer]:
    folder = tmp_path_factory.mktemp("slow")
    server = OwnServer(
        folder, **SLOW, SERVER__CONNECTIONS_PER_ADDRESS=str(MOST_CONNECTIONS), API__MAX_BODY_BYTES=str(2**21)
    )
    server.migrate()
    command = [sys.executable, "-m", "gunicorn", "--config", "python:caesar.web", "--workers", "1", "caesar.wsgi"]
    with server.log.open("ab") as log:
        process = subprocess.Popen(
            parent_death.command(*command), cwd=ROOT, env=server.environ, stdout=log, stderr=subprocess.STDOUT
        )
    try:
        eventually(lambda: server.answers("/healthz"))
        yield server
        assert "Traceback" not in server.printed()
    finally:
        process.terminate()
        process.wait(60)


@pytest.fixture(scope="module")
def key(server: OwnServer) -> str:
    return server.run("create_api_key", "slow").stdout.split()[-1]


def connect(server: OwnServer) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE_SECONDS)


def head(path: str, *lines: str) -> bytes:
    return "\r\n".join([f"POST {path} HTTP/1.1", "Host: localhost", *lines, "", ""]).encode()


def bearer(key: str) -> str:
    return f"Authorization: Bearer {key}"


CHUNKED = "Transfer-Encoding: chunked"
JSON = "Content-Type: application/json"
FORM = "Content-Type: application/x-www-form-urlencoded"
COOKIE = f"Cookie: csrftoken={'t' * 32}"
HALF_A_CHUNK = b'400\r\n{"messages": ['


def answer(connection: socket.socket) -> bytes:
    """All that comes until the server ends the connection."""
    pieces = []
    try:
        while piece := connection.recv(65_536):
            pieces.append(piece)
    except ConnectionResetError:
        pass
    return b"".join(pieces)


def status(said: bytes) -> int | None:
    return int(said.split(b" ", 2)[1]) if said else None


def endings(server: OwnServer, half: bytes) -> Counter[int | None]:
    """How as many connections end that send this much and then nothing, while others are answered."""
    with ExitStack() as stack:
        connections = [stack.enter_context(connect(server)) for _ in range(SILENT)]
        for connection in connections:
            connection.sendall(half)
        response = httpx.get(f"http://127.0.0.1:{server.port}/healthz", timeout=PATIENCE_SECONDS)
        assert response.status_code == 200
        return Counter(status(answer(connection)) for connection in connections)


def test_a_body_without_a_key_is_refused_unread(server: OwnServer) -> None:
    with connect(server) as connection:
        connection.sendall(head("/v1/chat", JSON, CHUNKED) + HALF_A_CHUNK)
        said = answer(connection)
    assert status(said) == 401
    assert b"\r\nConnection: close\r\n" in said
    assert endings(server, head("/v1/chat", JSON, CHUNKED) + HALF_A_CHUNK) == {401: SILENT}


def test_half_bodies_with_a_key_hold_half_of_the_threads(server: OwnServer, key: str) -> None:
    ended = endings(server, head("/v1/chat", JSON, CHUNKED, bearer(key)) + HALF_A_CHUNK)
    assert set(ended) <= {408, 503}
    assert ended[408] >= 4
    assert ended.total() == SILENT


def test_half_forms_hold_no_thread(server: OwnServer) -> None:
    assert endings(server, head("/login", FORM, COOKIE, "Content-Length: 400") + b"username=") == {None: SILENT}


def test_half_forms_in_chunks_hold_a_quarter_of_the_threads(server: OwnServer) -> None:
    assert endings(server, head("/login", FORM, COOKIE, CHUNKED) + b"400\r\nusername=") == {403: SILENT}


@pytest.mark.parametrize("half", [b"", b"POST /v1/chat HTTP/1.1\r\nHost: local"])
def test_half_heads_and_silence_hold_no_thread(server: OwnServer, half: bytes) -> None:
    assert endings(server, half) == {None: SILENT}


def test_a_body_that_trickles_is_ended(server: OwnServer, key: str) -> None:
    with connect(server) as connection:
        connection.sendall(head("/v1/chat", JSON, bearer(key), "Content-Length: 4000"))
        while not select.select([connection], [], [], 0.2)[0]:
            connection.sendall(b"x")
        assert status(answer(connection)) == 408


def test_a_head_that_trickles_is_ended(server: OwnServer) -> None:
    with connect(server) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nX: ")
        while not select.select([connection], [], [], 0.2)[0]:
            connection.sendall(b"x")
        assert status(answer(connection)) is None


# --- and those that are not slow --------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [len(BODY), 2**20])
def test_a_body_arrives_with_its_length_and_in_chunks(server: OwnServer, key: str, size: int) -> None:
    body = BODY.ljust(size)
    url, headers = f"http://127.0.0.1:{server.port}/v1/memory/chats", {"Authorization": f"Bearer {key}"}
    with httpx.Client(headers=headers | {"Content-Type": "application/json"}, timeout=PATIENCE_SECONDS) as client:
        assert client.post(url, content=body).status_code == 201
        assert client.post(url, content=iter([body[:1_000], body[1_000:]])).status_code == 201


def test_several_requests_follow_on_one_connection_however_they_are_cut(server: OwnServer, key: str) -> None:
    first = head("/v1/memory/chats", JSON, bearer(key), f"Content-Length: {len(BODY)}") + BODY
    both = first + head("/v1/memory/chats", JSON, bearer(key), CHUNKED, "Connection: close")
    both += b"%x\r\n%s\r\n0\r\n\r\n" % (len(BODY), BODY)
    for cut in (len(first) - 5, len(first), len(first) + 10, len(both)):
        with connect(server) as connection:
            connection.sendall(both[:cut])
            connection.sendall(both[cut:])
            assert answer(connection).count(b"HTTP/1.1 201 ") == 2


def test_a_client_that_asks_before_it_sends_is_told_to_go_on_only_with_a_key(server: OwnServer, key: str) -> None:
    asking = ("Expect: 100-continue", f"Content-Length: {len(BODY)}", "Connection: close")
    with connect(server) as connection:
        connection.sendall(head("/v1/memory/chats", JSON, bearer(key), *asking))
        assert connection.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(BODY)
        assert status(answer(connection)) == 201
    with connect(server) as connection:
        connection.sendall(head("/v1/memory/chats", JSON, *asking))
        assert status(answer(connection)) == 401


def test_too_large_a_body_gets_its_answer_though_it_is_not_read(server: OwnServer, key: str) -> None:
    body = BODY.ljust(2**21 + 1)
    url = f"http://127.0.0.1:{server.port}/v1/memory/chats"
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    assert httpx.post(url, content=body, headers=headers, timeout=PATIENCE_SECONDS).status_code == 413
    form = {"Cookie": COOKIE.partition(" ")[2], "Content-Type": FORM.partition(" ")[2]}
    page = httpx.post(f"http://127.0.0.1:{server.port}/login", content=body, headers=form, timeout=PATIENCE_SECONDS)
    assert page.status_code in (400, 413)


def test_an_address_has_so_many_connections_and_no_more(server: OwnServer) -> None:
    def is_free() -> bool:
        with ExitStack() as stack:
            opened = [stack.enter_context(connect(server)) for _ in range(MOST_CONNECTIONS)]
            stack.enter_context(connect(server))
            return not select.select(opened, [], [], 0)[0]

    eventually(is_free)  # those of other tests are gone
    with ExitStack() as stack:
        connections = [stack.enter_context(connect(server)) for _ in range(MOST_CONNECTIONS + 10)]
        ended = [connection for connection in connections if select.select([connection], [], [], 0.5)[0]]
        assert len(ended) >= 10
    eventually(lambda: server.answers("/healthz"))
    assert "CAESAR_SERVER__CONNECTIONS_PER_ADDRESS" in server.printed()

"""`python -m caesar.server.alive`: whether the web server of this machine answers."""

import http.server
import threading
from collections.abc import Iterator

import pytest

from caesar.server import alive
from tests.servers import free_port


class _Answering(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:  # noqa: N802 (the name is the library's)
        self.send_response(200 if self.headers["Host"] == "memory.example.com" else 400)
        self.end_headers()

    def log_message(self, *args: object) -> None:
        """Nothing is printed."""


@pytest.fixture
def port() -> Iterator[int]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Answering)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_address[1]
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])  # noqa: S104 (asked at the loopback)
def test_it_asks_under_a_name_that_the_server_answers_to(host: str, port: int) -> None:
    assert alive.status(host, port, allowed_hosts=["*", ".memory.example.com"]) == 200


def test_a_port_that_nobody_listens_on_answers_nothing() -> None:
    assert alive.status("127.0.0.1", free_port(), allowed_hosts=["localhost"]) is None


def test_its_exit_says_what_is_wrong(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAESAR_SERVER__PORT", str(port))
    monkeypatch.setenv("CAESAR_ALLOWED_HOSTS", "memory.example.com")
    assert alive.main() is None
    monkeypatch.setenv("CAESAR_ALLOWED_HOSTS", "localhost")
    assert alive.main() == f"/healthz answers 400 at port {port}."

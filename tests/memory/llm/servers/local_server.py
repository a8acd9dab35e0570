"""A real HTTP server on loopback, and the ways to answer one of its requests."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from typing import Any


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Says nothing: clients that close the connection are what many of these tests are about."""


@contextmanager
def local_server(answer: Callable[[BaseHTTPRequestHandler], None]) -> Iterator[str]:
    """The server while open, by its address. `answer` is called with each request and writes what it likes.

    The request's body, and no more, can be read from its `rfile`.
    """

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            connection = self.rfile
            self.rfile = BytesIO(connection.read(int(self.headers.get("Content-Length", 0))))
            try:
                answer(self)
            finally:
                self.rfile = connection

        do_GET = do_POST

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = _Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def send_answer(
    request: BaseHTTPRequestHandler, body: Any, *, status: int = 200, headers: Mapping[str, str] = {}
) -> None:
    """Send a whole answer: a text as it stands, anything else as JSON."""
    content = (body if isinstance(body, str) else json.dumps(body)).encode()
    send_head(request, status, {**headers, "Content-Length": str(len(content))})
    request.wfile.write(content)


def send_head(request: BaseHTTPRequestHandler, status: int, headers: Mapping[str, str]) -> None:
    """Send a status and headers, to be followed by the body."""
    request.send_response(status)
    for name, value in headers.items():
        request.send_header(name, value)
    request.end_headers()


def send_stream_head(request: BaseHTTPRequestHandler, status: int, headers: Mapping[str, str]) -> None:
    """Send a status and headers, to be followed by chunks (`send_chunk`)."""
    send_head(request, status, {**headers, "Transfer-Encoding": "chunked"})


def send_chunk(request: BaseHTTPRequestHandler, piece: bytes) -> None:
    """Send one piece of a streamed body; b"" ends it."""
    request.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))

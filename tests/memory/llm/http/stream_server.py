"""A real model server on loopback whose streams a test controls, piece by piece, and the pieces themselves.

with stream_server() as server:
    server.send(sse(chunk(content="Hel")))
    stream = llm.relay_stream(...)          # comes back with the first chunk
    server.send(sse(chunk(finish_reason="stop")), DONE)
    server.end()
"""

import json
import select
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from queue import Queue
from typing import Any

from tests.memory.llm.scripted import local_server

PATIENCE_SECONDS = 10.0
"""How long a test waits for what must happen; it never waits that long unless it fails."""

DONE = b"data: [DONE]\n\n"


def chunk(*, finish_reason: str | None = None, index: int = 0, **delta: Any) -> dict[str, Any]:
    """One of OpenAI's chunks; further arguments are fields of its delta."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "gpt-small",
        "choices": [{"index": index, "delta": delta, "finish_reason": finish_reason}],
    }


def sse(*objects: object, kind: str = "") -> bytes:
    """Objects as the events of a stream; texts are data as they stand."""
    head = f"event: {kind}\n" if kind else ""
    data = (one if isinstance(one, str) else json.dumps(one) for one in objects)
    return "".join(f"{head}data: {one}\n\n" for one in data).encode()


def named(*events: Mapping[str, Any]) -> bytes:
    """Events as Anthropic sends them: each under the name of its type."""
    return b"".join(sse(event, kind=event["type"]) for event in events)


def lines(*objects: object) -> bytes:
    """Objects as lines of JSON."""
    return "".join(json.dumps(one) + "\n" for one in objects).encode()


class StreamServer:
    """While open: its `url`, the bodies it was `asked`, and what the test sends to the one client that is served."""

    def __init__(self, status: int, headers: Mapping[str, str]) -> None:
        self.url = ""
        self.asked: list[dict[str, Any]] = []
        self.sent: list[dict[str, str]] = []
        self.connections: set[tuple[str, int]] = set()
        self.gone = threading.Event()
        self._status, self._headers = status, headers
        self._pieces: Queue[bytes | None] = Queue()

    def send(self, *pieces: bytes) -> None:
        """Send pieces, each by itself; b"" breaks the connection off."""
        for piece in pieces:
            self._pieces.put(piece)

    def end(self) -> None:
        """End the stream as HTTP ends it."""
        self._pieces.put(None)

    def is_left(self) -> bool:
        """Whether the client hung up, which must happen soon."""
        return self.gone.wait(PATIENCE_SECONDS)

    def __call__(self, request: BaseHTTPRequestHandler) -> None:
        self.asked.append(json.loads(request.rfile.read()))
        self.sent.append({name.lower(): value for name, value in request.headers.items()})
        self.connections.add(request.client_address)
        request.send_response(self._status)
        for name, value in {"Content-Type": "text/event-stream", **self._headers}.items():
            request.send_header(name, value)
        request.send_header("Transfer-Encoding", "chunked")
        request.end_headers()
        watching = threading.Thread(target=self._watch, args=[request.connection], daemon=True)
        watching.start()
        while piece := self._pieces.get():
            request.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))
        if piece is None:
            request.wfile.write(b"0\r\n\r\n")
        else:
            request.close_connection = True

    def _watch(self, connection: socket.socket) -> None:
        """Notice that the client hangs up, which a thread that sends nothing does not."""
        poll = select.poll()
        try:
            poll.register(connection, select.POLLRDHUP)
            if poll.poll(PATIENCE_SECONDS * 1000):
                self.gone.set()
        except (OSError, ValueError):
            self.gone.set()


@contextmanager
def stream_server(status: int = 200, headers: Mapping[str, str] = {}) -> Iterator[StreamServer]:
    """The server while open."""
    server = StreamServer(status, headers)
    with local_server(server) as url:
        server.url = url
        try:
            yield server
        finally:
            server.send(b"")

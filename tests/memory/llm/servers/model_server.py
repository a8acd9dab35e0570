"""A real model server on loopback that a test scripts: whole answers from a queue, or a stream piece by piece.

with model_server({"message": {"content": "Hello"}}) as server:
    ask_something(server.url)
assert server.requests[0]["stream"] is False

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
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from queue import Queue
from typing import Any

from tests.memory.llm.servers.local_server import local_server, send_answer, send_chunk, send_stream_head

PATIENCE_SECONDS = 10.0
"""How long a test waits for what must happen; it never waits that long unless it fails."""


@dataclass(frozen=True)
class Refusal:
    """An answer with a status of its own; `body` is sent as JSON, a text as it stands."""

    status: int
    body: Any
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Stream:
    """An answer whose pieces the test sends by `ModelServer.send`."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


Answer = dict[str, Any] | list[Any] | str | Refusal | Stream


@dataclass(frozen=True)
class Asked:
    """One request as it came over the wire; names of headers in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: dict[str, Any]


class ModelServer:
    """The queue of `answers`, the requests it was `asked`, and, while the server is open, its `url`.

    `otherwise` answers what comes after the queue. A stream goes to one client at a time; `connections` are those that
    asked, and `gone` is set when one of them hangs up.
    """

    def __init__(self, *answers: Answer, otherwise: Answer) -> None:
        self.answers = deque(answers)
        self.asked: list[Asked] = []
        self.url = ""
        self.connections: set[tuple[str, int]] = set()
        self.gone = threading.Event()
        self._otherwise = otherwise
        self._pieces: Queue[bytes | None] = Queue()

    @property
    def requests(self) -> list[dict[str, Any]]:
        """The JSON bodies it was sent."""
        return [asked.body for asked in self.asked]

    def send(self, *pieces: bytes) -> None:
        """Send pieces of a stream, each by itself; b"" breaks the connection off."""
        for piece in pieces:
            self._pieces.put(piece)

    def end(self) -> None:
        """End the stream as HTTP ends it."""
        self._pieces.put(None)

    def is_left(self) -> bool:
        """Whether the client hung up, which must happen soon."""
        return self.gone.wait(PATIENCE_SECONDS)

    def __call__(self, request: BaseHTTPRequestHandler) -> None:
        content = request.rfile.read()
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.asked.append(Asked(request.command, request.path, headers, json.loads(content) if content else {}))
        self.connections.add(request.client_address)
        answer = self.answers.popleft() if self.answers else self._otherwise
        if isinstance(answer, Stream):
            self._stream(request, answer)
        elif isinstance(answer, Refusal):
            send_answer(request, answer.body, status=answer.status, headers=answer.headers)
        else:
            send_answer(request, answer)

    def _stream(self, request: BaseHTTPRequestHandler, answer: Stream) -> None:
        send_stream_head(request, answer.status, {"Content-Type": "text/event-stream", **answer.headers})
        threading.Thread(target=self._notice_hang_up, args=[request.connection], daemon=True).start()
        while piece := self._pieces.get():
            send_chunk(request, piece)
        if piece is None:
            send_chunk(request, b"")
        else:
            request.close_connection = True

    def _notice_hang_up(self, connection: socket.socket) -> None:
        """Set `gone` when the client hangs up, which a thread that sends nothing would not notice."""
        poll = select.poll()
        try:
            poll.register(connection, select.POLLRDHUP)
            if poll.poll(PATIENCE_SECONDS * 1000):
                self.gone.set()
        except (OSError, ValueError):
            self.gone.set()


@contextmanager
def model_server(*answers: Answer) -> Iterator[ModelServer]:
    """A server of whole answers while open. Every answer is used, or the test fails."""
    server = ModelServer(*answers, otherwise=Refusal(418, "asked once more than it has answers"))
    with local_server(server) as url:
        server.url = url
        yield server
    assert not server.answers, f"{len(server.answers)} answers were never asked for"


@contextmanager
def stream_server(status: int = 200, headers: Mapping[str, str] = {}) -> Iterator[ModelServer]:
    """A server that answers every request by a stream, while open."""
    server = ModelServer(otherwise=Stream(status, headers))
    with local_server(server) as url:
        server.url = url
        try:
            yield server
        finally:
            server.send(b"")

"""A real model server on loopback that answers from a queue and keeps what it was asked.

with model_server({"message": {"content": "Hello"}}) as server:
    ask_something(server.url)
assert server.asked[0].body["stream"] is False
"""

import json
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.memory.llm.scripted import local_server


@dataclass(frozen=True)
class Refusal:
    """An answer with a status of its own; `body` is sent as JSON, a text as it stands."""

    status: int
    body: Any
    headers: Mapping[str, str] = field(default_factory=dict)


Answer = dict[str, Any] | list[Any] | str | Refusal


@dataclass(frozen=True)
class Asked:
    """One request as it came over the wire; names of headers in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: dict[str, Any]


class ModelServer:
    """The queue, the history and, while the server is open, its `url`."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = deque(answers)
        self.asked: list[Asked] = []
        self.url = ""

    @property
    def requests(self) -> list[dict[str, Any]]:
        """The JSON bodies it was sent."""
        return [asked.body for asked in self.asked]

    def __call__(self, request: BaseHTTPRequestHandler) -> None:
        content = request.rfile.read()
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.asked.append(Asked(request.command, request.path, headers, json.loads(content) if content else {}))
        answer = self.answers.popleft() if self.answers else Refusal(418, "asked once more than it has answers")
        self._send(request, answer if isinstance(answer, Refusal) else Refusal(200, answer))

    def _send(self, request: BaseHTTPRequestHandler, answer: Refusal) -> None:
        body = (answer.body if isinstance(answer.body, str) else json.dumps(answer.body)).encode()
        request.send_response(answer.status)
        for name, value in answer.headers.items():
            request.send_header(name, value)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)


@contextmanager
def model_server(*answers: Answer) -> Iterator[ModelServer]:
    """The server while open. Every answer is used, or the test fails."""
    server = ModelServer(*answers)
    with local_server(server) as url:
        server.url = url
        yield server
    assert not server.answers, f"{len(server.answers)} answers were never asked for"

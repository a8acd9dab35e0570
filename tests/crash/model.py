"""A model server on loopback that counts what is paid for, chat by chat, and can hold an answer back."""

import json
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.crash.numbered_chats import MARK
from tests.memory.llm.scripted import completion
from tests.memory.llm.servers.local_server import local_server

PATIENCE_SECONDS = 60.0


@dataclass
class Held:
    """One answer that is held back: `asked` when the question is there, sent when `free` is set.

    `sent_before`: how much of it goes out before, from 0.0 to 1.0.
    """

    sent_before: float = 0.0
    asked: threading.Event = field(default_factory=threading.Event)
    free: threading.Event = field(default_factory=threading.Event)
    client: tuple[str, int] = ("", 0)


class CountingModel:
    """Answers what each task expects; `paid` counts the questions by (task, mark of the chat)."""

    def __init__(self) -> None:
        self.url = ""
        self.forget()

    def forget(self) -> None:
        """Begin anew."""
        self.paid: Counter[tuple[str, str]] = Counter()
        self.held: dict[str, Held] = {}
        self.counting = threading.Lock()

    def hold(self, mark: str, *, sent_before: float = 0.0) -> Held:
        """Hold the answer about the next chat with this mark."""
        self.held[mark] = Held(sent_before)
        return self.held[mark]

    def __call__(self, request: BaseHTTPRequestHandler) -> None:
        body = json.loads(request.rfile.read())
        if request.path.endswith("/embeddings"):
            self._send(request, _vectors(body["input"]), None)
            return
        task, mark = _task(body), _mark(body)
        with self.counting:
            self.paid[task, mark] += 1
            held = self.held.pop(mark, None)
        self._send(request, completion(_answer(task, mark)), held)

    def _send(self, request: BaseHTTPRequestHandler, answer: dict[str, Any], held: Held | None) -> None:
        """One write: two would meet Nagle's algorithm and a delayed ACK, 40 ms a call."""
        body = json.dumps(answer).encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        whole, before = head.encode() + body, 0
        if held:
            before = int(held.sent_before * len(whole))
            request.wfile.write(whole[:before])
            held.client = request.client_address
            held.asked.set()
            held.free.wait(PATIENCE_SECONDS)
        request.wfile.write(whole[before:])


def _task(body: dict[str, Any]) -> str:
    if "response_format" in body:
        return "extract"
    return "summarise" if str(body["messages"][0]["content"]).startswith("You sum up") else "chat"


def _mark(body: dict[str, Any]) -> str:
    """The mark of the chat that is asked about: in the conversation itself, not among the keys that are known."""
    asked = body["messages"][-1]["content"]
    found = MARK.search(str(asked))
    return found[0] if found else ""


def _answer(task: str, mark: str) -> str:
    number = mark.rpartition("-")[2]
    if task == "extract":
        return json.dumps({"facts": [{"key": f"locker.n{number}", "value": f"number {number}", "confidence": 0.9}]})
    return f"We discussed the locker of {mark}." if task == "summarise" else f"Noted, {mark}."


def _vectors(texts: list[str]) -> dict[str, Any]:
    """The same direction for every text: all are similar to all."""
    return {"data": [{"index": place, "embedding": [1.0, 0.0, 0.0]} for place, _ in enumerate(texts)]}


@contextmanager
def counting_model() -> Iterator[CountingModel]:
    """The server while open."""
    model = CountingModel()
    with local_server(model) as url:
        model.url = f"{url}/v1"
        yield model

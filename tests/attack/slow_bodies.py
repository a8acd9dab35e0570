"""Slow and large bodies against a server of its own on loopback: `python -m tests.attack.slow_bodies`.

Counts how the server ends each connection, how long `/healthz` takes meanwhile, and how much memory its processes hold
before, at most and after.
"""

import contextlib
import http.client
import json
import os
import socket
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from tests.servers import Installation, running

MEBIBYTE = 1024 * 1024
PATIENCE_SECONDS = 75.0
_CHUNKED = {"Transfer-Encoding": "chunked"}
_HEAD, _TAIL = b'{"reply": "Yes.", "messages": [{"role": "user", "content": "', b'"}]}'
_FORM = "application/x-www-form-urlencoded"
_COOKIE = {"Cookie": f"csrftoken={'t' * 32}"}

Address = tuple[str, int]


@dataclass(frozen=True)
class Size:
    """How large an attack is. `mebibytes` is the size of each large body."""

    silent: int = 150
    large: int = 60
    mebibytes: int = 15
    watch_seconds: float = 70.0
    settle_seconds: float = 5.0
    only: Sequence[str] = ()


@dataclass
class Outcome:
    """What one attack did: connections by how they ended, latencies of `/healthz`, memory of the processes."""

    name: str
    endings: Counter[str] = field(default_factory=Counter)
    first_ending: float = 0.0
    last_ending: float = 0.0
    latencies: list[float] = field(default_factory=list)
    refused: int = 0
    before: float = 0.0
    peak: float = 0.0
    after: float = 0.0

    def __str__(self) -> str:
        slowest = max(self.latencies, default=0.0)
        usual = statistics.median(self.latencies) if self.latencies else 0.0
        return (
            f"{self.name}: {dict(self.endings)}, ended after {self.first_ending:.1f} to {self.last_ending:.1f} s\n"
            f"  /healthz: {len(self.latencies)} answers, {self.refused} failed, median {usual * 1000:.0f} ms, "
            f"slowest {slowest:.2f} s\n"
            f"  memory (PSS): {self.before:.0f} MiB before, {self.peak:.0f} at most, {self.after:.0f} after"
        )


def attack(server: Installation, size: Size) -> Iterator[Outcome]:
    """Every attack in turn, or those named in `size.only`."""
    parts = urlsplit(server.url)
    address = (parts.hostname or "", parts.port or 0)
    key = {"Authorization": server.api.headers["Authorization"]}
    silent, large = size.silent, size.large
    halves = {
        "silent, no key": _half_a_chunk("/v1/chat", {}),
        "silent, good key": _half_a_chunk("/v1/chat", key),
        "silent forms": _half_a_form("/login"),
        "silent forms in chunks": _half_a_chunk("/login", {**_COOKIE, "Content-Type": _FORM}),
        "silent heads": b"GET /healthz HTTP/1.1\r\nHost",
        "nothing at all": b"",
    }
    attacks: dict[str, tuple[int, Callable[[], str]]] = {
        **{name: (silent, partial(_silent, address, half)) for name, half in halves.items()},
        "large, no key": (large, partial(_large, address, size, {})),
        "large in chunks, no key": (large, partial(_large, address, size, _CHUNKED)),
        "large, good key": (large, partial(_large, address, size, key)),
        "large, good key, again": (large, partial(_large, address, size, key)),
    }
    for name, (count, one) in attacks.items():
        if not size.only or name in size.only:
            yield _attacked(name, server, size, count, one)


def _attacked(name: str, server: Installation, size: Size, count: int, one: Callable[[], str]) -> Outcome:
    """Run `one` in as many threads, and look at the server meanwhile."""
    outcome, began, pids = Outcome(name), time.monotonic(), _processes(server.env)
    outcome.before = _memory(pids)

    def run() -> None:
        ending = one()
        outcome.endings[ending] += 1
        outcome.last_ending = time.monotonic() - began
        outcome.first_ending = outcome.first_ending or outcome.last_ending

    threads = [threading.Thread(target=run, daemon=True) for _ in range(count)]
    with _watched(server.url, outcome, pids):
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(max(0.0, began + size.watch_seconds - time.monotonic()))
    outcome.endings["still open"] = sum(thread.is_alive() for thread in threads)
    for thread in threads:
        thread.join(PATIENCE_SECONDS)
    time.sleep(size.settle_seconds)
    outcome.after = _memory(pids)
    return outcome


@contextlib.contextmanager
def _watched(url: str, outcome: Outcome, pids: list[int]) -> Iterator[None]:
    """Ask `/healthz` over and over while open, each time on a connection of its own, and note the memory."""
    over = threading.Event()

    def ask() -> None:
        address = urlsplit(url)
        while not over.wait(0.1):
            began = time.monotonic()
            connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=PATIENCE_SECONDS)
            try:
                connection.request("GET", "/healthz")
                outcome.refused += connection.getresponse().status != 200
            except (OSError, http.client.HTTPException):
                outcome.refused += 1
            finally:
                connection.close()
            outcome.latencies.append(time.monotonic() - began)

    def weigh() -> None:
        while not over.wait(0.2):
            outcome.peak = max(outcome.peak, _memory(pids))

    watchers = [threading.Thread(target=ask, daemon=True), threading.Thread(target=weigh, daemon=True)]
    for watcher in watchers:
        watcher.start()
    try:
        yield
    finally:
        time.sleep(1)
        over.set()
        for watcher in watchers:
            watcher.join(PATIENCE_SECONDS)


# --- what is sent -----------------------------------------------------------------------------------------------------


def _head(method: str, path: str, headers: Mapping[str, str]) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode()


def _half_a_chunk(path: str, headers: Mapping[str, str]) -> bytes:
    sent = {"Content-Type": "application/json", "Transfer-Encoding": "chunked", **headers}
    return _head("POST", path, sent) + b'400\r\n{"messages": ['


def _half_a_form(path: str) -> bytes:
    sent = {"Content-Type": _FORM, "Content-Length": "400", **_COOKIE}
    return _head("POST", path, sent) + b"username=operator"


def _silent(address: Address, half: bytes) -> str:
    """Send half of a request, then nothing; the status, or how the connection ended."""
    try:
        with socket.create_connection(address, timeout=PATIENCE_SECONDS) as connection:
            connection.sendall(half)
            return _status(connection)
    except TimeoutError:
        return "no answer"
    except OSError as error:
        return type(error).__name__


def _large(address: Address, size: Size, headers: Mapping[str, str]) -> str:
    """Send a large body at one go; the status, or how the connection ended."""
    head, tail = _HEAD, _TAIL
    length = size.mebibytes * MEBIBYTE
    framing = {} if "Transfer-Encoding" in headers else {"Content-Length": str(length)}
    start = _head("POST", "/v1/memory/chats", {"Content-Type": "application/json", **framing, **headers})
    start += head if framing else b"%x\r\n" % length + head
    tail += b"" if framing else b"\r\n0\r\n\r\n"
    piece = b"many words " * 10_000
    left = length - len(head) - len(_TAIL)
    try:
        with socket.create_connection(address, timeout=PATIENCE_SECONDS) as connection:
            with contextlib.suppress(OSError):
                connection.sendall(start)
                for sent in range(0, left, len(piece)):
                    connection.sendall(piece[: left - sent])
                connection.sendall(tail)
            return _status(connection)
    except TimeoutError:
        return "no answer"
    except OSError as error:
        return type(error).__name__


def _status(connection: socket.socket) -> str:
    answer = connection.recv(4096)
    return answer.split(b" ", 2)[1].decode() if answer else "closed"


# --- the server's processes -------------------------------------------------------------------------------------------


def _processes(env: Mapping[str, str]) -> list[int]:
    """The web server's processes (Linux)."""
    mark = f"CAESAR_DB__URL={env['CAESAR_DB__URL']}\0".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if mark in (folder / "environ").read_bytes() and b"gunicorn" in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
    return found


def _memory(pids: list[int]) -> float:
    """The memory these processes hold, in MiB; pages they share count once."""
    total = 0
    for pid in pids:
        with contextlib.suppress(OSError):
            line = next(line for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines() if "Pss:" in line)
            total += int(line.split()[1])
    return total / 1024


def main() -> None:
    """One attack at full size, or at the size given as JSON: `{"silent": 40}`."""
    size = Size(**json.loads(sys.argv[1])) if len(sys.argv) > 1 else Size()
    settings = {name: value for name, value in os.environ.items() if name.startswith("CAESAR_")}
    with tempfile.TemporaryDirectory() as folder, running(Path(folder), **settings) as server:
        for outcome in attack(server, size):
            print(outcome, flush=True)


if __name__ == "__main__":
    main()

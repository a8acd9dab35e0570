"""The benchmark of the proxy: what a chat client's call costs through this server, compared with the model server."""

import os
import re
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import httpx
from django.conf import settings
from django.core.management import call_command
from django.db import connections
from django.db.models import F
from django.utils import timezone

from bench import recall
from bench.measure import NOW
from memory.llm import embedding
from memory.models import SCOPES, ApiKey, EpisodeSummary

ROUNDS = 41
STREAMS = 50
STREAM_SECONDS = 30
TIMEOUT_SECONDS = 60
QUESTION = "I tried the thermostat thing you suggested, and it did not help. What else can I do about my sleep?"


@dataclass(frozen=True)
class StreamTiming:
    """One stream as a client saw it, in seconds: time to the first chunk, and how long each chunk was in transit."""

    first: float
    transit_seconds: list[float]
    is_whole: bool


Shape = Callable[[str, int, float], dict[str, object]]
"""The body of a call that asks this, and how many chunks with how many seconds between them the model gives."""


def _completions(question: str, chunks: int, pause_seconds: float) -> dict[str, object]:
    bench = {"chunks": chunks, "pause_seconds": pause_seconds}
    return {"messages": [{"role": "user", "content": question}], "bench": bench}


def _responses(question: str, chunks: int, pause_seconds: float) -> dict[str, object]:
    return {"input": question, "service_tier": f"{chunks} {pause_seconds}"}


def _messages(question: str, chunks: int, pause_seconds: float) -> dict[str, object]:
    return {**_completions(question, chunks, pause_seconds), "model": "caesar", "max_tokens": 100}


SHAPES: dict[str, Shape] = {"chat/completions": _completions, "responses": _responses, "messages": _messages}
ENDS = ("data: [DONE]", "event: response.completed", "event: message_stop")
_MOMENT = re.compile(r'"(?:content|delta|text)": ?"(\d+\.\d+) ')

OPENAI = {"CAESAR_LLM__PROVIDER": "openai", "CAESAR_LLM__OPENAI__BASE_URL": "{upstream}/v1"}
ANTHROPIC = {
    "CAESAR_LLM__PROVIDER": "anthropic",
    "CAESAR_LLM__TASK_ROUTING__CHAT__BASE_URL": "{upstream}",
}


def proxy() -> Iterator[str]:
    """Chunks through the server against chunks from the upstream itself, 10,000 episodes in the index."""
    with _memories() as key, _upstream() as upstream, _server(OPENAI, upstream) as ours:
        through = _stream_client(f"{ours}/v1/chat/completions", key)
        directly = _stream_client(f"{upstream}/v1/chat/completions", "")
        ways = {name: _stream_client(f"{ours}/v1/{name}", key, shape) for name, shape in SHAPES.items()}
        yield from _latency(ways, directly)
        yield from _concurrent_streams(through, ours, key)


def native() -> Iterator[str]:
    """The same for Anthropic's messages, which go out to Anthropic as they are."""
    with _memories() as key, _upstream() as upstream, _server(ANTHROPIC, upstream) as ours:
        ways = {
            name: _stream_client(f"{ours}/v1/{name}", key, SHAPES[name]) for name in ("messages", "chat/completions")
        }
        yield from _latency(ways, _stream_client(f"{upstream}/v1/messages", "", _messages))


@contextmanager
def _memories() -> Iterator[str]:
    """A key, and memories for its turns, while open."""
    recall.fill(10_000)
    lately = F("created_at") + (timezone.now() - NOW)
    EpisodeSummary.objects.update(model=embedding.embedder_model(), created_at=lately)
    key = ApiKey.objects.issue("bench", scopes=SCOPES).secret
    call_command("bootstrap", verbosity=0, stdout=open(os.devnull, "w"))  # noqa: SIM115 (until the end)
    connections.close_all()
    yield key
    recall.empty()


def _latency(ways: Mapping[str, Callable[..., StreamTiming]], directly: Callable[..., StreamTiming]) -> Iterator[str]:
    """Interleaved rounds of a stream of 20 chunks: each way through the server, and directly."""
    rounds = [
        ({name: way(20, 0.005, f"{name} {number}") for name, way in ways.items()}, directly(20, 0.005, str(number)))
        for number in range(ROUNDS)
    ][1:]
    for name in ways:
        pairs = [(ours[name], theirs) for ours, theirs in rounds]
        first = statistics.median(ours.first - theirs.first for ours, theirs in pairs) * 1000
        way = statistics.median(_median_transit(ours) - _median_transit(theirs) for ours, theirs in pairs) * 1000
        times = statistics.median(ours.first / theirs.first for ours, theirs in pairs)
        yield (
            f"{name}: first byte, through / directly: {times:.1f}x, {first:.1f} ms more (at most 15 ms); directly "
            f"{statistics.median(theirs.first for _, theirs in pairs) * 1000:.1f} ms"
        )
        yield f"{name}: a later chunk is {way:.2f} ms longer on its way (at most 2 ms)"


def _median_transit(heard: StreamTiming) -> float:
    return statistics.median(heard.transit_seconds[1:])


def _concurrent_streams(through: Callable[..., StreamTiming], ours: str, key: str) -> Iterator[str]:
    """As many concurrent streams as the server promises, and the latency of other calls meanwhile."""
    heard: list[StreamTiming] = []

    def listen(number: int) -> None:
        heard.append(through(STREAM_SECONDS * 2, 0.5, str(number)))

    listeners = [threading.Thread(target=listen, args=(100 + number,)) for number in range(STREAMS)]
    for listener in listeners:
        listener.start()
    waits = _time_other_calls(ours, key, listeners)
    whole = sum(one.is_whole for one in heard)
    late = max(max(one.transit_seconds) for one in heard if one.is_whole) * 1000
    p95 = statistics.quantiles(waits, n=20)[-1] * 1000
    yield (
        f"{STREAMS} streams of {STREAM_SECONDS} s at {settings.CAESAR.server.threads} threads: {whole} whole, latest "
        f"chunk {late:.0f} ms; {len(waits)} other calls meanwhile, p95 {p95:.0f} ms (at most 1,000 ms)"
    )


def _time_other_calls(ours: str, key: str, listeners: list[threading.Thread]) -> list[float]:
    waits: list[float] = []
    with httpx.Client(base_url=ours, headers={"Authorization": f"Bearer {key}"}, timeout=TIMEOUT_SECONDS) as client:
        while any(listener.is_alive() for listener in listeners):
            for path in ("/healthz", "/v1/memory/facts", "/v1/audit?limit=20", "/login"):
                began = time.perf_counter()
                client.get(path)
                waits.append(time.perf_counter() - began)
            time.sleep(0.1)
    return waits


def _stream_client(url: str, key: str, shape: "Shape | None" = None) -> Callable[..., StreamTiming]:
    """A function that requests a stream at `url` and times it."""
    shape = shape or _completions
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    clients = threading.local()

    def ask(chunks: int, pause_seconds: float, name: str) -> StreamTiming:
        if not hasattr(clients, "one"):
            clients.one = httpx.Client(headers=headers, timeout=TIMEOUT_SECONDS)
        body = shape(f"{QUESTION} ({name})", chunks, pause_seconds)
        return _listen(clients.one, url, body | {"stream": True})

    return ask


def _listen(client: httpx.Client, url: str, body: dict[str, object]) -> StreamTiming:
    began = time.monotonic()
    came: list[float] = []
    sent: list[float] = []
    is_whole = False
    with client.stream("POST", url, json=body) as response:
        for line in response.iter_lines():
            if found := _MOMENT.search(line):
                came.append(time.monotonic())
                sent.append(float(found[1]))
            is_whole = is_whole or line in ENDS
    if not came:
        raise SystemExit(f"proxy: no stream, {response.status_code}")
    return StreamTiming(came[0] - began, [here - there for here, there in zip(came, sent, strict=True)], is_whole)


@contextmanager
def _upstream() -> Iterator[str]:
    process = subprocess.Popen([sys.executable, "-m", "bench.upstream"], stdout=subprocess.PIPE, text=True)
    try:
        port = process.stdout.readline().strip() if process.stdout else ""
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


@contextmanager
def _server(provider: Mapping[str, str], upstream: str) -> Iterator[str]:
    """The server as `make run` starts it, on the database of the benchmarks, with this provider."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    env = os.environ | {
        "CAESAR_SERVER__PORT": str(port),
        "CAESAR_LLM__MODEL": "bench",
        **{name: value.format(upstream=upstream) for name, value in provider.items()},
        "CAESAR_MEMORY__FACTS_EXTRACT__ENABLED": "false",
    }
    process = subprocess.Popen([sys.executable, "manage.py", "up"], env=env, stdout=subprocess.PIPE, text=True)
    try:
        if not process.stdout or not any("CAESAR is at" in line for line in process.stdout):
            raise SystemExit("proxy: the server did not start")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


BENCHMARKS: dict[str, Callable[[], Iterator[str]]] = {"proxy": proxy, "native": native}

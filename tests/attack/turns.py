"""A hundred clients at once for a minute, against a real server with a model that answers at once. Not a test: by hand.

    python -m tests.attack.turns sqlite --seconds 60
    python -m tests.attack.turns postgresql://USER@HOST/EMPTY_DATABASE --path /v1/memory/chats

The database of an address is emptied by hand before (`DROP DATABASE`, `CREATE DATABASE`). Everything is on loopback.
"""

import argparse
import asyncio
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests import parent_death
from tests.servers import environment, free_port

ROOT = Path(__file__).resolve().parents[2]
CLIENT_SECONDS = 30.0
SPARE_THREADS = 8  # memory.api.capacity
STARTS_WITHIN_SECONDS = 120.0
TOPICS = (
    "sleep", "the garden", "a bicycle", "coffee", "the thermostat", "a trip to Rome", "the piano", "tax forms",
    "a birthday cake", "the neighbour's cat", "running shoes", "bread", "the roof", "a novel", "the car", "allergies",
)  # fmt: skip
LOGGED = ("deadlock detected", "database is locked", "database or disk is full", "Traceback")


@dataclass
class Counted:
    """What the clients saw: how often each status (0: no answer in time), seconds of each answer, the good turns."""

    statuses: Counter[int] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    decisions: list[str] = field(default_factory=list)
    later: int = 0

    def lines(self) -> Iterator[str]:
        good = sum(count for status, count in self.statuses.items() if 200 <= status < 300)
        refused = self.statuses[503]
        yield f"2xx {good}, of them not recorded at once {self.later}; 503 {refused}; timeouts {self.statuses[0]}"
        yield f"statuses {dict(sorted(self.statuses.items()))}, codes {dict(self.codes)}"
        if len(self.seconds) > 1:
            cuts = statistics.quantiles(self.seconds, n=100)
            yield f"seconds p50 {cuts[49]:.3f}, p99 {cuts[98]:.3f}, longest {max(self.seconds):.3f}"


def load(database: str, *, clients: int, seconds: float, path: str) -> list[str]:
    """Run the clients against a server of its own and print what they saw, and what the database holds afterwards.

    What was broken is returned: a refusal, an answer that did not come, words in the log that must not be there.
    """
    with tempfile.TemporaryDirectory(prefix="caesar-load-") as name, _model() as model_url:
        folder = Path(name)
        env = _environment(folder, database, model_url, threads=clients + SPARE_THREADS)
        with _server(env, folder / "log") as (port, key):
            _command(env, "seed")
            began = time.monotonic()
            counted = asyncio.run(_clients(port, key, clients=clients, seconds=seconds, path=path))
            took = time.monotonic() - began
            print(f"{path} on {database.partition(':')[0]}: {clients} clients for {took:.0f} s, load {os.getloadavg()}")
            print("\n".join(counted.lines()))
            (folder / "decisions").write_text("\n".join(counted.decisions))
            print(_command(env, "rows", str(folder / "decisions")).strip())
        log = (folder / "log").read_text()
        broken = [
            f"{counted.statuses[status]} x {status or 'no answer'}"
            for status in (0, 500, 503)
            if counted.statuses[status]
        ]
        broken += [f"{log.count(words)} x {words} in the log" for words in LOGGED if words in log]
        print("log:", {words: log.count(words) for words in LOGGED}, flush=True)
        if keep := os.environ.get("KEEP_LOG"):
            Path(keep).write_text(log)
    return broken


# --- the server -----------------------------------------------------------------------------------------------------


def _environment(folder: Path, database: str, model_url: str, *, threads: int) -> dict[str, str]:
    """All clients may come to one of the two web processes: none is refused for want of a thread."""
    own = {} if database == "sqlite" else {"CAESAR_DB__URL": database}
    more = dict(pair.split("=", 1) for pair in os.environ.get("LOAD_SETTINGS", "").split() if "=" in pair)
    return environment(
        folder,
        CAESAR_SERVER__THREADS=str(threads),
        CAESAR_LLM__PROVIDER="openai",
        CAESAR_LLM__MODEL="load",
        CAESAR_LLM__OPENAI__BASE_URL=model_url,
        **own,
        **more,
    )


@contextmanager
def _server(env: Mapping[str, str], log: Path) -> Iterator[tuple[int, str]]:
    command = parent_death.command(sys.executable, "manage.py", "up", "--bootstrap")
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=ROOT, env=dict(env), stdout=output, stderr=output, start_new_session=True
        )
    try:
        _told(log, process, r"CAESAR is at (http://\S+)")
        yield int(env["CAESAR_SERVER__PORT"]), _told(log, process, r"(caesar_[\w-]{20,})")
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(STARTS_WITHIN_SECONDS)


def _told(log: Path, process: "subprocess.Popen[bytes]", pattern: str) -> str:
    ends = time.monotonic() + STARTS_WITHIN_SECONDS
    while not (found := re.search(pattern, log.read_text())):
        if process.poll() is not None or time.monotonic() > ends:
            raise SystemExit(f"The server did not start:\n{log.read_text()}")
        time.sleep(0.1)
    return found.group(1)


def _command(env: Mapping[str, str], *arguments: str) -> str:
    command = [sys.executable, "-m", "tests.attack.turns", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env={**env, "DJANGO_SETTINGS_MODULE": "caesar.settings"}, capture_output=True, text=True
    ).stdout


def seed() -> None:
    """Episodes that the clients' questions bring back, several at a time and in different orders."""
    from datetime import timedelta

    from django.utils import timezone

    from memory import events
    from memory.llm import embedding
    from memory.models import AuditRow, Embedded, EpisodeSummary

    now = timezone.now()
    texts = [f"The operator asked about {topic} and {other}." for topic in TOPICS for other in TOPICS[:4]]
    vectors = embedding.embed(texts)
    for number, (text, row) in enumerate(zip(texts, vectors.rows, strict=True)):
        chat = AuditRow.objects.record(
            events.ChatCompleted(reply="ok", learn=False, new_messages=[]), now=now - timedelta(hours=number + 1)
        )
        EpisodeSummary.objects.summarise(chat, text, Embedded(embedding.json_vector(row), vectors.model), now=now)


def rows(decisions: Path) -> None:
    """How many of the good turns have their rows; how many bumps there are for the rows that tell of them."""
    from django.db import connection, models

    from memory.models import AuditRow, EpisodeSummary

    wanted = decisions.read_text().split()
    found: Counter[str] = Counter()
    for start in range(0, len(wanted), 500):
        some = AuditRow.objects.filter(decision_id__in=wanted[start : start + 500])
        for kind in ("chat.completed", "memory.context.served"):
            found[kind] += some.filter(event_type=kind).values("decision_id").distinct().count()
    recalled = AuditRow.objects.filter(event_type="memory.episode.recalled").count()
    bumps = EpisodeSummary.objects.aggregate(all=models.Sum("recall_count"))["all"]
    print(f"good turns {len(wanted)}, with their rows {dict(found)}; recalled rows {recalled}, bumps {bumps}")
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
            print(f"deadlocks PostgreSQL counted: {cursor.fetchone()[0]}")


# --- the clients ----------------------------------------------------------------------------------------------------


async def _clients(port: int, key: str, *, clients: int, seconds: float, path: str) -> Counted:
    counted, ends = Counted(), time.monotonic() + seconds
    await asyncio.gather(*(_client(number, port, key, path, ends, counted) for number in range(clients)))
    return counted


async def _client(number: int, port: int, key: str, path: str, ends: float, counted: Counted) -> None:
    turn = 0
    streams: Any = None
    while time.monotonic() < ends:
        turn += 1
        body = _body(number, turn, path)
        began = time.monotonic()
        try:
            async with asyncio.timeout(CLIENT_SECONDS):
                streams = streams or await asyncio.open_connection("127.0.0.1", port)
                status, headers, answer = await _call(streams, key, path, body)
        except (OSError, TimeoutError, asyncio.IncompleteReadError, ValueError):
            if streams:
                streams[1].close()
            streams = None
            counted.statuses[0] += 1
            continue
        if "connection: close" in headers:
            streams[1].close()
            streams = None
        _count(counted, status, headers, answer, time.monotonic() - began)
        if status == 503:
            await asyncio.sleep(0.1)


def _count(counted: Counted, status: int, headers: str, answer: bytes, seconds: float) -> None:
    counted.statuses[status] += 1
    if not 200 <= status < 300:
        counted.codes[json.loads(answer).get("error", {}).get("code", "?")] += 1
        return
    counted.seconds.append(seconds)
    counted.later += "x-memory-recorded" in headers
    counted.decisions.append(json.loads(answer)["decision_id"])


def _body(number: int, turn: int, path: str) -> dict[str, Any]:
    topic, other = TOPICS[(number + turn) % len(TOPICS)], TOPICS[(number * 7 + turn * 3) % len(TOPICS)]
    said = f"Client {number}, turn {turn}: what did we say about {topic} and {other}?"
    body: dict[str, Any] = {"messages": [{"role": "user", "content": said}]}
    return body | ({"reply": "We said this and that."} if path.endswith("/chats") else {})


async def _call(
    streams: tuple[asyncio.StreamReader, asyncio.StreamWriter], key: str, path: str, body: dict[str, Any]
) -> tuple[int, str, bytes]:
    reader, writer = streams
    data = json.dumps(body).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\nContent-Type: application/json\r\n"
    )
    writer.write(f"{head}Content-Length: {len(data)}\r\n\r\n".encode() + data)
    headers = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    found = re.search(r"content-length: (\d+)", headers)
    return int(headers.split(" ", 2)[1]), headers, await reader.readexactly(int(found.group(1)) if found else 0)


# --- the model ------------------------------------------------------------------------------------------------------


@contextmanager
def _model() -> Iterator[str]:
    port = free_port()
    process = subprocess.Popen(
        parent_death.command(sys.executable, "-m", "tests.attack.turns", "model", str(port)), cwd=ROOT
    )
    try:
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        process.wait(10)


async def serve_model(port: int) -> None:
    """Answers at once: to a turn, to the extractor (one fact of twenty), to the summariser."""
    server = await asyncio.start_server(_serve, "127.0.0.1", port)
    async with server:
        await server.serve_forever()


async def _serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    number = 0
    try:
        while True:
            headers = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            found = re.search(r"content-length: (\d+)", headers)
            body = json.loads(await reader.readexactly(int(found.group(1)) if found else 0) or b"{}")
            number += 1
            data = json.dumps(_completion(body, number)).encode()
            head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
            writer.write(head.encode() + data)
    except (asyncio.IncompleteReadError, OSError):
        writer.close()


def _completion(body: dict[str, Any], number: int) -> dict[str, Any]:
    text = "We said this and that."
    if "response_format" in body:
        text = json.dumps({"facts": [{"key": f"load.{number % 20}", "value": f"turn {number}", "confidence": 1.0}]})
    message = {"role": "assistant", "content": text}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "load",
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
    }


def main() -> None:
    """What the command line says."""
    asked = sys.argv[1:]
    if asked[:1] == ["model"]:
        asyncio.run(serve_model(int(asked[1])))
    elif asked[:1] in (["seed"], ["rows"]):
        import django

        django.setup()
        seed() if asked[0] == "seed" else rows(Path(asked[1]))
    else:
        parser = argparse.ArgumentParser(description=__doc__)
        parser.add_argument("database", help="sqlite, or the address of an empty PostgreSQL database")
        parser.add_argument("--clients", type=int, default=100)
        parser.add_argument("--seconds", type=float, default=60.0)
        parser.add_argument("--path", default="/v1/chat")
        given = parser.parse_args()
        load(given.database, clients=given.clients, seconds=given.seconds, path=given.path)


if __name__ == "__main__":
    main()

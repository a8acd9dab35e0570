"""Every attack in turn, against servers of its own on loopback: `make attack`. What it counts is printed.

    python -m tests.attack            full size: 150 silent clients, 100 clients for a minute, 200 kills of each worker
    python -m tests.attack --short    about two minutes, without the kills, of which the tests do some

`CAESAR_DB__URL` at a PostgreSQL server: the 100 clients go there as well, to a database of their own. Ends with 1 where
a bound was broken: health silent for more than `MAX_HEALTH_SECONDS`, a deadlock, a refusal, a turn without its rows.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg

from tests.attack import slow_bodies, turns
from tests.servers import running

MAX_HEALTH_SECONDS = 5.0
"""Far above what is seen (0.6), since the machines that run this are shared."""
_SHORT_SECONDS = 20.0
_FULL_SECONDS = 60.0


def main() -> int:
    """Run them all; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="about two minutes")
    is_short = parser.parse_args().short
    broken = [*slow_clients(is_short=is_short), *many_turns(_SHORT_SECONDS if is_short else _FULL_SECONDS)]
    if not is_short and kills():
        broken.append("a kill lost, doubled or left unsettled something")
    print("\n".join(["", *(f"BROKEN: {what}" for what in broken)] if broken else ["", "Every bound held."]))
    return 1 if broken else 0


def slow_clients(*, is_short: bool) -> Iterator[str]:
    """Silent and slow clients, large bodies; what was broken."""
    short = slow_bodies.Size(silent=60, large=12, watch_seconds=15.0, settle_seconds=1.0)
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as server:
        for outcome in slow_bodies.attack(server, short if is_short else slow_bodies.Size()):
            print(outcome, flush=True)
            slowest = max(outcome.latencies, default=0.0)
            if slowest > MAX_HEALTH_SECONDS:
                yield f"{outcome.name}: health was silent for {slowest:.1f} s"


def many_turns(seconds: float) -> Iterator[str]:
    """A hundred clients on each database that is there; what was broken."""
    with databases() as urls:
        for url in urls:
            yield from turns.load(url, clients=100, seconds=seconds, path="/v1/chat")


@contextmanager
def databases() -> Iterator[list[str]]:
    """SQLite, and an empty database on the PostgreSQL server of `CAESAR_DB__URL`, if it names one."""
    url = os.environ.get("CAESAR_DB__URL", "")
    if not url.startswith("postgres"):
        yield ["sqlite"]
        return
    name = f"attack_{os.getpid()}"
    with closing(psycopg.connect(url, autocommit=True)) as server:
        server.execute(f'CREATE DATABASE "{name}"')
        try:
            yield ["sqlite", urlunsplit(urlsplit(url)._replace(path=f"/{name}"))]
        finally:
            server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def kills() -> int:
    """Workers and web processes killed at random moments; the exit code of the tests that count what came of it."""
    tests = ["tests/crash/test_killed_workers.py", "tests/crash/test_killed_web.py"]
    environ = os.environ | {"KILLS": "200"}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-s", "-p", "no:randomly", *tests], env=environ
    ).returncode


if __name__ == "__main__":
    sys.exit(main())

"""A whole installation on loopback for one test: its own database, web server and worker, ended by their ids."""

import fcntl
import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import httpx

from tests import parent_death

ROOT = Path(__file__).resolve().parent.parent
PATIENCE_SECONDS = 60.0
Result = TypeVar("Result")


@dataclass(frozen=True)
class Installation:
    """A running server: `api` sends with the first key, `url` is its address."""

    url: str
    env: Mapping[str, str]
    username: str
    password: str
    api: httpx.Client

    def manage(self, *arguments: str) -> str:
        """What `manage.py` prints."""
        return run_manage(self.env, *arguments)


def run_manage(env: Mapping[str, str], *arguments: str) -> str:
    command = [sys.executable, "manage.py", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=dict(env), capture_output=True, text=True, timeout=PATIENCE_SECONDS)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def environment(folder: Path, **settings: str) -> dict[str, str]:
    """The environment of a newcomer: all of memory on, no key, its own database and port."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("CAESAR_", "DJANGO_"))}
    return inherited | {
        "CAESAR_ENV_FILE": str(ROOT / ".env.example"),
        "CAESAR_DB__URL": f"sqlite:///{folder / 'caesar.sqlite3'}",
        "CAESAR_SERVER__PORT": str(free_port()),
        "CAESAR_BACKUP__PATH": str(folder / "backups"),
        "CAESAR_BACKUP__LEAST_FREE_MEGABYTES": "0",
        **settings,
    }


def free_port() -> int:
    """A port of the loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(folder: Path, **settings: str) -> Iterator[Installation]:
    """`manage.py up --bootstrap` while open; the password and the key are read off what it prints once."""
    env = environment(folder, **settings)
    with ExitStack() as stack:
        with _alone():
            output = stack.enter_context(_started(env))
            url = output.wait_for(r"CAESAR is at (http://\S+)")
        key = output.wait_for(r"(caesar_[\w-]+)")
        password = output.wait_for(r"[Pp]assword\W+([\w-]+)")
        headers = {"Authorization": f"Bearer {key}"}
        api = stack.enter_context(httpx.Client(base_url=url, headers=headers, timeout=30))
        yield Installation(url, env, "operator", password, api)


@contextmanager
def _started(env: Mapping[str, str]) -> Iterator["_Output"]:
    process = subprocess.Popen(
        parent_death.command(sys.executable, "manage.py", "up", "--bootstrap"),
        cwd=ROOT,
        env=dict(env),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    output = _Output(process)
    try:
        yield output
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE_SECONDS)
        output.close()


@contextmanager
def _alone() -> Iterator[None]:
    """One installation starts at a time: all gather the static files of this checkout into one folder."""
    with (Path(tempfile.gettempdir()) / "caesar-test-start.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


class _Output:
    """Lines of a process, collected while it runs so that its pipe never fills."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.text = ""
        self.process = process
        self.grown = threading.Condition()
        self.thread = threading.Thread(target=self._collect, daemon=True)
        self.thread.start()

    def _collect(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self.grown:
                self.text += line
                self.grown.notify_all()
        with self.grown:
            self.grown.notify_all()

    def wait_for(self, pattern: str) -> str:
        """The first group of `pattern` as soon as it was printed."""
        with self.grown:
            found = self.grown.wait_for(
                lambda: re.search(pattern, self.text) or self.process.poll() is not None, PATIENCE_SECONDS
            )
        assert isinstance(found, re.Match), f"{pattern} was not printed:\n{self.text}"
        return found.group(1)

    def close(self) -> None:
        self.thread.join(5)
        assert self.process.stdout is not None
        self.process.stdout.close()


def eventually(look: Callable[[], Result], *, seconds: float = PATIENCE_SECONDS) -> Result:
    """The first answer of `look` that is not empty; other processes need their time."""
    ends = time.monotonic() + seconds
    while True:
        try:
            if result := look():
                return result
        except (httpx.TransportError, http.client.HTTPException):
            pass
        assert time.monotonic() < ends, "it did not come true in time"
        time.sleep(0.1)

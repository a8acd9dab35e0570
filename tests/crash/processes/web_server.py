"""A real web server of two processes on the tests' database, and which of them holds a connection."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import httpx

from tests import parent_death
from tests.servers import ROOT, eventually, free_port

PROCESSES = 2


class WebServer:
    """The server while it runs."""

    def __init__(self, process: subprocess.Popen[bytes], url: str) -> None:
        self.process = process
        self.url = url

    def processes(self) -> set[int]:
        """The web processes that live now, without their parent."""
        pid = self.process.pid
        return {int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()}

    def kill(self, pid: int) -> None:
        """SIGKILL one of them, and wait until it is dead: a busy machine may let it go on for a moment."""
        os.kill(pid, signal.SIGKILL)
        eventually(lambda: pid not in self.processes() or _state(pid) in "ZX")

    def holder_of(self, client: tuple[str, int], server: str) -> int:
        """The web process whose connection to `server` (an address) this is, seen from there (Linux)."""
        socket = f"socket:[{_inode(client[1], urlsplit(server).port or 0)}]"
        return next(pid for pid in self.processes() if socket in _open_files(pid))


def _state(pid: int) -> str:
    """The letter of a process's state, X where it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "X"


def _inode(port: int, server_port: int) -> str:
    """The inode of the socket that connects these two ports; another may share the first of them."""
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        ports = [int(address.rpartition(":")[2], 16) for address in fields[1:3]]
        if fields[3] == "01" and ports == [port, server_port]:
            return fields[9]
    raise LookupError(port, server_port)


def _open_files(pid: int) -> set[str]:
    found = set()
    for link in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(OSError):
            found.add(os.readlink(link))
    return found


@contextmanager
def web_server(environ: Mapping[str, str], log: Path) -> Iterator[WebServer]:
    """The server that `manage.py up` starts, without the worker beside it."""
    port = free_port()
    command = ["-m", "gunicorn", "caesar.wsgi", "--preload", "--no-control-socket", "--config", "python:caesar.web"]
    command += ["--workers", str(PROCESSES), "--threads", "16", "--bind", f"127.0.0.1:{port}", "--log-level", "warning"]
    with log.open("wb") as output:
        process = subprocess.Popen(
            parent_death.command(sys.executable, *command), cwd=ROOT, env=dict(environ), stdout=output, stderr=output
        )
    web = WebServer(process, f"http://127.0.0.1:{port}")
    try:
        assert eventually(lambda: httpx.get(f"{web.url}/healthz").status_code == 200), log.read_text()
        yield web
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)

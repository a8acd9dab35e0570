"""The tests' side of the fork server: children that run one action each, can be killed, and report how they ended."""

import json
import os
import select
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests import parent_death
from tests.servers import ROOT

TIMEOUT_SECONDS = 300.0


class Child:
    """One forked process. It sends JSON messages; the last one tells how it ended."""

    def __init__(self, fork_server: "ForkServer", pid: int) -> None:
        self.fork_server = fork_server
        self.pid = pid
        self.messages: deque[dict[str, Any]] = deque()

    def next_message(self) -> dict[str, Any]:
        """Its next message; `{"ended": ...}` is the last."""
        while not self.messages:
            self.fork_server.listen()
        return self.messages.popleft()

    def kill(self) -> None:
        """Send SIGKILL. The fork server reports its end."""
        os.kill(self.pid, signal.SIGKILL)

    def resume(self) -> None:
        """Let it go on after it said that it is ready."""
        os.kill(self.pid, signal.SIGUSR1)

    def exit_status(self) -> int:
        """Wait for its end; the exit status, negative for a signal. Other messages are dropped."""
        while "ended" not in (message := self.next_message()):
            pass
        return int(message["ended"])

    def answer(self) -> dict[str, Any]:
        """Its one message before it ends with status 0."""
        message = self.next_message()
        assert "ended" not in message, self.fork_server.tracebacks()
        assert self.exit_status() == 0, self.fork_server.tracebacks()
        return message


class ForkServer:
    """The process that forks, until `close`."""

    def __init__(self, environ: Mapping[str, str], log: Path) -> None:
        self.log = log
        with log.open("wb") as errors:
            self.process = subprocess.Popen(
                parent_death.command(sys.executable, "-m", "tests.crash.processes.fork_server", number=signal.SIGKILL),
                cwd=ROOT,
                env=dict(environ),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                bufsize=0,
            )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.requests, self.reports = self.process.stdin, self.process.stdout.fileno()
        self.received = b""
        self.children: dict[int, Child] = {}
        self.newest: Child | None = None

    def start(self, action: str, **arguments: Any) -> Child:
        """Fork a child for an action (`tests.crash.processes.actions`)."""
        self.newest = None
        self.requests.write(json.dumps({"action": action, "arguments": arguments}).encode() + b"\n")
        while self.newest is None:
            self.listen()
        return self.newest

    def listen(self) -> None:
        """Wait for messages of any child, and file each under its child."""
        ready, _, _ = select.select([self.reports], [], [], TIMEOUT_SECONDS)
        received = os.read(self.reports, 65536) if ready else b""
        assert received, f"The fork server is silent.\n{self.tracebacks()}"
        *lines, self.received = (self.received + received).split(b"\n")
        for line in lines:
            self._note(json.loads(line))

    def _note(self, message: dict[str, Any]) -> None:
        pid = message.pop("pid")
        child = self.children.setdefault(pid, Child(self, pid))  # its first message may come before `started`
        if "started" in message:
            self.newest = child
            return
        child.messages.append(message)
        if "ended" in message:
            del self.children[pid]  # its number may be used again

    def tracebacks(self) -> str:
        """The tracebacks of its children."""
        return self.log.read_text(errors="replace")[-4000:]

    def end_all(self) -> None:
        """Kill every child that still runs, and wait for its end."""
        for child in list(self.children.values()):
            child.kill()
            child.exit_status()

    def close(self) -> None:
        """End the process, and with it every child."""
        self.requests.close()
        self.process.wait(TIMEOUT_SECONDS)
        assert self.process.stdout is not None
        self.process.stdout.close()

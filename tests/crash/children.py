"""The nursery as the tests hold it: children that do a deed each, can be killed, and say how they ended."""

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

from tests import ends_with_us

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 300.0


class Child:
    """One forked process. It speaks in JSON objects; the last one is how it ended."""

    def __init__(self, nursery: "Nursery", pid: int) -> None:
        self.nursery = nursery
        self.pid = pid
        self.words: deque[dict[str, Any]] = deque()

    def says(self) -> dict[str, Any]:
        """The next thing it says; `{"ended": ...}` at its end."""
        while not self.words:
            self.nursery.listen()
        return self.words.popleft()

    def kill(self) -> None:
        """SIGKILL. Its parent tells us of its end."""
        os.kill(self.pid, signal.SIGKILL)

    def go(self) -> None:
        """Let it go on, where it said that it is ready."""
        os.kill(self.pid, signal.SIGUSR1)

    def ending(self) -> int:
        """Its exit status once it has ended, what else it says dropped; a signal counts as its negative number."""
        while "ended" not in (words := self.says()):
            pass
        return int(words["ended"])

    def answer(self) -> dict[str, Any]:
        """The one thing it has to say before it ends well."""
        words = self.says()
        assert "ended" not in words, self.nursery.complaints()
        assert self.ending() == 0, self.nursery.complaints()
        return words


class Nursery:
    """The process that forks, while this is open."""

    def __init__(self, environ: Mapping[str, str], log: Path) -> None:
        self.log = log
        with log.open("wb") as complaints:
            self.process = subprocess.Popen(
                ends_with_us.command(sys.executable, "-m", "tests.crash.nursery", number=signal.SIGKILL),
                cwd=ROOT,
                env=dict(environ),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=complaints,
                bufsize=0,
            )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.mouth, self.ear = self.process.stdin, self.process.stdout.fileno()
        self.heard = b""
        self.children: dict[int, Child] = {}
        self.newest: Child | None = None

    def start(self, deed: str, **given: Any) -> Child:
        """Fork a child for a deed (`tests.crash.deeds`)."""
        self.newest = None
        self.mouth.write(json.dumps({"deed": deed, "given": given}).encode() + b"\n")
        while self.newest is None:
            self.listen()
        return self.newest

    def listen(self) -> None:
        """Wait for news of any child, and note it with that child."""
        ready, _, _ = select.select([self.ear], [], [], PATIENCE_SECONDS)
        received = os.read(self.ear, 65536) if ready else b""
        assert received, f"The nursery is silent.\n{self.complaints()}"
        *lines, self.heard = (self.heard + received).split(b"\n")
        for line in lines:
            self._note(json.loads(line))

    def _note(self, words: dict[str, Any]) -> None:
        pid = words.pop("pid")
        child = self.children.setdefault(pid, Child(self, pid))  # a quick one speaks before its parent tells of it
        if "born" in words:
            self.newest = child
            return
        child.words.append(words)
        if "ended" in words:
            del self.children[pid]  # its number may be given anew

    def complaints(self) -> str:
        """The tracebacks of its children."""
        return self.log.read_text(errors="replace")[-4000:]

    def end_all(self) -> None:
        """Kill every child that lives, and wait for its end."""
        for child in list(self.children.values()):
            child.kill()
            child.ending()

    def close(self) -> None:
        """End it and with it every child."""
        self.mouth.close()
        self.process.wait(PATIENCE_SECONDS)
        assert self.process.stdout is not None
        self.process.stdout.close()

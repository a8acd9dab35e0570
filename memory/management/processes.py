"""Child processes that are started and stopped together and leave no orphans."""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Self

TICK_SECONDS = 0.1
LEFTOVERS_SECONDS = 5.0
_SECOND_CTRL_C_AFTER_SECONDS = 1.0
_PR_SET_PDEATHSIG = 1  # linux/prctl.h


class StopRequest:
    """A request to stop: Ctrl-C, SIGTERM or SIGHUP are noted here and do not end the process in the middle of work."""

    def __init__(self) -> None:
        self._asked_at: float | None = None
        self.is_impatient = False

    def __bool__(self) -> bool:
        return self._asked_at is not None

    @classmethod
    @contextlib.contextmanager
    def watched(cls) -> Iterator[Self]:
        """Install the handlers while the context is open; the earlier handlers are restored at its end."""
        request = cls()
        numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        before = [(number, signal.signal(number, request._note)) for number in numbers]
        try:
            yield request
        finally:
            for number, handler in before:
                signal.signal(number, handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        """Note a signal. A second Ctrl-C means at once, unless it follows closely: some wrappers repeat the first."""
        if self._asked_at is None:
            self._asked_at = time.monotonic()
        elif number == signal.SIGINT and time.monotonic() - self._asked_at > _SECOND_CTRL_C_AFTER_SECONDS:
            self.is_impatient = True


@dataclass
class Child:
    """A server process with workers, in a session of its own, so that a Ctrl-C does not reach it."""

    name: str
    process: subprocess.Popen[bytes]

    @classmethod
    def start(cls, name: str, command: Sequence[str], *, folder: Path) -> Self:
        """Run `command` in `folder` with our environment and our output."""
        process = subprocess.Popen(  # noqa: S603 (our own programs)
            command, cwd=folder, start_new_session=True, stdin=subprocess.DEVNULL, preexec_fn=end_with_parent()
        )
        return cls(name, process)

    @property
    def has_ended(self) -> bool:
        """Whether the process itself is gone; its workers may live on."""
        return self.process.poll() is not None

    @property
    def ending(self) -> str:
        """How it ended, in words."""
        code = self.process.returncode
        return f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with exit status {code}"

    def ask_to_stop(self) -> None:
        """Send SIGTERM to the process alone, not its group: its workers may finish their current work."""
        if not self.has_ended:
            self.process.terminate()

    def end_leftovers(self) -> None:
        """End the workers that a dead process left behind: SIGTERM, then SIGKILL to what is left."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            deadline = time.monotonic() + LEFTOVERS_SECONDS
            _signal_group(self.process.pid, number)
            while _signal_group(self.process.pid, 0) and time.monotonic() < deadline:
                time.sleep(TICK_SECONDS)


def stop_all(children: Sequence[Child], *, seconds: float, request: StopRequest) -> None:
    """Ask every child to stop, and wait. After `seconds`, or at an impatient request, kill the rest and its workers."""
    broken = [child for child in children if child.has_ended]
    for child in children:
        child.ask_to_stop()
    deadline = time.monotonic() + seconds
    while not all(child.has_ended for child in children):
        if request.is_impatient or time.monotonic() > deadline:
            broken += _killed([child for child in children if not child.has_ended])
        time.sleep(TICK_SECONDS)
    for child in broken:
        child.end_leftovers()


def _killed(children: list[Child]) -> list[Child]:
    for child in children:
        child.process.kill()
        child.process.wait()
    return children


def _signal_group(group: int, number: int) -> bool:
    """Whether the group had a process to signal; signal 0 only checks."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):  # macOS says EPERM of a group of zombies
        return False
    return True


def end_with_parent() -> Callable[[], None] | None:
    """What a child does first on Linux: ask for SIGTERM should we die without stopping it (SIGKILL, out of memory).

    Everything is looked up before the fork; the child only makes one system call. Other systems have no such call.
    """
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None, use_errno=True).prctl

    def ask() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGTERM.value)

    return ask

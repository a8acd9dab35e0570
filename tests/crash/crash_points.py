"""Crash points: a worker is tracked step by step through one chat, and dies at the step it was given.

A step is a look at the clock, or the moment before or after an SQL statement. The stages of a chat are `reading` up to
the question, `answered` up to the transaction, `writing` inside it, and `settled` after the commit. The model call and
the commit itself lie between two steps; the test kills the worker there from outside: in the stage `answering`, and in
`any_moment`, at a random moment after the first step.
"""

import os
import signal
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from memory.models import AuditRow
from tests.crash.numbered_chats import mark_of


@dataclass(frozen=True)
class CrashPoint:
    """Where the worker dies: at the chat with this mark, in this stage, at this step of it (the first is 1).

    Step 0: the process that started the worker kills it there.
    """

    mark: str
    stage: str
    step: int


class Progress:
    """Where the worker is. `steps` counts its steps in each stage of the current chat, or of the last one."""

    def __init__(self, crash_point: CrashPoint | None, tell: Callable[..., None]) -> None:
        self.crash_point = crash_point
        self.tell = tell
        self.stage = ""
        self.mark = ""
        self.steps: Counter[str] = Counter()

    def begin(self, mark: str) -> None:
        """Note that the worker starts on a chat."""
        self.wait_for_the_kill()
        self.mark, self.steps = mark, Counter()
        if self._is_at_crash_chat:
            self.tell(at=mark)
        self.enter("reading")

    def enter(self, stage: str) -> None:
        """Note that the chat enters its next stage."""
        self.stage = stage
        self.step()

    def step(self) -> None:
        """Count one step. At the crash point it is the last: the process kills itself."""
        self.steps[self.stage] += 1
        if self._is_at_crash_chat and self.crash_point == CrashPoint(self.mark, self.stage, self.steps[self.stage]):
            os.kill(os.getpid(), signal.SIGKILL)

    def statement(self, execute: Callable[..., Any], *arguments: Any) -> Any:
        """One SQL statement, for `connection.execute_wrapper`."""
        if self.stage == "answered" and connection.in_atomic_block:
            self.enter("writing")
        elif self.stage == "writing" and not connection.in_atomic_block:
            self.enter("settled")
        self.step()
        result = execute(*arguments)
        self.step()
        return result

    def wait_for_the_kill(self) -> None:
        """Stop once the chat of an `any_moment` crash point is done: the kill from outside is about to come."""
        if self._is_at_crash_chat and self.crash_point and self.crash_point.stage == "any_moment":
            signal.pause()

    @property
    def _is_at_crash_chat(self) -> bool:
        return self.crash_point is not None and self.crash_point.mark == self.mark


class TrackedJob:
    """A worker's job that reports its stages to `progress`; `limits` replace `batch_size` and `max_attempts`."""

    def __init__(self, job: Any, progress: Progress, **limits: int) -> None:
        self.job = job
        self.progress = progress
        self.__dict__.update(limits)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.job, name)

    def prepare(self, chat: AuditRow) -> Any:
        """Read the chat."""
        self.progress.begin(mark_of(chat))
        return self.job.prepare(chat)

    def ask(self, question: Any) -> Any:
        """Ask the model."""
        self.progress.enter("answering")
        answer = self.job.ask(question)
        self.progress.enter("answered")
        return answer


def fixed_clock(now: datetime, progress: Progress) -> Callable[[], datetime]:
    """A clock that stands at `now`; each look at it is a step."""

    def look() -> datetime:
        progress.step()
        return now

    return look

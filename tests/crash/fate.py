"""A worker that is watched step by step through one chat, and dies at the step it was given.

A step is a look at the clock, or the time before or after an SQL statement, so that every place between reading a chat
and what follows its commit is one: `reading` up to the question, `answered` up to the transaction, `writing` inside
it, `settled` after the commit. What is between, the call itself and the commit, is reached by killing from outside
(`answering`, and `clock`: at any moment from the first step on).
"""

import os
import re
import signal
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from memory.models import AuditRow

MARK = re.compile(r"chat-\d{4}")


def mark_of(chat: AuditRow) -> str:
    """The mark in a chat's text, by which the model server counts it."""
    found = MARK.search(str(chat.payload["messages"]))
    assert found, chat.payload
    return found[0]


@dataclass(frozen=True)
class Fate:
    """Where the worker dies: at the chat with this mark, in this stage, at this step of it (the first is 1).

    Step 0: whoever started it kills it there.
    """

    mark: str
    stage: str
    step: int


class Watch:
    """Where the worker is. `steps`: how many it took in each stage of the chat it is at, or was at last."""

    def __init__(self, fate: Fate | None, tell: Callable[..., None]) -> None:
        self.fate = fate
        self.tell = tell
        self.stage = ""
        self.mark = ""
        self.steps: Counter[str] = Counter()

    def begin(self, mark: str) -> None:
        """A chat is to be read."""
        self.wait_for_the_clock()
        self.mark, self.steps = mark, Counter()
        if self._is_doomed:
            self.tell(at=mark)
        self.enter("reading")

    def enter(self, stage: str) -> None:
        """The next stage of the chat."""
        self.stage = stage
        self.step()

    def step(self) -> None:
        """Take a step, perhaps the last."""
        self.steps[self.stage] += 1
        if self._is_doomed and self.fate == Fate(self.mark, self.stage, self.steps[self.stage]):
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

    def wait_for_the_clock(self) -> None:
        """Do nothing more once the doomed chat is behind: whoever kills by the clock is on the way."""
        if self._is_doomed and self.fate and self.fate.stage == "clock":
            signal.pause()

    @property
    def _is_doomed(self) -> bool:
        return self.fate is not None and self.fate.mark == self.mark


class Watched:
    """A worker's job whose stages are noted on the way, with limits of its own (`batch_size`, `max_attempts`)."""

    def __init__(self, job: Any, watch: Watch, **limits: int) -> None:
        self.job = job
        self.watch = watch
        self.__dict__.update(limits)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.job, name)

    def prepare(self, chat: AuditRow) -> Any:
        """Read the chat."""
        self.watch.begin(mark_of(chat))
        return self.job.prepare(chat)

    def ask(self, question: Any) -> Any:
        """Ask the model."""
        self.watch.enter("answering")
        answer = self.job.ask(question)
        self.watch.enter("answered")
        return answer


def standing_clock(now: datetime, watch: Watch) -> Callable[[], datetime]:
    """A clock that stands at `now`; each look at it is a step."""

    def look() -> datetime:
        watch.step()
        return now

    return look

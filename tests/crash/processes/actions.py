"""What a forked child can do. Each action reports its result by `tell(...)`."""

import html
import json
import os
import random
import signal
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import monotonic, sleep
from typing import Any

import time_machine
from django.conf import settings
from django.db import connection
from django.test import Client
from django.urls import get_resolver
from django.utils import timezone
from django.utils.html import strip_tags

from memory import learning
from memory.learning.extraction import EXTRACTION
from memory.learning.summaries import SUMMARY
from tests.crash.crash_points import CrashPoint, Progress, TrackedJob, fixed_clock

Tell = Callable[..., None]
JOBS: dict[str, Any] = {"extract": EXTRACTION, "summarise": SUMMARY}


def preload() -> None:
    """Load what is loaded on first use, so that each child does not have to. Opens no connection."""
    import caesar.wsgi  # noqa: F401

    get_resolver().url_patterns  # noqa: B018


def work(
    tell: Tell,
    *,
    job: str,
    now: str,
    crash_point: dict[str, Any] | None = None,
    most: int | None = None,
    busy_seconds: float | None = None,
) -> None:
    """Run batches until no chat waits, or one batch of `most` chats. The clock stands at `now`."""
    set_busy_timeout(busy_seconds)
    progress = Progress(CrashPoint(**crash_point) if crash_point else None, tell)
    tracked = TrackedJob(JOBS[job], progress, **({"batch_size": most} if most else {}))
    clock = fixed_clock(datetime.fromisoformat(now), progress)
    with connection.execute_wrapper(progress.statement):
        tally = learning.run(tracked, clock=clock)
        while tally.state == "full" and not most:
            tally.add(learning.run(tracked, clock=clock))
    progress.wait_for_the_kill()
    tell(state=tally.state, read=tally.rows_ok, asked=tally.questions, steps=progress.steps)


def compete(tell: Tell, *, job: str, now: str, **limits: int) -> None:
    """Run batches until no chat waits; try again while others hold the cursor."""
    progress = Progress(None, tell)
    tracked = TrackedJob(JOBS[job], progress, **limits)
    clock = fixed_clock(datetime.fromisoformat(now), progress)
    tally = learning.run(tracked, clock=clock)
    while tally.state != "done":
        if tally.state == "busy":
            sleep(random.uniform(0, 0.05))  # as the queue would: eight busy loops leave no core to the one at work
        tally.add(learning.run(tracked, clock=clock))
    tell(read=tally.rows_ok, asked=tally.questions, failed=tally.rows_failed + tally.rows_abandoned)


@dataclass(frozen=True, kw_only=True)
class ApiRequest:
    """One request to the API. `once`: its `Idempotency-Key`."""

    path: str
    key: str
    method: str = "post"
    body: dict[str, Any] | None = None
    once: str = ""

    @property
    def headers(self) -> dict[str, str]:
        """The headers to send."""
        return {"Authorization": f"Bearer {self.key}"} | ({"Idempotency-Key": self.once} if self.once else {})

    @property
    def content(self) -> str:
        """The body to send."""
        return json.dumps(self.body) if self.body else ""


def call(
    tell: Tell,
    *,
    dies_at: int = 0,
    busy_seconds: float | None = None,
    waits: bool = False,
    later_seconds: float = 0.0,
    **request: Any,
) -> None:
    """Send an `ApiRequest` to the API. `dies_at`: the step of its database work at which this process dies (from 1).

    `waits`: for SIGUSR1, first. `later_seconds`: how far the clock is moved forward.
    """
    asked = ApiRequest(**request)
    set_busy_timeout(busy_seconds)
    steps = Steps(dies_at)
    client = Client(raise_request_exception=False, SERVER_NAME="localhost", headers=asked.headers)
    if waits:
        wait_for_signal(tell)
    moment = timezone.now() + timedelta(seconds=later_seconds)
    with time_machine.travel(moment), connection.execute_wrapper(steps.statement):
        answer = client.generic(asked.method.upper(), asked.path, asked.content, "application/json")
    kept = {name: answer.headers[name] for name in ("Retry-After", "X-Memory-Recorded") if name in answer.headers}
    tell(status=answer.status_code, body=json.loads(answer.content), headers=kept, steps=steps.taken, at=monotonic())


def set_busy_timeout(busy_seconds: float | None) -> None:
    """Set how long SQLite waits for a lock, in place of what the settings say."""
    if busy_seconds is not None:
        connection.settings_dict["OPTIONS"]["timeout"] = busy_seconds


def save_form(tell: Tell, *, session: str, address: str, fields: dict[str, str]) -> None:
    """Send a form as the browser of a logged-in operator does, at SIGUSR1."""
    client = Client(SERVER_NAME="localhost")
    client.cookies[settings.SESSION_COOKIE_NAME] = session
    wait_for_signal(tell)
    answer = client.post(address, fields)
    tell(status=answer.status_code, page=" ".join(strip_tags(html.unescape(answer.text)).split())[-3000:])


class Steps:
    """Counts the steps of a piece of work in the database, before and after each statement; dies at one of them."""

    def __init__(self, dies_at: int) -> None:
        self.taken = 0
        self.dies_at = dies_at

    def statement(self, execute: Callable[..., Any], *arguments: Any) -> Any:
        """One statement, for `connection.execute_wrapper`."""
        self._step()
        result = execute(*arguments)
        self._step()
        return result

    def _step(self) -> None:
        self.taken += 1
        if self.taken == self.dies_at:
            os.kill(os.getpid(), signal.SIGKILL)


def wait_for_signal(tell: Tell) -> None:
    """Say that all is ready, and go on at SIGUSR1: several that wait begin at once."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
    tell(ready=True)
    signal.sigwait({signal.SIGUSR1})


def lock(tell: Tell, *, file: str, seconds: float | None = None) -> None:
    """Hold SQLite's one write lock until SIGUSR1, or for a time."""
    raw = sqlite3.connect(file, isolation_level=None)
    raw.execute("BEGIN IMMEDIATE")
    if seconds is None:
        wait_for_signal(tell)
    else:
        tell(ready=True)
        sleep(seconds)
    freed = monotonic()
    raw.execute("ROLLBACK")
    tell(freed=freed)


ACTIONS: dict[str, Callable[..., None]] = {
    "work": work,
    "compete": compete,
    "call": call,
    "save_form": save_form,
    "lock": lock,
}

"""Workers killed by SIGKILL, each at another chat, anywhere between reading it and what follows its commit.

Whoever comes next has a clock at which the dead worker's claim has run out.
"""

import os
import random
import signal
import time
from collections import Counter
from dataclasses import asdict
from datetime import datetime, timedelta

import pytest

from tests.crash.crash_points import CrashPoint
from tests.crash.model import CountingModel
from tests.crash.numbered_chats import assert_learned_once, mark, record_chats
from tests.crash.processes.fork_client import Child, ForkServer

pytestmark = pytest.mark.django_db(transaction=True)

KILLS = int(os.environ.get("KILLS", "60"))
"""`make attack` at its full size has 200."""

CHATS = KILLS * 5 // 2
A_CLAIM = timedelta(minutes=12)  # more than a claim holds
PAID = {"reading": {1}, "answering": {2}, "answered": {2}, "writing": {2}, "settled": {1}, "any_moment": {1, 2}}
"""How often a chat is paid for, by where its worker was killed."""

FROM_OUTSIDE = ("answering", "any_moment")


@pytest.mark.parametrize("job", ["extract", "summarise"])
def test_killed_workers_lose_and_repeat_nothing(
    job: str, fork_server: ForkServer, model: CountingModel, chance: random.Random, now: datetime
) -> None:
    numbers = range(CHATS)
    record_chats(numbers, now=now)
    steps, seconds = rehearse(fork_server, job, now=now)
    crash_points = drawn(chance, steps)
    for turn, crash_point in enumerate(crash_points, start=1):
        child = kill_one(
            fork_server, model, job, crash_point, now=now + turn * A_CLAIM, wait=chance.uniform(0, seconds)
        )
        assert child.exit_status() == -signal.SIGKILL, (crash_point, fork_server.tracebacks())
    last = fork_server.start("work", job=job, now=(now + (KILLS + 1) * A_CLAIM).isoformat()).answer()
    assert last["state"] == "done"

    assert_learned_once(job, numbers)
    killed_in = {crash_point.mark: crash_point.stage for crash_point in crash_points}
    paid = {number: model.paid[job, mark(number)] for number in numbers}
    wrong = {n: times for n, times in paid.items() if times not in PAID[killed_in.get(mark(n), "settled")]}
    assert not wrong, {n: (times, killed_in.get(mark(n))) for n, times in wrong.items()}
    print(f"{job}: {KILLS} kills {dict(Counter(killed_in.values()))}; paid twice: {Counter(paid.values())[2]}")


def rehearse(fork_server: ForkServer, job: str, *, now: datetime) -> tuple[dict[str, int], float]:
    """Have two chats read by a worker that lives: the steps of each stage, and how long a chat takes."""
    fork_server.start("work", job=job, now=now.isoformat(), most=1).answer()
    child = fork_server.start(
        "work", job=job, now=now.isoformat(), most=1, crash_point=asdict(CrashPoint(mark(1), "nowhere", 0))
    )
    assert child.next_message() == {"at": mark(1)}
    began = time.perf_counter()
    said = child.answer()
    assert (said["read"], said["asked"]) == (1, 1)
    return said["steps"], time.perf_counter() - began


def drawn(chance: random.Random, steps: dict[str, int]) -> list[CrashPoint]:
    """Another chat for each kill, and for each a stage and a step of it."""
    marks = [mark(number) for number in sorted(chance.sample(range(2, CHATS), KILLS))]
    stages = [chance.choice(list(PAID)) for _ in marks]
    most = steps | {"settled": 1}
    return [
        CrashPoint(one, stage, 0 if stage in FROM_OUTSIDE else chance.randint(1, most[stage]))
        for one, stage in zip(marks, stages, strict=True)
    ]


def kill_one(
    fork_server: ForkServer, model: CountingModel, job: str, crash_point: CrashPoint, *, now: datetime, wait: float
) -> Child:
    """Start a worker that dies at its crash point; killed from here where it does not do so itself."""
    held = model.hold(crash_point.mark, sent_before=wait) if crash_point.stage == "answering" else None
    child = fork_server.start("work", job=job, now=now.isoformat(), crash_point=asdict(crash_point))
    if held:
        assert held.asked.wait(60), fork_server.tracebacks()
        child.kill()
        held.free.set()
    elif crash_point.stage == "any_moment":
        assert child.next_message() == {"at": crash_point.mark}
        time.sleep(wait)  # the random moment
        child.kill()
    return child

"""Workers killed by SIGKILL, each at another chat, anywhere between reading it and what follows its commit.

Whoever comes next has a clock at which the dead worker's claim has run out.
"""

import random
import signal
import time
from collections import Counter
from dataclasses import asdict
from datetime import datetime, timedelta

import pytest

from tests.crash.children import Child, Nursery
from tests.crash.fate import Fate
from tests.crash.model import CountingModel
from tests.crash.talk import learnt_once, mark, say_all

pytestmark = pytest.mark.django_db(transaction=True)

CHATS = 500
KILLS = 200
A_CLAIM = timedelta(minutes=10)  # more than a claim holds
PAID = {"reading": {1}, "answering": {2}, "answered": {2}, "writing": {2}, "settled": {1}, "clock": {1, 2}}
"""How often a chat is paid for, by where its worker was killed."""

FROM_OUTSIDE = ("answering", "clock")


@pytest.mark.parametrize("job", ["extract", "summarise"])
def test_two_hundred_killed_workers_lose_and_repeat_nothing(
    job: str, nursery: Nursery, model: CountingModel, chance: random.Random, now: datetime
) -> None:
    numbers = range(CHATS)
    say_all(numbers, now=now)
    steps, seconds = rehearse(nursery, job, now=now)
    fates = drawn(chance, steps)
    for turn, fate in enumerate(fates, start=1):
        child = kill_one(nursery, model, job, fate, now=now + turn * A_CLAIM, wait=chance.uniform(0, seconds))
        assert child.ending() == -signal.SIGKILL, (fate, nursery.complaints())
    last = nursery.start("work", job=job, now=(now + (KILLS + 1) * A_CLAIM).isoformat()).answer()
    assert last["state"] == "done"

    learnt_once(job, numbers)
    killed_in = {fate.mark: fate.stage for fate in fates}
    paid = {number: model.paid[job, mark(number)] for number in numbers}
    wrong = {n: times for n, times in paid.items() if times not in PAID[killed_in.get(mark(n), "settled")]}
    assert not wrong, {n: (times, killed_in.get(mark(n))) for n, times in wrong.items()}
    print(f"{job}: {KILLS} kills {dict(Counter(killed_in.values()))}; paid twice: {Counter(paid.values())[2]}")


def rehearse(nursery: Nursery, job: str, *, now: datetime) -> tuple[dict[str, int], float]:
    """Have two chats read by a worker that lives: the steps of each stage, and how long a chat takes."""
    nursery.start("work", job=job, now=now.isoformat(), most=1).answer()
    child = nursery.start("work", job=job, now=now.isoformat(), most=1, fate=asdict(Fate(mark(1), "nowhere", 0)))
    assert child.says() == {"at": mark(1)}
    began = time.perf_counter()
    said = child.answer()
    assert (said["read"], said["asked"]) == (1, 1)
    return said["steps"], time.perf_counter() - began


def drawn(chance: random.Random, steps: dict[str, int]) -> list[Fate]:
    """Another chat for each kill, and for each a stage and a step of it."""
    marks = [mark(number) for number in sorted(chance.sample(range(2, CHATS), KILLS))]
    stages = [chance.choice(list(PAID)) for _ in marks]
    most = steps | {"settled": 1}
    return [
        Fate(one, stage, 0 if stage in FROM_OUTSIDE else chance.randint(1, most[stage]))
        for one, stage in zip(marks, stages, strict=True)
    ]


def kill_one(nursery: Nursery, model: CountingModel, job: str, fate: Fate, *, now: datetime, wait: float) -> Child:
    """Start a worker that meets its fate; killed from here where it does not do it itself."""
    held = model.hold(fate.mark, sent_before=wait) if fate.stage == "answering" else None
    child = nursery.start("work", job=job, now=now.isoformat(), fate=asdict(fate))
    if held:
        assert held.asked.wait(60), nursery.complaints()
        child.kill()
        held.free.set()
    elif fate.stage == "clock":
        assert child.says() == {"at": fate.mark}
        time.sleep(wait)  # for nothing: it is the random moment itself
        child.kill()
    return child

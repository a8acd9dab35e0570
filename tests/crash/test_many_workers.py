"""Eight workers at one cursor, in processes of their own, as two hosts with a wrong `retry` would have them."""

from collections import Counter
from datetime import datetime, timedelta

import pytest

from tests.crash.model import CountingModel
from tests.crash.numbered_chats import assert_learned_once, mark, record_chats
from tests.crash.processes.fork_client import ForkServer

pytestmark = pytest.mark.django_db(transaction=True)

WORKERS = 8


@pytest.mark.parametrize("job", ["extract", "summarise"])
def test_eight_workers_at_one_cursor_pay_once_for_each_chat(
    job: str, fork_server: ForkServer, model: CountingModel, now: datetime
) -> None:
    numbers = range(240)
    record_chats(numbers, now=now)
    workers = [fork_server.start("compete", job=job, now=now.isoformat(), batch_size=3) for _ in range(WORKERS)]
    answers = [worker.answer() for worker in workers]
    assert_learned_once(job, numbers)
    assert model.paid == Counter({(job, mark(number)): 1 for number in numbers})
    assert sum(answer["read"] for answer in answers) == len(numbers)
    assert sum(bool(answer["read"]) for answer in answers) > 1, "one alone had nobody to compete with"
    assert not any(answer["failed"] for answer in answers)


@pytest.mark.parametrize("job", ["extract", "summarise"])
def test_workers_whose_claims_hold_for_nobody_write_everything_once(
    job: str, fork_server: ForkServer, model: CountingModel, now: datetime
) -> None:
    """Their clocks are days apart, so each takes over from each: what is right never rests on the claim.

    Each comes again after a while by chance: otherwise they may take turns in robbing each other for minutes.
    """
    numbers = range(20)
    record_chats(numbers, now=now)
    clocks = [(now + timedelta(days=day)).isoformat() for day in range(3)]
    workers = [fork_server.start("compete", job=job, now=clock, max_attempts=10_000) for clock in clocks]
    answers = [worker.answer() for worker in workers]
    assert_learned_once(job, numbers)
    assert sum(answer["read"] for answer in answers) == len(numbers)
    assert all(model.paid[job, mark(number)] >= 1 for number in numbers)
    print(
        f"{job}: {model.paid.total()} calls for {len(numbers)} chats; read by {[answer['read'] for answer in answers]}"
    )

"""SQLite's one write lock held by another process for longer than anybody likes. No chat is lost, none is learnt twice.

How long a writer waits is a matter of its connection, so most of this runs with a patience of a fraction of a second.
"""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection

from memory.models import ApiKey, AuditRow, MemoryRevision
from tests.crash.children import Child, Nursery
from tests.crash.model import CountingModel
from tests.crash.talk import learnt_once, mark, say_all
from tests.servers import eventually

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has no lock on the whole database"),
]

SHORT = 0.05
A_CLAIM = timedelta(minutes=10)  # more than a claim holds


def locked(nursery: Nursery, **given: Any) -> Child:
    """A process that holds the lock, until it is told to go on or for a time."""
    child = nursery.start("lock", file=str(connection.settings_dict["NAME"]), **given)
    assert child.says() == {"ready": True}
    return child


def free(child: Child) -> None:
    child.go()
    assert child.ending() == 0


def chat(number: int) -> dict[str, Any]:
    said = f"In {mark(number)} my locker is number {number:04d}."
    return {"messages": [{"role": "user", "content": said}], "reply": "ok"}


def chats() -> int:
    return AuditRow.objects.get_queryset().chats().count()


@pytest.fixture
def key(db: None) -> str:
    MemoryRevision.current()  # the migration's row, which tests with real transactions lose
    return ApiKey.objects.issue("a chat backend").secret


def test_a_lock_that_outlasts_the_patience_is_a_503_that_says_when_to_try_again(
    nursery: Nursery, model: CountingModel, key: str
) -> None:
    path = "/v1/memory/chats"
    lock = locked(nursery)
    refused = nursery.start("call", path=path, key=key, body=chat(1), busy_seconds=SHORT).answer()
    assert (refused["status"], refused["headers"]) == (503, {"Retry-After": "1"})
    assert refused["body"]["error"]["code"] == "database_unavailable"
    assert chats() == 0
    free(lock)
    again = nursery.start("call", path=path, key=key, body=chat(1)).answer()
    assert again["status"] == 201
    assert chats() == 1


def test_a_turn_that_was_paid_for_is_answered_and_recorded_by_the_next_one(
    nursery: Nursery, model: CountingModel, key: str
) -> None:
    lock = locked(nursery)
    answered = nursery.start("call", path="/v1/chat", key=key, body=chat(1), busy_seconds=SHORT).answer()
    assert (answered["status"], answered["headers"]) == (200, {"X-Memory-Recorded": "later"})
    assert (answered["body"]["audit_log_id"], chats()) == (None, 0)
    free(lock)
    again = nursery.start("call", path="/v1/chat", key=key, body=chat(2)).answer()
    assert (again["status"], again["headers"], chats()) == (200, {}, 2)
    assert AuditRow.objects.get_queryset().chats().filter(decision_id=answered["body"]["decision_id"]).count() == 1
    assert model.paid["chat", mark(1)] == 1


def test_what_only_reads_is_answered_while_the_database_is_locked(
    nursery: Nursery, model: CountingModel, key: str
) -> None:
    lock = locked(nursery)
    for path in ("/v1/memory/facts", "/v1/memory/episodes", "/v1/audit"):
        answer = nursery.start("call", path=path, method="get", key=key, busy_seconds=SHORT).answer()
        assert answer["status"] == 200, (path, answer)
    free(lock)


def test_a_worker_that_cannot_commit_gives_up_and_the_next_one_catches_up(
    nursery: Nursery, model: CountingModel, now: datetime
) -> None:
    say_all(range(3), now=now)
    held = model.hold(mark(1))
    worker = nursery.start("work", job="extract", now=now.isoformat(), busy_seconds=SHORT)
    assert held.asked.wait(60)
    lock = locked(nursery)
    held.free.set()
    assert worker.ending() == 1, "the task fails, and the queue's log says why"
    assert "database is locked" in nursery.complaints()
    free(lock)
    for later in (now, now + A_CLAIM):
        last = nursery.start("work", job="extract", now=later.isoformat()).answer()
    assert last["state"] == "done"
    learnt_once("extract", range(3))
    assert [model.paid["extract", mark(number)] for number in range(3)] == [1, 2, 1]


def test_a_worker_tries_to_commit_again_so_that_the_answer_is_paid_for_once(
    nursery: Nursery, model: CountingModel, now: datetime
) -> None:
    say_all(range(2), now=now)
    held = model.hold(mark(0))
    worker = nursery.start("work", job="extract", now=now.isoformat(), busy_seconds=1.0)
    assert held.asked.wait(60)
    lock, before = locked(nursery), nursery.complaints()
    held.free.set()
    assert eventually(lambda: "held by another process; trying again" in nursery.complaints().removeprefix(before))
    free(lock)
    assert worker.answer()["state"] == "done"
    learnt_once("extract", range(2))
    assert [model.paid["extract", mark(number)] for number in range(2)] == [1, 1]


@pytest.mark.ten_seconds
def test_ten_real_seconds_cost_patience_and_nothing_else(
    nursery: Nursery, model: CountingModel, key: str, now: datetime
) -> None:
    """With the patience that the settings give: two calls and a worker that has its answer wait to the end."""
    say_all([0], now=now)
    held = model.hold(mark(0))
    worker = nursery.start("work", job="extract", now=now.isoformat(), most=1)
    assert held.asked.wait(60)
    lock = locked(nursery, seconds=10)
    held.free.set()
    calls = [nursery.start("call", path=path, key=key, body=chat(1)) for path in ("/v1/memory/chats", "/v1/chat")]
    freed = lock.answer()["freed"]
    answers = [call.answer() for call in calls]
    assert [answer["status"] for answer in answers] == [201, 200]
    assert all(answer["at"] > freed for answer in answers)
    assert worker.answer()["read"] == 1
    assert model.paid["extract", mark(0)] == 1
    assert chats() == 3

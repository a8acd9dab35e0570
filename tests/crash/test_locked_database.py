"""SQLite's one write lock, held by another process for long. No chat is lost, none is learned from twice.

The busy timeout belongs to the connection, so most of these tests set it to a fraction of a second.
"""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection

from memory.models import SCOPES, ApiKey, AuditRow, MemoryRevision
from tests.crash.model import CountingModel
from tests.crash.numbered_chats import assert_learned_once, mark, record_chats, said
from tests.crash.processes.fork_client import Child, ForkServer
from tests.servers import eventually

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has no lock on the whole database"),
]

SHORT = 0.05
A_CLAIM = timedelta(minutes=12)  # more than a claim holds


def locked(fork_server: ForkServer, **given: Any) -> Child:
    """A process that holds the lock, until it is told to go on or for a time."""
    child = fork_server.start("lock", file=str(connection.settings_dict["NAME"]), **given)
    assert child.next_message() == {"ready": True}
    return child


def free(child: Child) -> None:
    child.resume()
    assert child.exit_status() == 0


def chat(number: int) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": said(number)}], "reply": "ok"}


def chats() -> int:
    return AuditRow.objects.get_queryset().chats().count()


@pytest.fixture
def key(db: None) -> str:
    MemoryRevision.current()  # the migration's row, which tests with real transactions lose
    return ApiKey.objects.issue("a chat backend", scopes=SCOPES).secret


def test_a_lock_that_outlasts_the_patience_is_a_503_that_says_when_to_try_again(
    fork_server: ForkServer, model: CountingModel, key: str
) -> None:
    path = "/v1/memory/chats"
    lock = locked(fork_server)
    refused = fork_server.start("call", path=path, key=key, body=chat(1), busy_seconds=SHORT).answer()
    assert (refused["status"], refused["headers"]) == (503, {"Retry-After": "1"})
    assert refused["body"]["error"]["code"] == "database_unavailable"
    assert chats() == 0
    free(lock)
    again = fork_server.start("call", path=path, key=key, body=chat(1)).answer()
    assert again["status"] == 201
    assert chats() == 1


def test_a_turn_that_was_paid_for_is_answered_and_recorded_by_the_next_one(
    fork_server: ForkServer, model: CountingModel, key: str
) -> None:
    lock = locked(fork_server)
    answered = fork_server.start("call", path="/v1/chat", key=key, body=chat(1), busy_seconds=SHORT).answer()
    assert (answered["status"], answered["headers"]) == (200, {"X-Memory-Recorded": "later"})
    assert (answered["body"]["audit_log_id"], chats()) == (None, 0)
    free(lock)
    again = fork_server.start("call", path="/v1/chat", key=key, body=chat(2)).answer()
    assert (again["status"], again["headers"], chats()) == (200, {}, 2)
    assert AuditRow.objects.get_queryset().chats().filter(decision_id=answered["body"]["decision_id"]).count() == 1
    assert model.paid["chat", mark(1)] == 1


def test_what_only_reads_is_answered_while_the_database_is_locked(
    fork_server: ForkServer, model: CountingModel, key: str
) -> None:
    lock = locked(fork_server)
    for path in ("/v1/memory/facts", "/v1/memory/episodes", "/v1/audit"):
        answer = fork_server.start("call", path=path, method="get", key=key, busy_seconds=SHORT).answer()
        assert answer["status"] == 200, (path, answer)
    free(lock)


def test_a_worker_that_cannot_commit_gives_up_and_the_next_one_catches_up(
    fork_server: ForkServer, model: CountingModel, now: datetime
) -> None:
    record_chats(range(3), now=now)
    held = model.hold(mark(1))
    worker = fork_server.start("work", job="extract", now=now.isoformat(), busy_seconds=SHORT)
    assert held.asked.wait(60)
    lock = locked(fork_server)
    held.free.set()
    assert worker.exit_status() == 1, "the task fails, and the queue's log says why"
    assert "database is locked" in fork_server.tracebacks()
    free(lock)
    for later in (now, now + A_CLAIM):
        last = fork_server.start("work", job="extract", now=later.isoformat()).answer()
    assert last["state"] == "done"
    assert_learned_once("extract", range(3))
    assert [model.paid["extract", mark(number)] for number in range(3)] == [1, 2, 1]


def test_a_worker_tries_to_commit_again_so_that_the_answer_is_paid_for_once(
    fork_server: ForkServer, model: CountingModel, now: datetime
) -> None:
    record_chats(range(2), now=now)
    held = model.hold(mark(0))
    worker = fork_server.start("work", job="extract", now=now.isoformat(), busy_seconds=1.0)
    assert held.asked.wait(60)
    lock, before = locked(fork_server), fork_server.tracebacks()
    held.free.set()
    assert eventually(lambda: "held by another process; trying again" in fork_server.tracebacks().removeprefix(before))
    free(lock)
    assert worker.answer()["state"] == "done"
    assert_learned_once("extract", range(2))
    assert [model.paid["extract", mark(number)] for number in range(2)] == [1, 1]


@pytest.mark.ten_seconds
def test_ten_real_seconds_cost_patience_and_nothing_else(
    fork_server: ForkServer, model: CountingModel, key: str, now: datetime
) -> None:
    """With the busy timeout that the settings give: two calls and a worker that has its answer wait to the end."""
    record_chats([0], now=now)
    held = model.hold(mark(0))
    worker = fork_server.start("work", job="extract", now=now.isoformat(), most=1)
    assert held.asked.wait(60)
    lock = locked(fork_server, seconds=10)
    held.free.set()
    calls = [fork_server.start("call", path=path, key=key, body=chat(1)) for path in ("/v1/memory/chats", "/v1/chat")]
    freed = lock.answer()["freed"]
    answers = [call.answer() for call in calls]
    assert [answer["status"] for answer in answers] == [201, 200]
    assert all(answer["at"] > freed for answer in answers)
    assert worker.answer()["read"] == 1
    assert model.paid["extract", mark(0)] == 1
    assert chats() == 3

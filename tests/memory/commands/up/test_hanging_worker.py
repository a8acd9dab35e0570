"""`manage.py up` replaces a worker that hangs."""

import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.db import OperationalError
from django_q.models import OrmQ

from memory import health
from memory.management.commands import up
from memory.management.processes import Child, StopRequest, stop_all
from memory.models import WorkerHeartbeat
from tests.conftest import Configure

NOW = datetime(2026, 5, 20, 12, tzinfo=UTC)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("waits", "ran", "hangs"), [(130, 4000, True), (130, 400, False), (60, 4000, False), (-600, 4000, False)]
)
def test_a_queue_hangs_where_tasks_wait_and_no_worker_ran(
    configure: Configure, waits: int, ran: int, hangs: bool
) -> None:
    configure(memory__facts_extract__enabled=True)
    OrmQ.objects.create(key="caesar", payload="", lock=NOW - timedelta(seconds=waits))
    WorkerHeartbeat.beat("memory.extract", now=NOW - timedelta(seconds=ran))
    assert health.queue_hangs(NOW) == hangs


def test_a_hang_that_is_seen_twice_has_the_worker_replaced(
    monkeypatch: pytest.MonkeyPatch, settings: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    looks: Iterator[bool] = iter([True, False, True, True])
    request = StopRequest()
    sleeper = [sys.executable, "-c", "import time; time.sleep(60)"]
    children = [Child.start("worker", sleeper, folder=Path.cwd())]
    first = children[0]

    def tick(seconds: float) -> None:
        if children[0] is not first:
            request._note(15, None)

    settings.TASK_TIMEOUT_SECONDS = 0  # type: ignore[attr-defined]
    monkeypatch.setattr(up, "_LOOK_SECONDS", 0)
    monkeypatch.setattr(up, "_status", lambda: None)
    monkeypatch.setattr(up, "_commands", lambda: [("worker", sleeper)])
    monkeypatch.setattr(up, "_queue_hangs", lambda: next(looks))
    monkeypatch.setattr(up.time, "sleep", tick)
    try:
        up.Command()._watch(children, request)
        assert (first.has_ended, children[0].has_ended) == (True, False)
    finally:
        stop_all(children, seconds=5, request=request)
    assert capsys.readouterr().out == "The worker hangs: tasks wait and none is run. Starting it again.\n"
    assert not list(looks)


def test_a_database_that_does_not_answer_is_no_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(now: datetime) -> bool:
        raise OperationalError

    monkeypatch.setattr(health, "queue_hangs", fail)
    monkeypatch.setattr(up.connections, "close_all", lambda: None)
    assert not up._queue_hangs()

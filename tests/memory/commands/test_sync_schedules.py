"""`manage.py sync_schedules`: one row for each worker that is on, however often and wherever it runs (case H38)."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from io import StringIO
from pathlib import Path
from threading import Barrier

import pytest
import time_machine
from django.conf import settings
from django.core.management import call_command
from django.db import connection, connections
from django.utils import timezone
from django.utils.module_loading import import_string
from django_q.models import OrmQ, Schedule
from django_q.scheduler import scheduler

from memory.management.commands.sync_schedules import TIMETABLE, to_minutes
from memory.queue import FUNCTIONS
from tests.conftest import Configure
from tests.memory.commands.own_server import OwnServer

NAME = "memory.extract"

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def one_worker(configure: Configure, memory_on: None) -> None:
    """The extractor alone, unless a test says otherwise."""
    configure(memory__retention_days=0)


def row() -> Schedule:
    """The extractor's; the sweep has one beside it whatever is switched off."""
    return Schedule.objects.get(name=NAME)


def sync(verbosity: int = 1) -> str:
    out = StringIO()
    call_command("sync_schedules", stdout=out, verbosity=verbosity)
    return out.getvalue()


def test_it_works(now: datetime) -> None:
    with time_machine.travel(now, tick=False):
        assert sync().splitlines() == [
            "memory.extract: every minute",
            "memory.summarise: switched off, no schedule",
            "memory.sweep: every 24 hours",
            "memory.backup: switched off, no schedule",
            "memory.backup_drill: switched off, no schedule",
            "memory.watch: switched off, no schedule",
        ]
    assert (row().func, row().minutes, row().repeats) == (FUNCTIONS[NAME], 1, -1)
    assert row().schedule_type == Schedule.MINUTES
    assert row().next_run == now


def test_each_task_that_is_on_has_its_row(configure: Configure) -> None:
    configure(memory__episodes_summarise__enabled=True, memory__retention_days=90)
    assert sync().splitlines() == [
        "memory.extract: every minute",
        "memory.summarise: every minute",
        "memory.sweep: every 24 hours",
        "memory.backup: switched off, no schedule",
        "memory.backup_drill: switched off, no schedule",
        "memory.watch: switched off, no schedule",
    ]
    rows = dict(Schedule.objects.values_list("name", "minutes"))
    assert rows == {"memory.extract": 1, "memory.summarise": 1, "memory.sweep": 24 * 60}


def test_backups_are_made_at_night_by_the_operators_clock(now: datetime, configure: Configure) -> None:
    configure(backup__enabled=True, time_zone="America/New_York")
    with time_machine.travel(now, tick=False):  # 05:00 there
        said = sync()
    assert "memory.backup: every 24 hours\nmemory.backup_drill: every week" in said
    runs = dict(Schedule.objects.filter(name__startswith="memory.backup").values_list("name", "next_run"))
    assert runs["memory.backup"] == now + timedelta(hours=22, minutes=30)
    assert runs["memory.backup_drill"] == now + timedelta(hours=23, minutes=30)


@pytest.mark.parametrize("task", TIMETABLE)
def test_the_queue_finds_what_it_is_to_run(task: str) -> None:
    assert callable(import_string(FUNCTIONS[task]))  # type: ignore[index]


def test_a_second_run_changes_nothing() -> None:
    sync()
    before = list(Schedule.objects.values())
    sync()
    assert list(Schedule.objects.values()) == before


@pytest.mark.parametrize(("seconds", "minutes"), [(1, 1), (60, 1), (60.5, 2), (90, 2), (3600, 60), (86_400, 1440)])
def test_an_interval_is_rounded_up_to_minutes(seconds: float, minutes: int, configure: Configure) -> None:
    configure(memory__facts_extract__interval_seconds=seconds)
    sync()
    assert row().minutes == minutes == to_minutes(seconds)


def test_a_changed_interval_counts_from_now(now: datetime, configure: Configure) -> None:
    configure(memory__facts_extract__interval_seconds=3600)
    with time_machine.travel(now - timedelta(minutes=30), tick=False):
        sync()
    Schedule.objects.update(next_run=now + timedelta(minutes=30))
    configure(memory__facts_extract__interval_seconds=60)
    with time_machine.travel(now, tick=False):
        sync()
    assert row().next_run == now


def test_a_worker_that_is_switched_off_has_no_row(configure: Configure) -> None:
    sync()
    configure(memory__facts_extract__enabled=False)
    assert "memory.extract: switched off, no schedule" in sync()
    assert not Schedule.objects.filter(name=NAME).exists()


def test_duplicates_and_rows_of_other_versions_go(now: datetime) -> None:
    for name in (NAME, NAME, "memory.renamed_since"):
        Schedule.objects.create(name=name, func="somewhere.else", minutes=5, schedule_type=Schedule.MINUTES)
    sync()
    assert row().func == FUNCTIONS[NAME]


def test_rows_of_others_stay() -> None:
    Schedule.objects.create(name="backup", func="somewhere.backup")
    sync()
    assert set(Schedule.objects.values_list("name", flat=True)) == {NAME, "memory.sweep", "backup"}


@pytest.mark.django_db(transaction=True)
def test_after_a_day_of_downtime_a_task_runs_once(now: datetime) -> None:
    with time_machine.travel(now, tick=False):
        sync()
    with time_machine.travel(now + timedelta(days=1, seconds=1), tick=False):
        scheduler()
        scheduler()
        assert OrmQ.objects.count() == 2  # one of each task that is on
        assert row().next_run > timezone.now()
    assert settings.Q_CLUSTER["catch_up"] is False


@pytest.mark.real_processes
def test_two_processes_at_once_leave_one_row(tmp_path: Path) -> None:
    server = OwnServer(tmp_path)
    server.migrate()
    both = [server.start("sync_schedules") for _ in range(2)]
    assert [process.wait(60) for process in both] == [0, 0]
    assert server.query("SELECT count(*) FROM django_q_schedule WHERE name = 'memory.extract'") == [(1,)]


@pytest.mark.django_db(transaction=True)
def test_two_transactions_at_once_leave_one_row() -> None:
    if connection.vendor == "sqlite":
        pytest.skip("needs PostgreSQL: SQLite has one writer anyway")
    barrier = Barrier(4)

    def at_once() -> None:
        barrier.wait()
        try:
            sync()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(at_once) for _ in range(4)]:
            done.result()
    assert Schedule.objects.filter(name=NAME).count() == 1

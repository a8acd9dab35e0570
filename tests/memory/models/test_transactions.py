"""Transactions that meet take locks in one order; one that the database ended runs again; a full disk has a name."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime, timedelta
from threading import Barrier, BrokenBarrierError
from typing import Any

import pytest
from django.db import OperationalError, connection, connections, transaction

from memory import chat, events, retention
from memory.events import Message
from memory.models import ApiKey, AuditRow, EpisodeSummary, FactConflict, PersonalFact
from memory.models.transactions import PAUSES_SECONDS, committed, is_storage_full
from memory.text.normalising import Claim
from tests.memory.recall import reference_recall as plain
from tests.turns import served_episode, turn

pytestmark = pytest.mark.django_db(transaction=True)

only_postgresql = pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one lock")
ROUNDS = 25
LONG = 60.0


def ended(sqlstate: str | None) -> OperationalError:
    """What Django raises where PostgreSQL ended a transaction."""
    cause = Exception("said by the driver")
    cause.sqlstate = sqlstate  # type: ignore[attr-defined]
    error = OperationalError("deadlock detected")
    error.__cause__ = cause
    return error


class Fails:
    """Writes a row and fails with these errors, one a call; then it returns how often it ran."""

    def __init__(self, now: datetime, *errors: Exception) -> None:
        self.now, self.errors, self.runs = now, list(errors), 0

    def __call__(self) -> int:
        self.runs += 1
        AuditRow.objects.record(events.FactUserAdded(key="a", value="1"), now=self.now)
        if self.errors:
            raise self.errors.pop(0)
        return self.runs


@pytest.mark.parametrize("sqlstate", ["40P01", "40001"])
def test_a_transaction_that_the_database_ended_runs_again(now: datetime, sqlstate: str) -> None:
    slept: list[float] = []
    assert committed(Fails(now, ended(sqlstate), ended(sqlstate)), sleep=slept.append) == 3
    assert slept == list(PAUSES_SECONDS[:2])
    assert AuditRow.objects.count() == 1


def test_not_for_ever(now: datetime) -> None:
    slept: list[float] = []
    work = Fails(now, *(ended("40P01") for _ in range(9)))
    with pytest.raises(OperationalError):
        committed(work, sleep=slept.append)
    assert (work.runs, slept) == (4, list(PAUSES_SECONDS))
    assert not AuditRow.objects.exists()


@pytest.mark.parametrize("error", [OperationalError("database is locked"), ended("08006"), ValueError("ours")])
def test_what_no_second_try_mends_is_raised_at_once(now: datetime, error: Exception) -> None:
    work = Fails(now, error)
    with pytest.raises(type(error)):
        committed(work, sleep=lambda seconds: pytest.fail("it slept"))
    assert work.runs == 1


@pytest.mark.parametrize(
    ("error", "is_full"),
    [
        (OperationalError("database or disk is full"), True),
        (ended("53100"), True),
        (OperationalError("database is locked"), False),
        (ended("40P01"), False),
    ],
)
def test_a_full_disk_is_told_from_a_busy_database(error: Exception, is_full: bool) -> None:
    assert is_storage_full(error) is is_full


# --- the order of locks ---------------------------------------------------------------------------------------------


def together(*works: Callable[[int], Any]) -> None:
    """Run these at the same time, again and again; whatever one of them raises is raised."""
    start = Barrier(len(works))

    def run(work: Callable[[int], Any]) -> None:
        try:
            for number in range(ROUNDS):
                start.wait(LONG)
                work(number)
        except BaseException:
            start.abort()
            raise
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(works)) as threads:
        done = [threads.submit(run, work) for work in works]
    errors = [one.exception() for one in done if one.exception()]
    errors.sort(key=lambda error: isinstance(error, BrokenBarrierError))  # the others only waited for its cause
    if errors:
        raise errors[0]


def context(ids: list[int], *, now: datetime) -> chat.Context:
    """A turn that was given these episodes."""
    rows = {row.pk: row for row in EpisodeSummary.objects.filter(pk__in=ids)}
    served = [served_episode(rows[id_].audit_log_id) for id_ in ids if id_ in rows]
    asked = turn([Message(role="user", content="what do you know?")], now=now)
    return chat.Context(asked, events.ContextServed(episodes=served), "", [id_ for id_ in ids if id_ in rows])


def test_contexts_and_deletions_of_the_same_episodes_in_any_order_meet_no_deadlock(now: datetime) -> None:
    ids = [plain.add([1.0, 0.0]) for _ in range(6)]
    there, back = context(ids, now=now), context(ids[::-1], now=now)
    together(
        lambda number: chat.serve(there),
        lambda number: chat.serve(back),
        lambda number: EpisodeSummary.objects.get(pk=ids[number % 6]).forget(now=now),
    )
    assert set(EpisodeSummary.objects.values_list("recall_count", flat=True)) == {2 * ROUNDS}


@only_postgresql
def test_bumps_lock_their_episodes_by_id(now: datetime) -> None:
    """One who holds the first is waited for before any other is locked, however the ids are given and stored."""
    ids = sorted(plain.add([1.0, 0.0]) for _ in range(3))
    EpisodeSummary.objects.bump(ids[:1], now=now)  # its newest version stands last in the table
    held, free = threading.Event(), threading.Event()

    def hold() -> None:
        try:
            with transaction.atomic():
                list(EpisodeSummary.objects.select_for_update().filter(pk=ids[0]))
                held.set()
                free.wait(LONG)
                # Were another one locked by the bump, this would be the deadlock.
                list(EpisodeSummary.objects.select_for_update(nowait=True).filter(pk__in=ids[1:]))
        finally:
            connections.close_all()

    def bump() -> None:
        try:
            with transaction.atomic():
                EpisodeSummary.objects.bump(ids[::-1], now=now)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as threads:
        holds = threads.submit(hold)
        assert held.wait(LONG)
        bumps = threads.submit(bump)
        _until_somebody_waits_for_a_lock()
        free.set()
        holds.result()
        bumps.result()


def _until_somebody_waits_for_a_lock() -> None:
    while True:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
            )
            if cursor.fetchone()[0]:
                return


def test_learning_and_the_operator_at_the_same_facts_meet_no_deadlock(now: datetime) -> None:
    source = AuditRow.objects.record(events.ChatCompleted(reply="ok"), now=now)
    keys = [f"key.{number}" for number in range(6)]
    for key in keys:
        PersonalFact.objects.add(key, "0", now=now - timedelta(days=1))

    def learn(number: int) -> None:
        claims = [Claim(key, f"learned {number}", 1.0) for key in keys]
        PersonalFact.objects.learn(claims, chat=source, now=now)

    def edit_all(number: int) -> None:
        with transaction.atomic():
            for key in reversed(keys):
                fact = PersonalFact.objects.get(key=key)
                with suppress(FactConflict):  # learned anew between the look and the edit
                    fact.edit(f"edited {number}", now=now)

    together(learn, edit_all)


def test_turns_and_the_sweep_meet_no_deadlock(now: datetime) -> None:
    ids = [plain.add([1.0, 0.0]) for _ in range(ROUNDS)]
    EpisodeSummary.objects.update(created_at=now - timedelta(days=1))
    contexts = [context([id_, *ids[-2:]], now=now) for id_ in ids]

    def sweep_one(number: int) -> None:
        chats = list(AuditRow.objects.filter(episode__pk=ids[number]).values_list("pk", flat=True))
        with transaction.atomic():
            retention._sweep_away(chats)

    together(
        lambda number: chat.serve(contexts[number]),
        lambda number: chat.serve(contexts[ROUNDS - 1 - number]),
        sweep_one,
    )
    assert not EpisodeSummary.objects.exists()


@only_postgresql
def test_the_chats_order_comes_first_where_memory_is_served(now: datetime) -> None:
    said: list[str] = []

    def listen(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        said.append(" ".join(sql.split()))
        return execute(sql, *rest)

    given = context([plain.add([1.0, 0.0])], now=now)
    with connection.execute_wrapper(listen):
        chat.serve(given)
    assert said[0].startswith("SELECT pg_advisory_xact_lock")


# --- a key's use ----------------------------------------------------------------------------------------------------


def test_the_use_of_a_key_is_noted_without_waiting(now: datetime, caplog: pytest.LogCaptureFixture) -> None:
    """Somebody else holds the lock, and lets go of it only when the key has been looked up."""
    secret = ApiKey.objects.issue("a client").secret
    held, free = threading.Event(), threading.Event()

    def hold() -> None:
        try:
            with transaction.atomic():
                ApiKey.objects.update(label="held")
                held.set()
                assert free.wait(LONG), "whoever noted the use waited for this"
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as threads:
        holds = threads.submit(hold)
        assert held.wait(LONG)
        key = ApiKey.objects.verify(secret, now=now)
        free.set()
        holds.result()
    assert key is not None
    assert "could not be noted" in caplog.text
    assert ApiKey.objects.get().last_used_at is None
    ApiKey.objects.verify(secret, now=now)
    assert ApiKey.objects.get().last_used_at == now

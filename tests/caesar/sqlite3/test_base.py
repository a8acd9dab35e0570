"""Writers wait in a queue for SQLite's lock, and the patience is for both waits together."""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest
from django.db import OperationalError, connection, connections, transaction

from caesar.sqlite3.base import DatabaseWrapper
from caesar.sqlite3.queue import WriteQueue, queue_of
from memory.models import ExtractCursor

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="about SQLite's one lock"),
]

SHORT = 0.05
LONG = 60.0


@contextmanager
def locked() -> Iterator[None]:
    """While open, another connection holds the write lock."""
    with closing(sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def queue() -> WriteQueue:
    return queue_of(str(connection.settings_dict["NAME"]))


def wrapper() -> DatabaseWrapper:
    own = connections["default"]
    assert isinstance(own, DatabaseWrapper)
    return own


def in_thread(work: Callable[[], None]) -> threading.Thread:
    def run() -> None:
        try:
            work()
        finally:
            connections.close_all()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def write() -> None:
    ExtractCursor.objects.update_or_create(pk=1, defaults={"nudged": True})


PAGES = ("page_count", "freelist_count", "page_size")


def test_it_works() -> None:
    with transaction.atomic():
        write()
        assert len(queue()) == 1
    assert len(queue()) == 0


def test_a_turn_is_given_back_by_a_rollback() -> None:
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        write()
        _ = 1 / 0
    assert len(queue()) == 0


def test_a_turn_is_given_back_by_a_connection_that_closes() -> None:
    with pytest.raises(Exception, match="closed"), transaction.atomic():  # noqa: B017, PT011
        write()
        connection.close()
        assert len(queue()) == 0
        write()
    assert len(queue()) == 0


def test_a_turn_is_given_back_by_a_commit_that_failed() -> None:
    with pytest.raises(OperationalError, match="full"), transaction.atomic():
        cursor = connection.cursor()
        pages, free, size = (cursor.execute(f"PRAGMA {name}").fetchone()[0] for name in PAGES)
        cursor.execute(f"PRAGMA max_page_count = {pages}")
        ExtractCursor.objects.update_or_create(pk=1, defaults={"last_error": "x" * (free + 100) * size})
    connection.close()  # with it goes the limit
    assert len(queue()) == 0
    write()


def test_a_single_write_outside_of_a_transaction_waits_its_turn_too() -> None:
    ExtractCursor.current()
    place = queue().take(0.0)
    assert place is not None
    with wrapper().patience(SHORT), pytest.raises(OperationalError, match="locked"):
        ExtractCursor.objects.filter(pk=1).update(nudged=True)
    queue().leave(place)
    ExtractCursor.objects.filter(pk=1).update(nudged=True)
    assert len(queue()) == 0


def test_what_only_reads_waits_for_nobody() -> None:
    place = queue().take(0.0)
    assert place is not None
    with locked(), wrapper().patience(0.0):
        assert ExtractCursor.objects.count() in (0, 1)
    queue().leave(place)


def test_a_lock_of_another_process_is_waited_for() -> None:
    began, ended = threading.Event(), threading.Event()

    def patiently() -> None:
        began.set()
        write()
        ended.set()

    with locked():
        thread = in_thread(patiently)
        assert began.wait(LONG)
        assert not ended.wait(SHORT)
    assert ended.wait(LONG)
    thread.join(LONG)


def test_the_patience_is_for_the_queue_and_the_lock_together() -> None:
    """A writer whose time ran out in the queue does not begin to wait for the lock."""
    asked: list[Any] = []
    place = queue().take(0.0)
    assert place is not None
    with locked(), wrapper().patience(SHORT):
        with pytest.raises(OperationalError, match="others that write were before it"):
            write()
        connection.connection.set_trace_callback(asked.append)
        with pytest.raises(OperationalError), transaction.atomic():
            write()
        assert not [statement for statement in asked if statement.startswith("BEGIN")]
        connection.connection.set_trace_callback(None)
    queue().leave(place)


def test_without_patience_a_locked_database_refuses_at_once() -> None:
    with locked(), wrapper().patience(0.0), pytest.raises(OperationalError, match="locked"):
        write()
    assert len(queue()) == 0
    write()


def test_many_writers_are_served_in_the_order_they_came() -> None:
    order: list[int] = []
    place = queue().take(0.0)
    assert place is not None
    threads = []

    def one(number: int) -> None:
        with transaction.atomic():
            order.append(number)

    for number in range(8):
        threads.append(in_thread(lambda number=number: one(number)))  # type: ignore[misc]
        while len(queue()) < len(threads) + 1:
            threading.Event().wait(0.001)
    queue().leave(place)
    for thread in threads:
        thread.join(LONG)
    assert order == list(range(8))

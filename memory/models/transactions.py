"""The one order in which transactions take locks, and what is done when the database aborts one or is full.

The order, which every transaction keeps that locks rows of two kinds. It may leave out any of them:

1. the order of the chats (`AuditRow.objects.hold_chat_order`): the end of a turn, `/v1/memory/context`, and turns that
   are recorded later;
2. episodes that are there, by id (`EpisodeManager.hold`): bumps, deletion, embedding again, the sweep;
3. a worker's cursor: the workers, the operator's "try again" and "skip", and a turn's nudge;
4. a wish to have a chat read again (`AskAgain`);
5. the revision of memory (`MemoryRevision.hold`, `move`): whoever changes facts, adds, empties or deletes episodes;
6. facts: under the revision there is one such transaction at a time, so their own order does not matter;
7. audit rows that are there: the sweep, and the foreign keys that PostgreSQL looks at when a transaction commits;
8. the answer kept under an `Idempotency-Key`;
9. the tally of a client (`KeyDay`), then that of models (`ModelUsage`): of a day there is one row each, which every
   answer counts up.

New rows of the log and new episodes are nobody's before the commit, and stand outside of it. SQLite needs none of
this: it has one write lock, which a transaction takes when it begins.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from django.db import OperationalError, connections, router, transaction
from django.db.models import Model

from caesar.sqlite3.base import DatabaseWrapper as QueuedSQLite
from memory.models.revision import MemoryRevision

Result = TypeVar("Result")

PAUSES_SECONDS = (0.02, 0.1, 0.4)
"""How long to wait before each further try of a transaction that the database ended."""

_ENDED_BY_DATABASE = {"40P01", "40001"}  # deadlock_detected, serialization_failure
_DISK_FULL = "53100"
_SQLITE_FULL = 13
_LOCK_MILLISECONDS = 10
_LEAST_FREE_BYTES = 1024 * 1024
_FULL_IS_TOLD_SECONDS = 60.0


def committed(write: Callable[[], Result], *, sleep: Callable[[float], None] = time.sleep) -> Result:
    """What `write` returns, done in one transaction; again where PostgreSQL ended that one to undo a deadlock.

    `write` may run several times. What it did before is undone then, so it must take all it needs as it is given.
    """
    for pause in PAUSES_SECONDS:
        try:
            return _once(write)
        except OperationalError as error:
            if _sqlstate(error) not in _ENDED_BY_DATABASE:
                raise
        sleep(pause)
    return _once(write)


def _once(write: Callable[[], Result]) -> Result:
    try:
        with transaction.atomic():
            result = write()
    except OperationalError as error:
        note_storage(error)
        raise
    note_storage(None)
    return result


# --- room to write in -----------------------------------------------------------------------------------------------

_was_full_at: float | None = None


def note_storage(error: BaseException | None) -> None:
    """Remember for a minute that the database was full; None: a transaction has succeeded since."""
    global _was_full_at
    if error is None:
        _was_full_at = None
    elif is_storage_full(error):
        _was_full_at = time.monotonic()


def lacks_room() -> bool:
    """Whether the database cannot take another row: seen at its file, or a moment ago when this process tried."""
    if _was_full_at is not None and time.monotonic() - _was_full_at < _FULL_IS_TOLD_SECONDS:
        return True
    connection = connections[router.db_for_write(MemoryRevision)]
    if not isinstance(connection, QueuedSQLite) or connection.is_in_memory_db():
        return False
    with connection.cursor() as cursor:
        pages, most, free = (cursor.execute(f"PRAGMA {name}").fetchone()[0] for name in _PAGES)
    disk = os.statvfs(os.path.dirname(connection.settings_dict["NAME"]) or ".")
    return most - pages + free <= 0 or disk.f_bavail * disk.f_frsize < _LEAST_FREE_BYTES


_PAGES = ("page_count", "max_page_count", "freelist_count")


def is_storage_full(error: BaseException) -> bool:
    """Whether the database has no room left for what was to be written: its disk is full, or its own limit reached."""
    cause = error.__cause__ or error
    if getattr(cause, "sqlite_errorcode", None) == _SQLITE_FULL:
        return True
    return _sqlstate(error) == _DISK_FULL or "database or disk is full" in str(error)


def _sqlstate(error: BaseException) -> str | None:
    return getattr(error.__cause__, "sqlstate", None)


@contextmanager
def without_waiting(model: type[Model]) -> Iterator[None]:
    """While open, a write of `model` that would have to wait for a lock raises `OperationalError` instead."""
    connection = connections[router.db_for_write(model)]
    if isinstance(connection, QueuedSQLite):
        with connection.patience(0.0):
            yield
        return
    with transaction.atomic(using=connection.alias):
        with connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL lock_timeout = {_LOCK_MILLISECONDS}")
        yield

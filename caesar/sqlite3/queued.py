"""Django's SQLite backend, whose writers wait in a queue: first come, first served within a process, and processes that
write at the same time take turns.

A statement that takes the write lock, `BEGIN IMMEDIATE` or a single write outside a transaction, first waits for its
thread's turn, then for its process's (`turnstile`). A transaction keeps the turn until it ends, in whatever way.
`OPTIONS["timeout"]` bounds all waits together: those, and the one at SQLite's lock.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from time import monotonic
from typing import Any, TypeVar

from django.db.backends.sqlite3 import base

from caesar.sqlite3.queue import Place, queue_of
from caesar.sqlite3.turnstile import turnstile_of

Result = TypeVar("Result")

_PATIENCE_SECONDS = 5.0  # what Python's sqlite3 waits where nothing is said
_STEP_SECONDS = 0.01
"""How long SQLite may look for its lock by itself. It looks less and less often, and others would always be faster."""
_BEGINS = ("BEGIN IMMEDIATE", "BEGIN EXCLUSIVE")
_WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE")


class QueuedWrapper(base.DatabaseWrapper):
    """A connection whose writes wait for their turn."""

    patience_seconds = _PATIENCE_SECONDS
    _place: Place | None = None

    def get_connection_params(self) -> dict[str, Any]:
        """The parameters of `sqlite3.connect`; the patience among them is kept."""
        params: dict[str, Any] = super().get_connection_params()
        self.patience_seconds = float(params.get("timeout", _PATIENCE_SECONDS))
        return params

    @contextmanager
    def patience(self, seconds: float) -> Iterator[None]:
        """While open, nothing waits for a lock for longer than this. 0: what is locked is refused at once."""
        self.ensure_connection()
        usual, self.patience_seconds = self.patience_seconds, seconds
        self._wait_in_sqlite(seconds)
        try:
            yield
        finally:
            self.patience_seconds = usual
            self._wait_in_sqlite(usual)

    def create_cursor(self, name: str | None = None) -> "_Cursor":
        """A cursor whose writes wait for their turn."""
        cursor: _Cursor = self.connection.cursor(factory=lambda raw: _Cursor(raw, self))
        return cursor

    def in_turn(self, statement: Callable[[], Result], *, is_begin: bool) -> Result:
        """What `statement` returns, run when it is this thread's turn. A transaction that begins keeps the turn.

        Raises `sqlite3.OperationalError` ("database is locked") where the turn or the lock did not come in time.
        """
        ends = monotonic() + self.patience_seconds
        self._place = queue_of(str(self.settings_dict["NAME"])).take(ends)
        if self._place is None:
            raise sqlite3.OperationalError("database is locked: others that write were before it")
        is_kept = False
        try:
            with self._turnstile(ends):
                result = self._until_it_is_free(statement, ends)
            is_kept = is_begin
        finally:
            if not is_kept:
                self._leave_queue()
        return result

    def _turnstile(self, ends: float) -> AbstractContextManager[None]:
        """Before whom no other process may go while it waits for the lock. A database in memory is this process's."""
        return nullcontext() if self.is_in_memory_db() else turnstile_of(str(self.settings_dict["NAME"])).passing(ends)

    def _until_it_is_free(self, statement: Callable[[], Result], ends: float) -> Result:
        """`statement`, again and again while another process holds the lock; one that was refused has done nothing."""
        try:
            while True:
                self._wait_in_sqlite(max(min(_STEP_SECONDS, ends - monotonic()), 0.0))
                try:
                    return statement()
                except sqlite3.OperationalError as error:
                    if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or monotonic() >= ends:
                        raise
        finally:
            self._wait_in_sqlite(self.patience_seconds)

    def _wait_in_sqlite(self, seconds: float) -> None:
        if self.connection is not None:
            self.connection.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")

    def _leave_queue(self) -> None:
        place, self._place = self._place, None
        if place is not None:
            queue_of(str(self.settings_dict["NAME"])).leave(place)

    # --- the ends of a transaction: whichever comes gives the turn to the next --------------------------------------

    def _commit(self) -> None:
        super()._commit()  # type: ignore[misc]  # where this fails, a rollback follows
        self._leave_queue()

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]
        finally:
            self._leave_queue()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]
        finally:
            self._leave_queue()


class _Cursor(base.SQLiteCursorWrapper):
    """Waits for the turn before a statement that takes the write lock."""

    def __init__(self, raw: Any, wrapper: QueuedWrapper) -> None:
        super().__init__(raw)
        self._wrapper = wrapper

    def execute(self, query: str, params: Any = None) -> Any:
        """Run the statement, in its turn if it takes the lock."""
        begins = query[:20].lstrip().upper()
        if not begins.startswith(_WRITES + _BEGINS) or self.connection.in_transaction:
            return super().execute(query, params)
        run = super().execute
        try:
            return self._wrapper.in_turn(lambda: run(query, params), is_begin=begins.startswith(_BEGINS))
        except sqlite3.Error as error:
            raise error.with_traceback(None)  # noqa: B904 (the same error, without the queue's own frames)

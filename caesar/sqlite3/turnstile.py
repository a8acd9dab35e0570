"""Which process is the next to write. SQLite has no queue: of two processes, the one that wrote last writes again.

A process holds the turnstile while it waits for SQLite's lock, and gives it up when it has it. Whoever comes later, the
process that wrote last above all, waits before the turnstile. It is for fairness alone: a process that does not get
through within a second goes on without it, so that one which was stopped there holds nobody up; so does one that cannot
make the file, on a full disk.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic, sleep

_PATIENCE_SECONDS = 1.0
_PASSED_BY_SECONDS = 30.0
"""How long nobody waits there after somebody did in vain."""
_LOOKS_EVERY_SECONDS = 0.001


class Turnstile:
    """One for each database and process. `path`: a file beside the database that all processes lock."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._file: int | None = None
        self._stuck_until = 0.0

    @contextmanager
    def passing(self, ends: float) -> Iterator[None]:
        """While open, no other process that asks here is ahead. Waits, until `ends` (by the monotonic clock) at most.

        One thread of a process at a time.
        """
        began = monotonic()
        patience = 0.0 if began < self._stuck_until else _PATIENCE_SECONDS
        is_held = self._enter(min(ends, began + patience))
        if not is_held and patience and ends > began + patience:
            self._stuck_until = began + _PASSED_BY_SECONDS
        try:
            yield
        finally:
            if is_held:
                fcntl.flock(self._opened(), fcntl.LOCK_UN)

    def _enter(self, ends: float) -> bool:
        """Whether it is held now."""
        while True:
            try:
                fcntl.flock(self._opened(), fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if monotonic() >= ends:
                    return False
                sleep(_LOOKS_EVERY_SECONDS)
            except OSError:
                return False
            else:
                return True

    def _opened(self) -> int:
        if self._file is None:
            self._file = os.open(self._path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        return self._file

    def forget(self) -> None:
        """Open the file anew: after a fork both processes have the same lock."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


_turnstiles: dict[str, Turnstile] = {}


def turnstile_of(name: str) -> Turnstile:
    """The process's one turnstile for the database file of that name."""
    return _turnstiles.setdefault(name, Turnstile(f"{name}-turnstile"))


def _forget_all() -> None:
    for turnstile in _turnstiles.values():
        turnstile.forget()


os.register_at_fork(after_in_child=_forget_all)

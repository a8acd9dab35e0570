"""Who may compute: a few threads of a process at a time, of those who wait the one whose request came first.

Python runs one thread at a time. Where a hundred want to, each is in turn for some milliseconds and all end late; with
this, few are begun and these end soon. A thread that waits for something else (a model server, the database's write
lock) holds no place meanwhile: `waiting` gives it up.
"""

import heapq
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from itertools import count
from typing import Final, NamedTuple

PLACES: Final = 8
"""Where the database is another server: most who hold one wait for it."""
PLACES_WITH_SQLITE: Final = 1
"""Where it is in the same process, whoever holds one computes. Measured with 100 clients: with one place the slowest
percent waits for 1.3 to 1.9 seconds, with three for 1.5 to 2.0, without any for 2.5, and as many turns are done."""


class _Waiting(NamedTuple):
    """A thread that waits for a place; the smallest is next."""

    since: datetime
    number: int
    may_go: threading.Event


class Places:
    """A number of places, given to whoever has waited since the earliest time."""

    def __init__(self, places: int) -> None:
        self._all = places
        self._numbers = count()
        self.forget()

    def allow(self, places: int) -> None:
        """From now on there are so many. Call it before anybody takes one."""
        self._all = places
        self.forget()

    def forget(self) -> None:
        """Begin anew, as a forked process must: the threads that held a place or waited are not in it."""
        self._lock = threading.Lock()
        self._free = self._all
        self._line: list[_Waiting] = []
        self._held = threading.local()

    @property
    def waiting_threads(self) -> int:
        """How many wait for a place."""
        return len(self._line)

    @contextmanager
    def taken(self, since: datetime) -> Iterator[None]:
        """A place, while open. Waits for one; `since` is when the request came. A thread that has one needs no second.

        Nobody may wait in it for another thread, except under `waiting`.
        """
        if self._since is not None:
            yield
            return
        self._take(since)
        try:
            yield
        finally:
            self._give_back()

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """While open, this thread holds no place. It takes one again afterwards, if it held one."""
        since = self._since
        if since is None:
            yield
            return
        self._give_back()
        try:
            yield
        finally:
            self._take(since)

    @property
    def _since(self) -> datetime | None:
        """Since when this thread's request has been here; None where it holds no place."""
        since: datetime | None = getattr(self._held, "since", None)
        return since

    def _take(self, since: datetime) -> None:
        me = self._queue(since)
        if me is not None:
            try:
                me.may_go.wait()
            except BaseException:
                self._leave(me)
                raise
        self._held.since = since

    def _leave(self, me: _Waiting) -> None:
        """Leave the line, or give on the place that came just now."""
        with self._lock:
            if me in self._line:
                self._line.remove(me)
                heapq.heapify(self._line)
                return
        self._give_back()

    def _queue(self, since: datetime) -> _Waiting | None:
        """This thread's place in the line; None where a place was free."""
        with self._lock:
            if self._free:
                self._free -= 1
                return None
            me = _Waiting(since, next(self._numbers), threading.Event())
            heapq.heappush(self._line, me)
            return me

    def _give_back(self) -> None:
        self._held.since = None
        with self._lock:
            if self._line:
                heapq.heappop(self._line).may_go.set()
            else:
                self._free += 1


places = Places(PLACES)
"""Those of this process."""

os.register_at_fork(after_in_child=places.forget)

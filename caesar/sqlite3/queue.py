"""Whose turn it is to write, among the threads of one process: first come, first served.

SQLite has one write lock and no queue before it: whoever looks again at the right moment has it, and of many who write
all the time some wait for ever. With this, one thread a process waits at the lock and the others wait behind it.
The queue is for fairness alone. What keeps two from writing at once is SQLite's own lock.
"""

import os
import threading
from collections import deque
from time import monotonic

_LOOKS_EVERY_SECONDS = 1.0


class Place:
    """One thread's place in the queue."""

    def __init__(self) -> None:
        self.thread = threading.current_thread()
        self.is_first = threading.Event()


class WriteQueue:
    """The threads that want to write to one database; the first of them may."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Begin anew, as a forked process must: the threads that waited are not in it."""
        self._lock = threading.Lock()
        self._line: deque[Place] = deque()

    def __len__(self) -> int:
        return len(self._line)

    def take(self, ends: float) -> Place | None:
        """Wait for this thread's turn until `ends` (by the monotonic clock): its place, or None where it never came."""
        place = Place()
        with self._lock:
            self._line.append(place)
            if self._line[0] is place:
                return place
        try:
            while not place.is_first.wait(min(max(ends - monotonic(), 0.0), _LOOKS_EVERY_SECONDS)):
                self._pass_over_the_dead()
                if monotonic() >= ends and not place.is_first.is_set():
                    self.leave(place)
                    return None
        except BaseException:
            self.leave(place)
            raise
        return place

    def leave(self, place: Place) -> None:
        """Give a place up, wherever in the queue it is; the next is first then. One that is not in it is no error."""
        with self._lock:
            if place in self._line:
                self._line.remove(place)
                self._tell_the_first()

    def _pass_over_the_dead(self) -> None:
        """A thread that ended without giving its place back holds nobody up."""
        with self._lock:
            while self._line and not self._line[0].thread.is_alive():
                self._line.popleft()
            self._tell_the_first()

    def _tell_the_first(self) -> None:
        if self._line:
            self._line[0].is_first.set()


_queues: dict[str, WriteQueue] = {}


def queue_of(name: str) -> WriteQueue:
    """The process's one queue for the database of that name."""
    return _queues.setdefault(name, WriteQueue())


def _forget_all() -> None:
    """A fork may happen while another thread is in a queue, or holds its lock."""
    for queue in _queues.values():
        queue.forget()


os.register_at_fork(after_in_child=_forget_all)

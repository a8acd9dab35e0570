"""How long a client may take to send a request, and how many threads may wait for slow ones."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from caesar.server.errors import NoPlace


@dataclass(frozen=True)
class Deadlines:
    """Seconds: the longest silence, and the longest time a request may take to arrive in all."""

    silence: float
    whole: float


class WaitingPlaces:
    """Counts the threads of this process that wait for clients: at most half of them, a quarter for requests without a
    good key. What is left answers everybody else."""

    def __init__(self, threads: int) -> None:
        self._most = max(1, threads // 2)
        self._most_without_key = max(1, threads // 4)
        self._lock = threading.Lock()
        self._taken = 0
        self._taken_without_key = 0

    @contextmanager
    def one(self, *, has_key: bool) -> Iterator[None]:
        """A place, while open. Raises `NoPlace` where none is free."""
        with self._lock:
            if self._taken >= self._most or (not has_key and self._taken_without_key >= self._most_without_key):
                raise NoPlace
            self._taken += 1
            self._taken_without_key += not has_key
        try:
            yield
        finally:
            with self._lock:
                self._taken -= 1
                self._taken_without_key -= not has_key

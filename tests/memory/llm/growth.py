"""How the time of a call grows with the length of its text, whatever else the machine does."""

import time
from collections.abc import Callable

FACTOR = 4
LINEAR_AT_MOST = 8.0
"""Four times the text takes four times as long where the time is linear, and sixteen times where it is quadratic."""

_RUNS = 25
_NOISE_SECONDS = 0.002


def growth(read: Callable[[str], object], text: Callable[[int], str], *, chars: int) -> float:
    """How many times as long `read` takes for a text of four times `chars` as for one of `chars`.

    The least of several interleaved runs counts, in processor time of this thread: other work can only add to a run.
    Stops at the first runs that show linear growth. Times too short to be measured count as 2 ms.
    """
    short, long = text(chars), text(FACTOR * chars)
    times: list[tuple[float, float]] = []
    for _ in range(_RUNS):
        times.append((_seconds(read, short), _seconds(read, long)))
        shortest, longest = (max(min(column), _NOISE_SECONDS) for column in zip(*times, strict=True))
        if longest <= LINEAR_AT_MOST * shortest:
            break
    return longest / shortest


def _seconds(read: Callable[[str], object], text: str) -> float:
    started = time.thread_time()
    read(text)
    return time.thread_time() - started

"""How the time of a call grows with the size of what it is given, whatever else the machine does."""

import time
from collections.abc import Callable
from typing import TypeVar

FACTOR = 4
LINEAR_AT_MOST = 8.0
"""Four times the input takes four times as long where the time is linear, and sixteen times where it is quadratic."""

_RUNS = 25
_NOISE_SECONDS = 0.002
Input = TypeVar("Input")


def growth(
    call: Callable[[Input], object], made: Callable[[int], Input], *, size: int, at_most: float = LINEAR_AT_MOST
) -> float:
    """How many times as long `call` takes for what is made of four times `size` as for one of `size`.

    The least of several interleaved runs counts, in processor time of this thread: other work can only add to a run.
    Stops at the first runs that show growth of `at_most`. Times too short to be measured count as 2 ms. Each input is
    made once, outside the time: a call that changes something must put it back, and one that remembers what it was
    given must be given something new each time, or its growth is not seen.
    """
    short, long = made(size), made(FACTOR * size)
    times: list[tuple[float, float]] = []
    for _ in range(_RUNS):
        times.append((_seconds(call, short), _seconds(call, long)))
        shortest, longest = (max(min(column), _NOISE_SECONDS) for column in zip(*times, strict=True))
        if longest <= at_most * shortest:
            break
    return longest / shortest


def of_unit(unit: str, *, before: str = "", after: str = "") -> Callable[[int], str]:
    """Makes texts of so many characters, which say `unit` again and again between `before` and `after`."""
    return lambda chars: before + unit * (chars // len(unit)) + after


def _seconds(call: Callable[[Input], object], given: Input) -> float:
    started = time.thread_time()
    call(given)
    return time.thread_time() - started

"""How near chats lie to the days that a message speaks of. Pure numpy."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from memory.ranking import Scores
from memory.recall.hybrid.dates.ranges import DateRange

MAX_DAY_DAYS = 4
"""Ranges up to this length are days."""

MAX_MONTH_DAYS = 45
"""Longer ranges than days, up to this length, are months. Still longer ones count nothing."""

FADING_DAYS = 14
"""Things are told afterwards: over so many days after a range the nearness falls to 0."""

BEFORE_DAYS = 3
BEFORE = 0.3
"""The nearness of the days right before a range."""


def nearness(ranges: Sequence[DateRange], days: npt.NDArray[np.int64]) -> tuple[Scores, Scores]:
    """How near each chat lies to a range of days, and to one of a month: days (n,) -> (n,), (n,), each in 0..1.

    `days` are `date.toordinal()` of the chats. 1 inside a range; the nearest range of each kind counts.
    """
    of_day, of_month = np.zeros(days.shape), np.zeros(days.shape)
    for one in ranges:
        if one.days <= MAX_DAY_DAYS:
            np.maximum(of_day, _nearness(one, days), out=of_day)
        elif one.days <= MAX_MONTH_DAYS:
            np.maximum(of_month, _nearness(one, days), out=of_month)
    return of_day, of_month


def _nearness(one: DateRange, days: npt.NDArray[np.int64]) -> Scores:
    after, before = days - one.last.toordinal(), one.first.toordinal() - days
    fading = np.clip(1.0 - after / FADING_DAYS, 0.0, 1.0)
    return np.where(before <= 0, fading, np.where(before <= BEFORE_DAYS, BEFORE, 0.0))

"""How the importance that a fact needs to be in the prompt falls over a year.

What is known ages, and facts are learned at the pace of late, each as a new and sure one. A fact is in while fewer than
`places` others are ahead of it. Of those known, the ones that are more important stay so, since all age alike; of those
learned by day t, the ones learned after day t + half-life x ln(c) are above c then. So this course meets that of a fact
on the very day on which the forecast has it fall out.
"""

import numpy as np

from memory.ranking import Scores

_STEPS = 48  # of a bisection in the logarithm: far finer than a pixel
_LEAST = 1e-9


def cut_off_course(
    importances: Scores, days: Scores, *, places: int, learned_per_day: float, halflife_days: float
) -> Scores:
    """The least importance that is in on each of these days: (n,), (d,) -> (d,); 0 where there is room for all.

    `importances`: of all facts that compete, now.
    """
    sorted_now = np.sort(importances)
    low = np.full(days.shape, np.log(_LEAST))
    high = np.full(days.shape, np.log(max(1.0, float(sorted_now[-1]) if sorted_now.size else 1.0)) + 1e-6)
    for _ in range(_STEPS):
        middle = (low + high) / 2
        ahead = _ahead(sorted_now, days, middle, learned_per_day, halflife_days)
        is_full = ahead >= places
        low, high = np.where(is_full, middle, low), np.where(is_full, high, middle)
    return np.where(high <= np.log(_LEAST) + 1e-3, 0.0, np.exp(high))


def _ahead(
    sorted_now: Scores, days: Scores, logarithms: Scores, learned_per_day: float, halflife_days: float
) -> Scores:
    """How many facts are above each importance (its logarithm) on each day."""
    known = sorted_now.size - np.searchsorted(sorted_now, np.exp(logarithms + days / halflife_days), side="right")
    learned = learned_per_day * np.clip(-halflife_days * logarithms, 0.0, days)
    return known.astype(np.float64) + learned

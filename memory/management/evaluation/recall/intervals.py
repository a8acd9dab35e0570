"""How sure a share is: a bootstrap over the conversations. Pure.

Questions of one conversation are alike, so whole conversations are drawn, with a fixed seed.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from memory.management.evaluation.shares import Share

_RESAMPLES = 2_000
_SEED = 20
_PERCENTILES = (2.5, 97.5)


class Interval(NamedTuple):
    """Between which shares 95 % of the resamples lie, in 0..1."""

    low: float
    high: float


def interval(units: Sequence[Share]) -> Interval | None:
    """The interval of the units' common share. None where fewer than two of them hold anything."""
    counted = [(unit.right, unit.total) for unit in units if unit.total]
    if len(counted) < 2:
        return None
    drawn = np.random.default_rng(_SEED).integers(len(counted), size=(_RESAMPLES, len(counted)))
    right, total = np.array(counted, np.float64).T
    low, high = np.percentile(right[drawn].sum(axis=1) / total[drawn].sum(axis=1), _PERCENTILES)
    return Interval(float(low), float(high))

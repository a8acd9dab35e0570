"""The labels on the axes of drawings, and which numbers they name. Pure."""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Tick:
    """A label on an axis, at `at` per cent of the width or pixels from the top.

    `anchor`: which end of the words stands there, as a class. `is_minor`: left out where there is little room.
    """

    at: str
    words: str
    anchor: str = "mid"
    is_minor: bool = False


def round_levels(highest: float, *, most: int) -> list[float]:
    """Less than `most` round numbers up to this one, evenly apart, without 0, where the ground is."""
    unit = 10.0 ** math.floor(math.log10(highest / (most - 1)))
    step = next(unit * factor for factor in (1, 2, 5, 10) if highest / (unit * factor) < most)
    return [step * count for count in range(1, int(highest / step) + 1)]

"""The map's axes: age since the confirmation across, confidence x edit weight up, both as places on the drawing.

importance = weight x exp(-age / half-life), so ln(weight) = ln(importance) + age / half-life: all facts of one
importance lie on a straight line, and so does the cut-off.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dashboard.shared.drawings.axes import Tick
from memory.ranking import Scores

LEFT, RIGHT = 7.0, 99.0
"""In per cent of the width."""
TOP, BOTTOM = 26.0, 172.0
"""In pixels."""
_LEAST_DAYS, _MOST_HALFLIVES = 30.0, 6.0
_LEAST_WEIGHT = 0.02
_LEVELS = (0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0, 100.0)
_LEVEL_GAP = 22.0
_DAY_STEPS = (5, 7, 10, 15, 30, 60, 90, 180, 365, 730)
_MOST_DAY_TICKS = 5


@dataclass(frozen=True)
class MapScale:
    """The range of both axes: `days` from now back, and the logarithms of the lowest and highest weight."""

    days: float
    low: float
    high: float

    @classmethod
    def of(cls, ages: Scores, weights: Scores, halflife_days: float) -> "MapScale":
        """A scale that has room for these facts, (n,) days and (n,) weights. Much older ones stand at its end."""
        oldest = min(max(float(ages.max(initial=0.0)), _LEAST_DAYS), _MOST_HALFLIVES * halflife_days)
        step = _day_step(oldest)
        least = max(_LEAST_WEIGHT, min(0.5, float(weights.min(initial=1.0))))
        most = max(1.2, float(weights.max(initial=1.0)))
        return cls(step * math.ceil(oldest / step), math.log(least / 1.12), math.log(most * 1.2))

    def x(self, ages: Scores) -> Scores:
        """Per cent of the width."""
        shown = np.clip(ages / self.days, 0.0, 1.0)
        return LEFT + (RIGHT - LEFT) * shown

    def y(self, logarithms: Scores) -> Scores:
        """Pixels from the top."""
        shown = np.clip((logarithms - self.low) / (self.high - self.low), 0.0, 1.0)
        return BOTTOM - (BOTTOM - TOP) * shown

    def levels(self) -> Sequence[Tick]:
        """Round weights, not nearer to each other than their labels are high."""
        ticks: list[Tick] = []
        for level in sorted(_LEVELS, key=lambda level: (level != 1.0, level)):
            if not self.low <= math.log(level) <= self.high:
                continue
            at = float(self.y(np.array([math.log(level)]))[0])
            if all(abs(at - float(tick.at)) >= _LEVEL_GAP for tick in ticks) and at - TOP >= 8:
                ticks.append(Tick(f"{at:.1f}", f"{level:g}"))
        return ticks

    def ages(self) -> Sequence[Tick]:
        """Round numbers of days."""
        step = _day_step(self.days)
        marks = np.arange(0, self.days + step / 2, step)
        return [self._age(float(mark), place, len(marks)) for place, mark in enumerate(marks)]

    def _age(self, days: float, place: int, count: int) -> Tick:
        at = f"{float(self.x(np.array([days]))[0]):.1f}"
        if place == 0:
            return Tick(at, "confirmed today", "start")
        if place == count - 1:
            return Tick(at, f"{days:.0f} days", "end")
        return Tick(at, f"{days:.0f}", is_minor=place != count // 2 or count < 4)


def _day_step(days: float) -> int:
    return next((step for step in _DAY_STEPS if days / step <= _MOST_DAY_TICKS - 1), math.ceil(days / 4))

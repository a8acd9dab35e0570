"""A fact's importance over the coming year: the coordinates of a line chart, and the same values for its caption."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from memory.models import RankedFact

WIDTH, HEIGHT = 380, 190
_LEFT, _RIGHT, _TOP, _BOTTOM = 34, 372, 14, 160
_HEADROOM = 1.2
_DAYS = 365
_STEPS = 73

_MILESTONES = ((0, "today"), (30, "in a month"), (91, "in 3 months"), (182, "in 6 months"), (365, "in a year"))
_TICKS = ((0, "today", "start"), (91, "3 months", "middle"), (182, "6 months", "middle"), (274, "9 months", "middle"))
_LAST_TICK = (365, "a year", "end")


@dataclass(frozen=True)
class AxisTick:
    """A label on an axis.

    `at`: its position on the axis, in units of the drawing. `anchor`: as SVG's `text-anchor`.
    """

    at: str
    words: str
    anchor: str = "middle"


@dataclass(frozen=True)
class Milestone:
    """The importance at one moment.

    `words`: the moment, such as "in a month".
    """

    words: str
    importance: float


@dataclass(frozen=True)
class ImportanceChart:
    """The chart, `WIDTH` by `HEIGHT`.

    `new_fact_y`: the height of 1.0, the importance of a new and sure fact. `leaves_x`: where the fact may drop out of
    the prompt; "" where that is not within the year.
    """

    line: str
    area: str
    x_ticks: Sequence[AxisTick]
    y_ticks: Sequence[AxisTick]
    new_fact_y: str
    leaves_x: str
    leaves_anchor: str
    milestones: Sequence[Milestone]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = _LEFT
    right: int = _RIGHT
    top: int = _TOP
    bottom: int = _BOTTOM


def draw_importance_chart(item: RankedFact, *, now: datetime, leaves_at: datetime | None) -> ImportanceChart:
    """The chart from now on, if nothing confirms the fact."""

    def importance(days: float) -> float:
        return item.fact.importance(now + timedelta(days=days), item.importance.edit_count).value

    highest = max(1.0, importance(0)) * _HEADROOM
    days = [_DAYS * step / (_STEPS - 1) for step in range(_STEPS)]
    line = " ".join(f"{_x(day):.1f},{_y(importance(day), highest):.1f}" for day in days)
    leaves_days = None if leaves_at is None else (leaves_at - now) / timedelta(days=1)
    return ImportanceChart(
        line=line,
        area=f"{_LEFT},{_BOTTOM} {line} {_RIGHT},{_BOTTOM}",
        x_ticks=[AxisTick(f"{_x(day):.1f}", words, anchor) for day, words, anchor in (*_TICKS, _LAST_TICK)],
        y_ticks=[AxisTick(f"{_y(value, highest):.1f}", f"{value:g}") for value in _axis_levels(highest)],
        new_fact_y=f"{_y(1.0, highest):.1f}",
        leaves_x="" if leaves_days is None else f"{_x(leaves_days):.1f}",
        leaves_anchor="end" if leaves_days is not None and leaves_days > _DAYS / 2 else "start",
        milestones=[Milestone(words, importance(day)) for day, words in _MILESTONES],
    )


def _x(days: float) -> float:
    return _LEFT + (_RIGHT - _LEFT) * min(max(days, 0.0), _DAYS) / _DAYS


def _y(importance: float, highest: float) -> float:
    return _BOTTOM - (_BOTTOM - _TOP) * importance / highest


def _axis_levels(highest: float) -> list[float]:
    """At most five round numbers for the vertical axis."""
    unit = 10.0 ** math.floor(math.log10(highest / 4))
    step = next(unit * factor for factor in (1, 2, 5, 10) if highest / (unit * factor) < 5)
    return [step * count for count in range(int(highest / step) + 1)]

"""A fact's importance over the coming year beside the cut-off's: places on a drawing, and the same for its caption."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np

from dashboard.fact.cut_off import cut_off_course
from dashboard.shared.drawings.axes import Tick, round_levels
from dashboard.shared.needs.forecast import LATELY, PromptForecast
from memory import ranking
from memory.models import Standings
from memory.ranking import Scores

HEIGHT = 240
_TOP, _BOTTOM = 20.0, 206.0
_HEADROOM = 1.12
_DAYS = 365
_STEPS = 147

_MILESTONES = ((0, "today"), (30, "in a month"), (91, "in 3 months"), (182, "in 6 months"), (365, "in a year"))
_TICKS = (
    (0, "today", "start", False),
    (91, "3 months", "mid", False),
    (182, "6 months", "mid", False),
    (274, "9 months", "mid", True),
    (365, "a year", "end", False),
)


@dataclass(frozen=True)
class Milestone:
    """The importance at one moment. `words`: the moment, such as "in a month"."""

    words: str
    importance: float


@dataclass(frozen=True)
class Meeting:
    """Where the fact's course meets the cut-off's. `anchor`: on which side its words stand, as a class.

    `words_y`: where they stand free of both courses.
    """

    x: str
    y: str
    words_y: str
    anchor: str
    dx: int


@dataclass(frozen=True)
class ImportanceChart:
    """The chart: x in per cent, y in pixels, `HEIGHT` high. `cut_off` is "" where all facts fit all year.

    `meets`: where the fact may drop out of the prompt; None where that is not within the year.
    """

    line: str
    area: str
    cut_off: str
    cut_off_y: str
    own_x: str
    own_y: str
    x_ticks: Sequence[Tick]
    y_ticks: Sequence[Tick]
    meets: Meeting | None
    milestones: Sequence[Milestone]
    height: int = HEIGHT
    bottom: float = _BOTTOM


_WORDS_DAYS = 85.0  # how much of the year the words beside the meeting take
_OWN_DAY, _CUT_OFF_DAY = 34.0, 300.0  # where the two lines have their names


def draw_importance_chart(
    standings: Standings, at: int, outlook: PromptForecast, *, places: int | None, halflife_days: float, now: datetime
) -> ImportanceChart:
    """The chart from now on, if nothing confirms the fact. `places`: how many facts are in; None where none is."""
    days = np.linspace(0.0, _DAYS, _STEPS)
    value = float(standings.ranks.value[at])
    own = value * _aged(standings, at, days, halflife_days, now)
    cut_off = np.zeros_like(days) if places is None else _course(standings, at, outlook, days, places, halflife_days)
    highest = max(value, float(cut_off.max()), 0.1) * _HEADROOM
    line = _points(days, own, highest)
    leaves = None if outlook.leaves_at is None else (outlook.leaves_at - now) / timedelta(days=1)
    named = _OWN_DAY if leaves is None or leaves > 2 * _OWN_DAY else 0.4 * leaves if leaves > _OWN_DAY else 2 * _OWN_DAY
    return ImportanceChart(
        line=line,
        area=f"0,{_BOTTOM:.0f} {line} 100,{_BOTTOM:.0f}",
        cut_off=_points(days[cut_off > 0], cut_off[cut_off > 0], highest),
        cut_off_y=f"{_y(float(np.interp(_CUT_OFF_DAY, days, cut_off)), highest):.1f}",
        own_x=f"{100 * named / _DAYS:.2f}",
        own_y=f"{_y(float(np.interp(named, days, own)), highest):.1f}",
        x_ticks=[Tick(f"{100 * day / _DAYS:.1f}", words, side, minor) for day, words, side, minor in _TICKS],
        y_ticks=[Tick(f"{_y(level, highest):.1f}", f"{level:g}") for level in round_levels(highest, most=5)],
        meets=None if leaves is None else _meeting(leaves, days, own, cut_off, highest),
        milestones=[Milestone(words, float(np.interp(day, days, own))) for day, words in _MILESTONES],
    )


def _aged(standings: Standings, at: int, days: Scores, halflife_days: float, now: datetime) -> Scores:
    """By which factor it has fallen on each day. One confirmed in the future does not age until then."""
    ahead = max(0.0, (standings.confirmed_at(at) - now) / timedelta(days=1))
    return ranking.freshness(days - ahead, halflife_days)


def _course(
    standings: Standings, at: int, outlook: PromptForecast, days: Scores, places: int, halflife_days: float
) -> Scores:
    """The cut-off's course: by how many places are left to this fact where it is in, else by how many are in."""
    competing = standings.ranks.value[~standings.ranks.is_past]
    ahead = int((competing > standings.ranks.value[at]).sum())
    return cut_off_course(
        competing,
        days,
        places=ahead + outlook.newer_needed if outlook.is_put_in else places,
        learned_per_day=outlook.learned_lately / LATELY.days,
        halflife_days=halflife_days,
    )


def _meeting(leaves: float, days: Scores, own: Scores, cut_off: Scores, highest: float) -> Meeting:
    is_late = leaves > 0.62 * _DAYS
    start, end = (leaves - _WORDS_DAYS, leaves) if is_late else (leaves, leaves + _WORDS_DAYS)
    above = np.maximum(own, cut_off)[(days >= start) & (days <= end)].max(initial=0.0)
    y = _y(float(np.interp(leaves, days, own)), highest)
    return Meeting(
        x=f"{100 * leaves / _DAYS:.2f}",
        y=f"{y:.1f}",
        words_y=f"{min(y, _y(float(above), highest)):.1f}",
        anchor="end" if is_late else "",
        dx=-8 if is_late else 8,
    )


def _points(days: Scores, values: Scores, highest: float) -> str:
    return " ".join(
        f"{100 * day / _DAYS:.2f},{_y(value, highest):.1f}" for day, value in zip(days, values, strict=True)
    )


def _y(importance: float, highest: float) -> float:
    return _BOTTOM - (_BOTTOM - _TOP) * importance / highest

"""The map of all facts as coordinates: a dot for each, or where there are many, cells with counts."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from django.conf import settings

from dashboard.facts.map.room import PromptRoom
from dashboard.facts.map.scale import BOTTOM, LEFT, RIGHT, TOP, MapScale
from dashboard.shared.addresses import address
from dashboard.shared.drawings.axes import Tick
from memory.models import Standings
from memory.ranking import Scores
from memory.text import wording

DOTS_AT_MOST = 400
COLUMNS, ROWS = 12, 6
_SHADES = ("shade-1", "shade-2", "shade-3", "shade-4")
_ASIDE, _MOST_ASIDE = 2.0, 5  # per cent of the width, about a dot's own


@dataclass(frozen=True)
class Dot:
    """One fact on the map, at `x` per cent and `y` pixels. `kind`: in, by-message, or out."""

    x: str
    y: str
    kind: str
    title: str
    address: str
    is_kept: bool


@dataclass(frozen=True)
class Cell:
    """A part of the map with its facts counted: its place in the grid, and the middle of it for the number."""

    column: int
    row: int
    x: str
    y: str
    count: str


@dataclass(frozen=True)
class CutOff:
    """The line of equal importance that parts what is in every prompt from the rest. `x` in per cent, `y` in pixels."""

    x1: str
    y1: str
    x2: str
    y2: str


@dataclass(frozen=True)
class FactMap:
    """The map: its dots, or its cells by shade (a class, by the square root of the count), its axes, the cut-off, and
    `inside`, the polygon of what is in every prompt.
    """

    dots: Sequence[Dot]
    cells: Mapping[str, Sequence[Cell]]
    levels: Sequence[Tick]
    ages: Sequence[Tick]
    inside: str
    cut_off: CutOff | None


def draw_map(standings: Standings, room: PromptRoom, texts: Mapping[int, tuple[str, str]], now: datetime) -> FactMap:
    """The map of these facts. `texts`: {id: (key, value)}, of all where dots are drawn."""
    halflife_days = settings.CAESAR.memory.facts_importance.halflife_days
    ages = standings.ranks.ages(now)
    scale = MapScale.of(ages, standings.weight, halflife_days)
    x, y = scale.x(ages), scale.y(np.log(standings.weight.clip(1e-9)))
    has_dots = len(standings) <= DOTS_AT_MOST
    cut_off, inside = _cut_off(scale, room, halflife_days)
    return FactMap(
        dots=_dots(standings, room, texts, (x, y), now) if has_dots else [],
        cells={} if has_dots else _cells(x, y),
        levels=scale.levels(),
        ages=scale.ages(),
        inside=inside,
        cut_off=cut_off,
    )


def _dots(
    standings: Standings,
    room: PromptRoom,
    texts: Mapping[int, tuple[str, str]],
    places: tuple[Scores, Scores],
    now: datetime,
) -> list[Dot]:
    """The dots, the most important one last, so that it lies on top."""
    taken: Counter[tuple[int, int]] = Counter()
    dots = []
    for at, (row, x, y) in enumerate(
        zip(standings.ranks.ids.tolist(), *(axis.tolist() for axis in places), strict=True)
    ):
        spot = round(2 * x), round(y / 3)
        aside = min(taken[spot], _MOST_ASIDE) * _ASIDE
        taken[spot] += 1
        key, value = texts.get(row, ("", ""))
        if key:
            kind = _kind(standings, room, at)
            shown = x + aside if x + aside <= RIGHT else x - aside
            title = _title(standings, at, wording.sentence(key, value), now)
            dots.append(
                Dot(f"{shown:.2f}", f"{y:.1f}", kind, title, address("fact", key=key), bool(standings.is_kept[at]))
            )
    return dots[::-1]


def _kind(standings: Standings, room: PromptRoom, at: int) -> str:
    if room.budget.count is None or standings.ranks.is_past[at]:
        return "out"
    if not room.budget.leaves_out(at):
        return "in"
    return "by-message" if room.budget.by_message else "out"


def _title(standings: Standings, at: int, sentence: str, now: datetime) -> str:
    confirmed = wording.time_words(standings.confirmed_at(at), now, settings.CAESAR.zone)
    kept = ", kept" if standings.is_kept[at] else ""
    return f"{sentence} {standings.ranks.value[at]:.2f}, confirmed {confirmed}{kept}"


def _cells(x: Scores, y: Scores) -> dict[str, list[Cell]]:
    """{shade: its cells}"""
    counts, _, _ = np.histogram2d(x, y, bins=(COLUMNS, ROWS), range=((LEFT, RIGHT), (TOP, BOTTOM)))
    width, height = (RIGHT - LEFT) / COLUMNS, (BOTTOM - TOP) / ROWS
    shades = np.ceil(len(_SHADES) * np.sqrt(counts / counts.max())).astype(np.int64)
    cells: dict[str, list[Cell]] = {}
    for column, row in np.argwhere(counts).tolist():
        middle = f"{LEFT + (column + 0.5) * width:.1f}", f"{TOP + (row + 0.5) * height + 4:.0f}"
        cell = Cell(column, row, *middle, _short(int(counts[column, row])))
        cells.setdefault(_SHADES[shades[column, row] - 1], []).append(cell)
    return cells


def _short(count: int) -> str:
    """The count in at most four letters: "1.2k"."""
    return str(count) if count < 1000 else f"{count / 1000:.1f}k" if count < 10_000 else f"{count // 1000}k"


def _cut_off(scale: MapScale, room: PromptRoom, halflife_days: float) -> tuple[CutOff | None, str]:
    """The line ln(weight) = ln(cut-off) + age / half-life within the drawing, and the polygon above it."""
    if room.budget.count is None or (room.budget.count == 0 and room.cut_off is None):
        return None, ""
    if room.cut_off is None:
        return None, _polygon(
            [(0.0, scale.low), (scale.days, scale.low), (scale.days, scale.high), (0.0, scale.high)], scale
        )
    start = math.log(room.cut_off)
    crosses = [halflife_days * (level - start) for level in (scale.low, scale.high)]  # the ages at bottom and top
    first, last = max(0.0, crosses[0]), min(scale.days, crosses[1])
    if last <= 0 or first >= scale.days:
        is_inside = last > 0
        corners = [(0.0, scale.low), (scale.days, scale.low), (scale.days, scale.high), (0.0, scale.high)]
        return None, _polygon(corners, scale) if is_inside else ""
    ends = [(first, start + first / halflife_days), (last, start + last / halflife_days)]
    before = [(0.0, scale.low)] if crosses[0] > 0 else []
    after = [(scale.days, scale.high)] if crosses[1] > scale.days else []
    polygon = _polygon([*before, *ends, *after, (0.0, scale.high)], scale)
    (x1, y1), (x2, y2) = (_place(age, level, scale) for age, level in ends)
    return CutOff(x1, y1, x2, y2), polygon


def _polygon(corners: Sequence[tuple[float, float]], scale: MapScale) -> str:
    return " ".join(",".join(_place(age, level, scale)) for age, level in corners)


def _place(age: float, level: float, scale: MapScale) -> tuple[str, str]:
    return f"{float(scale.x(np.array([age]))[0]):.2f}", f"{float(scale.y(np.array([level]))[0]):.1f}"

"""The candidate line: an axis with the threshold as a rule, and each candidate a dot on it. Pure.

Places across are in per cent of the drawing, heights in pixels: its text and dots stay as they are at any width. Lanes
are reckoned for the narrowest drawing, so that no dot lies on another there either.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dashboard.shared.receipts.candidates import Candidate, RecallTerms

NARROWEST_PX = 250
"""The drawing on a telephone of 320 px."""
LEFT, RIGHT = 3.0, 97.0
_TOP, _BELOW, _TICK = 18, 34, 5
_LEAST_LANES, _MOST_LANES_NUMBERED = 3, 6
_MOST_DOTS = 24
_STEPS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
_MOST_INTERVALS = 6


@dataclass(frozen=True)
class DotSize:
    """How large dots are drawn: `radius` and the distance between centres in px; numbers fit into large ones only."""

    radius: int
    apart: int
    has_number: bool


LARGE, SMALL = DotSize(10, 22, has_number=True), DotSize(5, 12, has_number=False)


@dataclass(frozen=True)
class Scale:
    """The axis from `low` to `high`, with a label every `step`."""

    low: float
    high: float
    step: float

    @classmethod
    def around(cls, values: Iterable[float]) -> "Scale":
        """From 0 to the next tenth above the highest value; below 0 where a value is. Wider steps for wider ranges."""
        lowest, highest = min((0.0, *values)), max((0.0, *values))
        step = next((step for step in _STEPS if _span(lowest, highest, step) <= _MOST_INTERVALS), None)
        step = step or 10 ** math.ceil(math.log10((highest - lowest) / (_MOST_INTERVALS - 2)))
        return cls(_floor(lowest, step) * step, _above(highest, step) * step, step)

    def across(self, value: float) -> float:
        """Where a value lies, in per cent of the drawing's width."""
        return LEFT + (RIGHT - LEFT) * (value - self.low) / (self.high - self.low)

    @property
    def ticks(self) -> Sequence["Tick"]:
        """The labels of the axis."""
        count = round((self.high - self.low) / self.step)
        values = [self.low + number * self.step for number in range(count + 1)]
        return [Tick(percent(self.across(value)), f"{value + 0.0:.1f}".replace("-0.0", "0.0")) for value in values]


@dataclass(frozen=True)
class Tick:
    """A label of the axis. `x` in per cent."""

    x: str
    words: str


@dataclass(frozen=True)
class Dot:
    """A candidate as a dot. `x` in per cent, `y` in px."""

    candidate: Candidate
    x: str
    y: int


@dataclass(frozen=True)
class CandidateLine:
    """The drawing, `height` px high. `needed_x`: where the threshold lies; "" where none decides or it is not known."""

    dots: Sequence[Dot]
    ticks: Sequence[Tick]
    size: DotSize
    height: int
    measure: str
    needed: str = ""
    needed_x: str = ""
    needed_anchor: str = "middle"
    places: int | None = None

    @property
    def base(self) -> int:
        """The height of the axis."""
        return self.height - _BELOW

    @property
    def foot(self) -> int:
        """Where the ticks of the axis end."""
        return self.base + _TICK

    @property
    def band(self) -> int:
        """How high the part beyond the threshold is."""
        return self.base - _TOP

    @property
    def rest(self) -> str:
        """What the part beyond the threshold measures across, in per cent."""
        return percent(RIGHT - float(self.needed_x)) if self.needed_x else ""

    @property
    def standings(self) -> Sequence[str]:
        """What its dots stand for, each once."""
        there = {dot.candidate.standing for dot in self.dots}
        return [standing for standing in ("in", "behind", "out") if standing in there]


def draw(candidates: Sequence[Candidate], terms: RecallTerms) -> CandidateLine | None:
    """The line of these candidates; None where none of them has a place on it. At most 24 dots, the first ones."""
    placed = [(candidate.at, candidate) for candidate in candidates if candidate.at is not None][:_MOST_DOTS]
    if not placed:
        return None
    needed = terms.lowest_similarity if terms.content is None else None
    scale = Scale.around([at for at, _ in placed] + ([] if needed is None else [needed]))
    places = sorted(((scale.across(at), candidate) for at, candidate in placed), key=lambda place: place[0])
    size, lanes = _lanes([across for across, _ in places])
    base = _base(size, max(lanes) + 1)
    across = None if needed is None else scale.across(needed)
    return CandidateLine(
        dots=[
            Dot(candidate, percent(x), base - 3 - size.radius - lane * size.apart)
            for (x, candidate), lane in zip(places, lanes, strict=True)
        ],
        ticks=scale.ticks,
        size=size,
        height=base + _BELOW,
        measure="similarity" if terms.content is None else "score in mode hybrid",
        needed="" if needed is None else f"{needed:.2f}",
        needed_x="" if across is None else percent(across),
        needed_anchor="middle" if across is None else _anchor(across),
        places=terms.places,
    )


def lanes_apart(places: Sequence[float], apart: float) -> list[int]:
    """For places in ascending order the lowest lane, from 0, in which each is `apart` from the one before it."""
    last: list[float] = []
    lanes: list[int] = []
    for place in places:
        lane = next((lane for lane, before in enumerate(last) if place - before >= apart), len(last))
        last[lane : lane + 1] = [place]
        lanes.append(lane)
    return lanes


def percent(across: float) -> str:
    """A place in per cent, as it is written into the drawing."""
    return f"{across:.2f}"


def _lanes(places: Sequence[float]) -> tuple[DotSize, list[int]]:
    """Large dots with their numbers, or small ones where those would be piled up too high."""
    lanes = lanes_apart(places, 100 * LARGE.apart / NARROWEST_PX)
    if max(lanes) < _MOST_LANES_NUMBERED:
        return LARGE, lanes
    return SMALL, lanes_apart(places, 100 * SMALL.apart / NARROWEST_PX)


def _base(size: DotSize, lanes: int) -> int:
    """The height of the axis below so many lanes, and never less than below three of large dots."""
    return _TOP + max(_LEAST_LANES * LARGE.apart + LARGE.radius, lanes * size.apart + size.radius)


def _anchor(across: float) -> str:
    """On which side of its place a label of some 80 px stands, so that it does not leave the drawing."""
    half = 100 * 40 / NARROWEST_PX
    return "start" if across < half else "end" if across > 100 - half else "middle"


def _span(lowest: float, highest: float, step: float) -> int:
    return _above(highest, step) - _floor(lowest, step)


def _floor(value: float, step: float) -> int:
    """The whole number of steps at or below a value."""
    return math.floor(round(value / step, 6))


def _above(value: float, step: float) -> int:
    """The whole number of steps above a value."""
    return math.floor(round(value / step, 6)) + 1

"""The calendar: a column a week, a cell a day, the darker the more chats of that day can be recalled."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.conf import settings
from django.db import connections
from django.template.defaultfilters import pluralize

from dashboard.episodes.query_parameters import EpisodesQuery
from memory.models import EpisodeSummary
from memory.recall.recallable import recalls_by_content

WEEKS = 13
MOST_WEEKS = 27
_DAY, _WEEK = timedelta(days=1), timedelta(days=7)
_LABELS_PERCENT = 12.0
_CELL_SHARE = 0.84
_TOP, _ROW = 22, 26
_LEVELS = ("none", "few", "some", "many")
_STEPS = len(_LEVELS) - 1

# Each day is a range of the index on (model, created_at); those without a summary are looked up among the units.
_COUNTS_QUERY = """
WITH days (day, starts) AS (VALUES {days}),
spans (day, starts, ends) AS (SELECT day, starts, LEAD(starts) OVER (ORDER BY day) FROM days),
models (model) AS (SELECT DISTINCT model FROM episode_summaries WHERE model > '')
SELECT day,
  (SELECT COUNT(*) FROM models JOIN episode_summaries e ON e.model = models.model
    WHERE e.created_at >= starts AND e.created_at < ends) + {quoted}
FROM spans WHERE ends IS NOT NULL
"""
_QUOTED = """(SELECT COUNT(*) FROM episode_summaries e
    WHERE e.model = '' AND e.created_at >= starts AND e.created_at < ends
      AND EXISTS (SELECT 1 FROM episode_units u WHERE u.episode_id = e.id))"""


@dataclass(frozen=True)
class Cell:
    """A day, with its place in the drawing: `x` in per cent, `y` in pixels. `level`: one of `_LEVELS`."""

    day: date
    count: int
    level: str
    x: float
    y: int
    is_chosen: bool
    is_too_old: bool

    @property
    def words(self) -> str:
        """What the cell says: "Tuesday 8 September: 1 episode"."""
        told = f"{self.day:%A} {self.day.day} {self.day:%B}: {self.count} episode{pluralize(self.count)}"
        return told + (", too old to be recalled" if self.is_too_old and self.count else "")


@dataclass(frozen=True)
class MonthLabel:
    """The name of a month above its first week; `x` in per cent."""

    words: str
    x: float


@dataclass(frozen=True)
class EpisodeCalendar:
    """Some weeks of days, and what leads to other weeks.

    `steps`: what each level of colour stands for, in words. `earlier`, `later`: the last day of the weeks before and
    after these; None where there is nothing to show.
    """

    cells: Sequence[Cell]
    months: Sequence[MonthLabel]
    weeks: int
    cell_width: float
    steps: Sequence[tuple[str, str]]
    first: date
    last: date
    later: date | None

    @property
    def earlier(self) -> date:
        """The last day of the weeks before."""
        return self.first - _DAY

    @property
    def starts(self) -> datetime:
        """The moment its first day begins."""
        return datetime.combine(self.first, time(), settings.CAESAR.zone)


def read_calendar(query: EpisodesQuery, *, now: datetime) -> EpisodeCalendar:
    """The weeks that end with the query's day, or today. One query, which reads indexes alone."""
    today = settings.CAESAR.day_of(now)
    last = min(query.until or query.day or today, today) if _is_elsewhere(query, today) else today
    monday, weeks = last - timedelta(days=last.weekday()), _weeks(today)
    first = monday - (weeks - 1) * _WEEK
    end = min(monday + 6 * _DAY, today)
    counts = _counts(first, end)
    top = max(counts.values(), default=0)
    oldest = date.min if recalls_by_content() else today - timedelta(days=_window_days())
    pitch = (100 - _LABELS_PERCENT) / weeks
    cells = [
        Cell(
            day=day,
            count=count,
            level=_level(count, top),
            x=round(_LABELS_PERCENT + (day - first).days // 7 * pitch, 2),
            y=_TOP + day.weekday() * _ROW,
            is_chosen=day == query.day,
            is_too_old=day < oldest,
        )
        for day, count in counts.items()
    ]
    return EpisodeCalendar(
        cells=cells,
        months=_months(first, weeks, pitch),
        weeks=weeks,
        cell_width=round(pitch * _CELL_SHARE, 2),
        steps=_steps(top),
        first=first,
        last=end,
        later=min(end + weeks * _WEEK, today) if end < today else None,
    )


def _is_elsewhere(query: EpisodesQuery, today: date) -> bool:
    """Whether the weeks that end today do not show what is asked for."""
    shown_from = today - timedelta(days=today.weekday()) - (_weeks(today) - 1) * _WEEK
    return query.until is not None or (query.day is not None and query.day < shown_from)


def _window_days() -> int:
    return settings.CAESAR.memory.episodes_recall.max_age_days


def _weeks(today: date) -> int:
    """As many weeks as the window touches, within bounds; by content there is no window."""
    if recalls_by_content():
        return WEEKS
    touched = -(-(_window_days() - today.weekday()) // 7) + 1
    return max(1, min(touched, MOST_WEEKS))


def _counts(first: date, last: date) -> Mapping[date, int]:
    """{day: how many episodes took place on it}."""
    connection = connections[EpisodeSummary.objects.db]
    days = [first + number * _DAY for number in range((last - first).days + 2)]
    starts = [datetime.combine(day, time(), settings.CAESAR.zone) for day in days]
    values = ", ".join(["(%s, %s)"] * len(starts))
    as_stored = connection.ops.adapt_datetimefield_value
    parameters = [part for number, start in enumerate(starts) for part in (number, as_stored(start))]
    with connection.cursor() as cursor:
        cursor.execute(_COUNTS_QUERY.format(days=values, quoted=_QUOTED if recalls_by_content() else "0"), parameters)
        counted = dict(cursor.fetchall())
    return {day: counted[number] for number, day in enumerate(days[:-1])}


def _level(count: int, top: int) -> str:
    """How dark a day is: three steps up to the fullest day."""
    return _LEVELS[-(-count * _STEPS // max(top, _STEPS))]


def _steps(top: int) -> Sequence[tuple[str, str]]:
    """What each level stands for, in words: "none", "1", "2", "3 or more"."""
    top = max(top, _STEPS)
    lowest = [step * top // _STEPS + 1 for step in range(_STEPS)]
    highest = [low - 1 for low in lowest[1:]]
    ranges = [str(low) if low == high else f"{low} to {high}" for low, high in zip(lowest, highest, strict=False)]
    return list(zip(_LEVELS, ["none", *ranges, f"{lowest[-1]} or more"], strict=True))


def _months(first: date, weeks: int, pitch: float) -> Sequence[MonthLabel]:
    """A label where a month begins, and above the first week where there is room before the next."""
    mondays = [first + number * _WEEK for number in range(weeks)]
    begins = [number for number in range(1, weeks) if mondays[number].month != mondays[number - 1].month]
    roomy = begins if begins and begins[0] < 2 else [0, *begins]
    return [MonthLabel(f"{mondays[number]:%b}", round(_LABELS_PERCENT + number * pitch, 2)) for number in roomy]

"""The bar chart of the last 30 days: how often each thing happened on each day, and the size of its bar."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import connections

from memory import events
from memory.models import AuditRow

DAYS = 30
HEIGHT, LOW_HEIGHT = 60.0, 29.0
"""Pixels that a row of bars may be high; the failed tries are low."""
_BAR_SHARE = 0.76  # of a day's width
_MIN_BAR_HEIGHT = 3.0
_MIN_SCALE_TOP = 5

_SERIES_EVENTS: dict[str, tuple[type[events.Event], ...]] = {
    "Chats": (events.ChatCompleted,),
    "Learned": (events.FactAdded, events.FactUpdated),
    "Recalled": (events.EpisodeRecalled,),
    "Failed tries": (events.ChatFailed, events.ExtractFailed, events.ExtractAbandoned, events.EpisodeFailed),
}
"""Label of a series -> the events it counts."""

# Ids grow with time, so a day is a range of ids. The index on `ts` finds its first row, and the index on
# (event_type, id) alone counts its rows. A row that was begun just before midnight and written just after it may be
# counted on either day.
_COUNTS_QUERY = """
WITH days (day, starts) AS (VALUES {days}),
kinds (kind) AS (VALUES {kinds}),
firsts (day, first_id) AS (
    SELECT day, (SELECT id FROM audit_log WHERE ts >= starts ORDER BY ts, id LIMIT 1) FROM days
),
spans (day, first_id, end_id) AS (
    SELECT day, first_id, COALESCE(LEAD(first_id) OVER (ORDER BY day), 9223372036854775807) FROM firsts
)
SELECT day, kind, (
    SELECT COUNT(*) FROM audit_log WHERE event_type = kind AND id >= first_id AND id < end_id
) FROM spans CROSS JOIN kinds WHERE first_id IS NOT NULL AND day < %s
"""


_FAMILIES = {"Chats": "chats", "Learned": "facts", "Recalled": "episodes", "Failed tries": "failures"}
"""Label of a series -> the family of events that a day leads to on the timeline."""


@dataclass(frozen=True)
class Bar:
    """One day of a series: `left` and the widths in per cent of the drawing, `y` and `height` in pixels."""

    day: date
    count: int
    place: int
    y: float
    height: float

    @property
    def left(self) -> str:
        """Where its day begins."""
        return f"{100 * self.place / DAYS:.2f}%"

    @property
    def bar_left(self) -> str:
        """Where its bar begins."""
        return f"{100 * (self.place + (1 - _BAR_SHARE) / 2) / DAYS:.2f}%"


@dataclass(frozen=True)
class ChartSeries:
    """The counts of one thing, oldest day first. Each series has its own scale."""

    label: str
    bars: Sequence[Bar]

    @property
    def family(self) -> str:
        """The family of its events on the timeline."""
        return _FAMILIES[self.label]

    @property
    def is_low(self) -> bool:
        """Whether its row is half as high."""
        return self.label == "Failed tries"

    @property
    def total(self) -> int:
        """The count over all days."""
        return sum(bar.count for bar in self.bars)

    @property
    def most(self) -> int:
        """The largest count of a day."""
        return max(bar.count for bar in self.bars)


@dataclass(frozen=True)
class ActivityChart:
    """All series of the last days, up to today."""

    days: Sequence[date]
    lines: Sequence[ChartSeries]
    day_width: str = f"{100 / DAYS:.2f}%"
    bar_width: str = f"{100 * _BAR_SHARE / DAYS:.2f}%"

    @property
    def weeks(self) -> Sequence[str]:
        """Where the Mondays begin."""
        return [f"{100 * place / DAYS:.2f}%" for place, day in enumerate(self.days) if day.weekday() == 0]

    @property
    def today(self) -> date:
        """The last of the days."""
        return self.days[-1]

    @property
    def chats_today(self) -> int:
        """Finished chats since midnight."""
        return self.lines[0].bars[-1].count

    @property
    def by_day(self) -> Iterable[tuple[date, Sequence[int]]]:
        """The days on which anything happened with a count per series, newest first."""
        columns = zip(*(line.bars for line in self.lines), strict=True)
        counted = [(bars[0].day, [bar.count for bar in bars]) for bars in columns]
        return [(day, counts) for day, counts in reversed(counted) if any(counts)]


def read_activity_chart(now: datetime) -> ActivityChart:
    """The last 30 days in the operator's zone. One query, which reads only indexes, however long the log is."""
    today = settings.CAESAR.day_of(now)
    days = [today - timedelta(days=back) for back in range(DAYS - 1, -1, -1)]
    counts = _counts(days, settings.CAESAR.zone)
    return ActivityChart(days, [_series(label, days, counts[label]) for label in _SERIES_EVENTS])


def _counts(days: Sequence[date], zone: ZoneInfo) -> dict[str, list[int]]:
    """{label of a series: its count for each day}."""
    connection = connections[AuditRow.objects.db]
    kinds = {kind.name: label for label, group in _SERIES_EVENTS.items() for kind in group}
    starts = [datetime.combine(day, time(), zone) for day in (*days, days[-1] + timedelta(days=1))]
    query = _COUNTS_QUERY.format(days=", ".join(["(%s, %s)"] * len(starts)), kinds=", ".join(["(%s)"] * len(kinds)))
    as_stored = connection.ops.adapt_datetimefield_value
    parameters = [part for number, start in enumerate(starts) for part in (number, as_stored(start))]
    counts = {label: [0] * len(days) for label in _SERIES_EVENTS}
    with connection.cursor() as cursor:
        cursor.execute(query, [*parameters, *kinds, len(days)])
        for day, kind, count in cursor.fetchall():
            counts[kinds[kind]][day] += count
    return counts


def _series(label: str, days: Sequence[date], counts: Sequence[int]) -> ChartSeries:
    """The counts as bars whose height grows with the square root; any count above 0 is high enough to be seen."""
    full = LOW_HEIGHT if label == "Failed tries" else HEIGHT
    top = max(*counts, _MIN_SCALE_TOP)
    heights = [max(_MIN_BAR_HEIGHT, round(full * math.sqrt(count / top), 1)) if count else 0.0 for count in counts]
    values = enumerate(zip(days, counts, heights, strict=True))
    bars = [Bar(day, count, place, round(full - height, 1), height) for place, (day, count, height) in values]
    return ChartSeries(label, bars)

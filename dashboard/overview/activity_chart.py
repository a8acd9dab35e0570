"""What happened on each of the last days: counts for the strip on the overview, and the shape of its bars."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import connections

from memory import events
from memory.models import AuditRow

DAYS = 30
_BAR, _GAP, _HEIGHT = 8.0, 2.0, 28.0
_LEAST_BAR = 2.0
_LEAST_TOP = 5

_KINDS: dict[str, tuple[type[events.Event], ...]] = {
    "Chats": (events.ChatCompleted,),
    "Learned": (events.FactAdded, events.FactUpdated),
    "Recalled": (events.EpisodeRecalled,),
    "Failures": (events.ChatFailed, events.ExtractFailed, events.ExtractAbandoned, events.EpisodeFailed),
}
"""What one line of the strip counts."""

# The log grows in the order of its ids, so a day is a stretch of ids: its first row is found by the index on `ts`, and
# its rows are counted in the index on (event_type, id) alone. A row that was begun just before midnight and written
# just after it may fall on either day.
_COUNTS = """
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


@dataclass(frozen=True)
class Bar:
    """One day of one line, as a rectangle of its drawing."""

    day: date
    count: int
    x: float
    height: float

    @property
    def y(self) -> float:
        """Its upper edge."""
        return _HEIGHT - self.height


@dataclass(frozen=True)
class Line:
    """One thing that is counted, day by day, oldest first; each line has its own scale."""

    label: str
    bars: Sequence[Bar]

    @property
    def total(self) -> int:
        """All days together."""
        return sum(bar.count for bar in self.bars)

    @property
    def most(self) -> int:
        """The largest count of a day."""
        return max(bar.count for bar in self.bars)


@dataclass(frozen=True)
class Strip:
    """The last days, up to today."""

    days: Sequence[date]
    lines: Sequence[Line]
    width: float = DAYS * (_BAR + _GAP) - _GAP
    height: float = _HEIGHT
    bar: float = _BAR

    @property
    def chats_today(self) -> int:
        """Finished chats since midnight."""
        return self.lines[0].bars[-1].count

    @property
    def by_day(self) -> Iterable[tuple[date, Sequence[int]]]:
        """The days with anything on them and their counts, newest first."""
        columns = zip(*(line.bars for line in self.lines), strict=True)
        counted = [(bars[0].day, [bar.count for bar in bars]) for bars in columns]
        return [(day, counts) for day, counts in reversed(counted) if any(counts)]


def read_strip(now: datetime) -> Strip:
    """The last 30 days in the operator's zone. One query, which reads only indexes however long the log is."""
    today = now.astimezone(settings.CAESAR.zone).date()
    days = [today - timedelta(days=back) for back in range(DAYS - 1, -1, -1)]
    counts = _counts(days, settings.CAESAR.zone)
    return Strip(days, [_line(label, days, counts[label]) for label in _KINDS])


def _counts(days: Sequence[date], zone: ZoneInfo) -> dict[str, list[int]]:
    """{label: a count for each day}."""
    connection = connections[AuditRow.objects.db]
    kinds = {kind.name: label for label, group in _KINDS.items() for kind in group}
    starts = [datetime.combine(day, time(), zone) for day in (*days, days[-1] + timedelta(days=1))]
    query = _COUNTS.format(days=", ".join(["(%s, %s)"] * len(starts)), kinds=", ".join(["(%s)"] * len(kinds)))
    as_stored = connection.ops.adapt_datetimefield_value
    parameters = [part for place, start in enumerate(starts) for part in (place, as_stored(start))]
    counts = {label: [0] * len(days) for label in _KINDS}
    with connection.cursor() as cursor:
        cursor.execute(query, [*parameters, *kinds, len(days)])
        for day, kind, count in cursor.fetchall():
            counts[kinds[kind]][day] += count
    return counts


def _line(label: str, days: Sequence[date], counts: Sequence[int]) -> Line:
    """The counts as bars: the largest as high as the line, unless it is small; a day with anything can be seen."""
    top = max(*counts, _LEAST_TOP)
    heights = [max(_LEAST_BAR, round(_HEIGHT * count / top, 1)) if count else 0.0 for count in counts]
    places = enumerate(zip(days, counts, heights, strict=True))
    return Line(label, [Bar(day, count, place * (_BAR + _GAP), height) for place, (day, count, height) in places])

"""How often each episode of a page was recalled in each of the last weeks, as a row of small bars."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Case, Count, IntegerField, Q, Value, When

from memory import events
from memory.models import AuditRow, EpisodeSummary

WEEKS = 13
HEIGHT = 22.0
_WEEK = timedelta(days=7)
_MIN_SCALE_TOP = 4
_MIN_HEIGHT = 4.0


@dataclass(frozen=True)
class SparkBar:
    """A week with recalls: its place, oldest week 0, and its height. `is_last`: the week up to now."""

    x: float
    height: float
    is_last: bool

    @property
    def y(self) -> float:
        """Its upper edge."""
        return HEIGHT - self.height


@dataclass(frozen=True)
class Sparkline:
    """The recalls of one episode, week by week, oldest first."""

    counts: Sequence[int]

    @property
    def bars(self) -> Sequence[SparkBar]:
        """A bar for each week with a recall: its area grows with the square root, so that one is seen beside many."""
        top = math.sqrt(max(*self.counts, _MIN_SCALE_TOP))
        return [
            SparkBar(
                week + 0.125, max(_MIN_HEIGHT, round(HEIGHT * math.sqrt(count) / top, 1)), is_last=week == WEEKS - 1
            )
            for week, count in enumerate(self.counts)
            if count
        ]

    @property
    def words(self) -> str:
        """The counts in words: "0, 0, 3"."""
        return ", ".join(str(count) for count in self.counts)


def read_sparklines(episodes: Sequence[EpisodeSummary], *, now: datetime) -> Mapping[int, Sparkline]:
    """{chat: its sparkline} of those that were recalled in these weeks. One query; none where nothing was recalled."""
    since = now - WEEKS * _WEEK
    recalled = [row.audit_log_id for row in episodes if row.last_recalled_at and row.last_recalled_at >= since]
    if not recalled:
        return {}
    weeks = [When(ts__gt=now - (week + 1) * _WEEK, then=Value(WEEKS - 1 - week)) for week in range(WEEKS)]
    counts: dict[int, list[int]] = {}
    for chat, week, count in _counted(recalled, Case(*weeks, output_field=IntegerField())):
        if week is not None and count:
            counts.setdefault(chat, [0] * WEEKS)[week] = count
    return {chat: Sparkline(of_chat) for chat, of_chat in counts.items()}


def _counted(chats: Sequence[int], week: Case) -> Iterable[tuple[int, int | None, int]]:
    """The recalls of these chats, counted by week.

    The rows are looked for by their chats alone: by their event SQLite would read all recalls there are.
    """
    rows = AuditRow.objects.filter(chat__in=chats).annotate(week=week).order_by().values_list("chat", "week")
    return rows.annotate(count=Count("pk", filter=Q(event_type=events.EpisodeRecalled.name)))

"""The timeline: the matching rows newest first, grouped by day and by turn."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby

from django.conf import settings

from dashboard.shared.audit_entries import AuditEntry, read_entries
from dashboard.timeline.counts import EventCounts, count_events
from dashboard.timeline.dates import TimeSpan
from dashboard.timeline.query_parameters import TimelineQuery
from dashboard.timeline.rows import Scope, read_page
from memory import events

_BROUGHT = (events.ChatCompleted, events.ChatFailed, events.ChatPassedThrough, events.ContextServed, *events.HEARD)


@dataclass(frozen=True)
class TimelineRow:
    """One row.

    `goes_on`: the row above belongs to the same turn. `is_turn`: the row below does.
    """

    entry: AuditEntry
    goes_on: bool
    is_turn: bool

    @property
    def client(self) -> str | None:
        """The client to be named: of a turn, and of what one taught; None on the rows that follow."""
        return self.entry.row.client if isinstance(self.entry.event, _BROUGHT) and not self.goes_on else None


@dataclass(frozen=True)
class TimelineDay:
    """The rows of one day in the operator's zone, newest first."""

    date: date
    words: str
    lines: Sequence[TimelineRow]


@dataclass(frozen=True)
class Timeline:
    """One page of the timeline.

    `next_before`: the id to continue before; None on the last page. `newest`: the highest id on the page. `is_open`:
    new rows may appear at its top, unlike on an older page or a day that is over. `day_before`, `day_after`: the
    nearest days with rows around the chosen day.
    """

    days: Sequence[TimelineDay]
    next_before: int | None
    newest: int
    is_open: bool
    counts: EventCounts
    day_before: date | None = None
    day_after: date | None = None

    @property
    def count(self) -> int:
        """How many rows are on the page."""
        return sum(len(day.lines) for day in self.days)


def read_timeline(query: TimelineQuery, *, now: datetime) -> Timeline:
    """The page that the query asks for. At most a dozen queries, however long the log is."""
    scope, dates = Scope.of(query), query.dates
    rows, next_before = read_page(query, scope)
    days = _group_by_day(read_entries(rows, search=query.search), now)
    span = TimeSpan.of(dates) if dates.day else None
    is_now = not dates.problem and (dates.last is None or dates.last >= settings.CAESAR.day_of(now))
    return Timeline(
        days,
        next_before,
        newest=rows[0].pk if rows else 0,
        is_open=query.before is None and is_now,
        counts=count_events(query, scope),
        day_before=span.day_before() if span else None,
        day_after=span.day_after() if span else None,
    )


def _group_by_day(read: Sequence[AuditEntry], now: datetime) -> list[TimelineDay]:
    today = settings.CAESAR.day_of(now)
    days = groupby(read, key=lambda entry: settings.CAESAR.day_of(entry.row.ts))
    return [TimelineDay(when, _day_words(when, today), _timeline_rows(list(of_day))) for when, of_day in days]


def _timeline_rows(of_day: Sequence[AuditEntry]) -> list[TimelineRow]:
    """The rows of a day. Those of one turn are together, at the position of the newest; its recalls in prompt order."""
    turns: dict[str, list[AuditEntry]] = {}
    for entry in of_day:
        turns.setdefault(entry.row.decision_id or f"row {entry.row.pk}", []).append(entry)
    rows: list[TimelineRow] = []
    for turn in turns.values():
        recalls = [entry for entry in reversed(turn) if isinstance(entry.event, events.EpisodeRecalled)]
        others = [entry for entry in turn if not isinstance(entry.event, events.EpisodeRecalled)]
        for number, entry in enumerate([*others, *recalls], 1):
            rows.append(TimelineRow(entry, goes_on=number > 1, is_turn=number < len(turn)))
    return rows


def _day_words(when: date, today: date) -> str:
    return f"{when:%A} {when.day} {when:%B}" + (f" {when.year}" if when.year != today.year else "")

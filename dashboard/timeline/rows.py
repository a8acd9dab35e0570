"""Reads the rows of the timeline: those that match a query, page by page, within one day or without bounds."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.conf import settings
from django.db.models import Max, Min, Q

from dashboard.timeline.query_parameters import TimelineQuery
from memory import events
from memory.models import AuditQuerySet, AuditRow

PAGE_SIZE = 50
MAX_TURNS = 500


@dataclass(frozen=True)
class DaySpan:
    """A day in the operator's zone: from `start` until just before `end`."""

    start: datetime
    end: datetime

    @classmethod
    def of(cls, day: date) -> "DaySpan":
        """The span from midnight to midnight."""
        zone = settings.CAESAR.zone
        midnights = [datetime.combine(each, time.min, tzinfo=zone) for each in (day, day + timedelta(days=1))]
        return cls(*midnights)

    def ids(self) -> tuple[int, int] | None:
        """The lowest and the highest id of the day; None without rows. With them a day of any size is read by id."""
        rows = AuditRow.objects.filter(ts__gte=self.start, ts__lt=self.end)
        ends = rows.aggregate(first=Min("pk"), last=Max("pk"))
        return None if ends["first"] is None else (ends["first"], ends["last"])

    def day_before(self) -> date | None:
        """The nearest earlier day with rows."""
        moment = AuditRow.objects.filter(ts__lt=self.start).aggregate(at=Max("ts"))["at"]
        return None if moment is None else settings.CAESAR.day_of(moment)

    def day_after(self) -> date | None:
        """The nearest later day with rows."""
        moment = AuditRow.objects.filter(ts__gte=self.end).aggregate(at=Min("ts"))["at"]
        return None if moment is None else settings.CAESAR.day_of(moment)


def matching_rows(query: TimelineQuery) -> AuditQuerySet:
    """The rows that match the query, of every day."""
    rows = AuditRow.objects.get_queryset().search(query.search)
    if not query.search:
        rows = rows.without_steps()
    if query.kind:
        rows = rows.filter(event_type=query.kind)
    elif query.family.kinds:
        rows = rows.of_type(*query.family.kinds)
    elif query.leaves_receipts_out:
        rows = rows.exclude(event_type=events.ContextServed.name)
    rows = rows.filter(fact_key=query.fact_key) if query.fact_key else rows
    return _conversation_rows(rows, query.conversation) if query.conversation else rows


def read_page(query: TimelineQuery, span: DaySpan | None) -> tuple[list[AuditRow], int | None]:
    """One page of the matching rows, newest first, and the id to continue before (None on the last page).

    A turn is not split between two pages, unless it is longer than a page.
    """
    found = _rows_before(query, span)
    if len(found) <= PAGE_SIZE:
        return found, None
    shown, following = found[:PAGE_SIZE], found[PAGE_SIZE]
    while following.decision_id and shown and shown[-1].decision_id == following.decision_id:
        shown.pop()
    shown = shown or found[:PAGE_SIZE]
    return shown, shown[-1].pk


def _rows_before(query: TimelineQuery, span: DaySpan | None) -> list[AuditRow]:
    """The rows of a page and one more, which tells whether there is another page."""
    rows, before = matching_rows(query), query.before
    if span is not None:
        ids = span.ids()
        if ids is None:
            return []
        first, last = ids
        before = last + 1 if before is None else min(before, last + 1)
        rows = rows.filter(pk__gte=first, ts__gte=span.start, ts__lt=span.end)
    return rows.page(before=before, limit=PAGE_SIZE + 1).rows


def _conversation_rows(rows: AuditQuerySet, conversation_id: str) -> AuditQuerySet:
    """The rows of a conversation's newest `MAX_TURNS` turns: what was said, served, recalled and learned in them.

    A recall of this conversation in another one belongs to that other one. One query.
    """
    turns = AuditRow.objects.filter(conversation_id=conversation_id).order_by("-id")[:MAX_TURNS]
    pairs = list(turns.values_list("pk", "decision_id"))
    ids, decisions = [pk for pk, _ in pairs], {decision for _, decision in pairs if decision}
    came_of_them = Q(chat_id__in=ids) & ~Q(event_type=events.EpisodeRecalled.name)
    return rows.filter(Q(pk__in=ids) | Q(decision_id__in=decisions) | came_of_them)

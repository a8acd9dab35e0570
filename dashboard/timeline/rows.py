"""Reads the rows of the timeline: those that match a query, page by page, within some days or without bounds."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db.models import Q, prefetch_related_objects

from dashboard.timeline.dates import TimeSpan
from dashboard.timeline.query_parameters import TimelineQuery
from memory import events
from memory.models import ApiKey, AuditQuerySet, AuditRow

PAGE_SIZE = 50
MAX_TURNS = 500
MAX_NEWS = 100
ROWS_AT_A_TIME = 200

_EMPTY_SWEEP = Q(
    Q(payload__emptied=0) | Q(payload__emptied__isnull=True),
    Q(payload__held_back=0) | Q(payload__held_back__isnull=True),
    event_type=events.RetentionSweep.name,
    payload__rows=0,
    payload__episodes=0,
)


@dataclass(frozen=True)
class Scope:
    """The rows that match a query but for their events, and the ids between which its days lie.

    `lowest`, `highest`: both included; None where there is no bound.
    """

    rows: AuditQuerySet
    lowest: int | None = None
    highest: int | None = None

    @classmethod
    def of(cls, query: TimelineQuery) -> "Scope":
        """The scope of a query. At most four queries; nothing fits days that make no sense."""
        rows = _rows_of(query)
        if query.dates.problem:
            return cls(rows.none())
        span = TimeSpan.of(query.dates)
        return cls(span.narrow(rows), *span.ids())

    @property
    def is_empty(self) -> bool:
        """Whether no row can be in it, as the client has no key, or no row is of its days."""
        return self.rows.query.is_empty() or (self.lowest or 0) > (self.highest or math.inf)

    @property
    def by_id(self) -> AuditQuerySet:
        """The rows, bounded by their ids too."""
        rows = self.rows if self.lowest is None else self.rows.filter(pk__gte=self.lowest)
        return rows if self.highest is None else rows.filter(pk__lte=self.highest)

    def newest(self, query: TimelineQuery, *, before: int | None, limit: int) -> list[AuditRow]:
        """The newest rows of the query's events, before the row `before`. One query, however long the log is."""
        if self.is_empty:
            return []
        if self.highest is not None:
            before = self.highest + 1 if before is None else min(before, self.highest + 1)
        types = query.event_types
        if len(types) > 1 and query.is_by_event_alone:
            return _newest_of_each(self.by_id, types, before=before, limit=limit)
        return list(of_events(self.rows, query).newest_first(before=before, since=self.lowest)[:limit])


def of_events(rows: AuditQuerySet, query: TimelineQuery) -> AuditQuerySet:
    """Those of the rows that are of the query's events."""
    if query.event_types:
        return rows.filter(event_type__in=query.event_types)
    if query.leaves_receipts_out:
        rows = rows.exclude(event_type=events.ContextServed.name)
    return rows.exclude(_EMPTY_SWEEP) if query.hides_empty_sweeps else rows


def read_page(query: TimelineQuery, scope: Scope) -> tuple[list[AuditRow], int | None]:
    """One page of the matching rows, newest first, and the id to continue before (None on the last page).

    A turn is not split between two pages, unless it is longer than a page.
    """
    found = scope.newest(query, before=query.before, limit=PAGE_SIZE + 1)
    if len(found) <= PAGE_SIZE:
        return found, None
    shown, following = found[:PAGE_SIZE], found[PAGE_SIZE]
    while following.decision_id and shown and shown[-1].decision_id == following.decision_id:
        shown.pop()
    shown = shown or found[:PAGE_SIZE]
    return shown, shown[-1].pk


def read_all(query: TimelineQuery) -> Iterator[AuditRow]:
    """Every matching row, newest first, `ROWS_AT_A_TIME` in memory; rows that come meanwhile are not in it."""
    scope, before = Scope.of(query), None
    while True:
        rows = scope.newest(query, before=before, limit=ROWS_AT_A_TIME)
        prefetch_related_objects([row for row in rows if row.api_key_id is not None and not row.actor], "api_key")
        yield from rows
        if len(rows) < ROWS_AT_A_TIME:
            return
        before = rows[-1].pk


def count_news(query: TimelineQuery) -> int:
    """How many matching rows came after the row `after`; at most `MAX_NEWS`."""
    newest = Scope.of(query).newest(query, before=None, limit=MAX_NEWS)
    return sum(row.pk > query.after for row in newest)


def _rows_of(query: TimelineQuery) -> AuditQuerySet:
    """The rows that match the query, of every event and every day."""
    rows = AuditRow.objects.get_queryset().search(query.search)
    rows = rows if query.search else rows.without_steps()
    if query.client:
        rows = rows.of_client(ApiKey.objects.ids_of(query.client))
    rows = rows.filter(fact_key=query.fact_key) if query.fact_key else rows
    return _conversation_rows(rows, query.conversation) if query.conversation else rows


def _newest_of_each(
    rows: AuditQuerySet, event_types: Sequence[str], *, before: int | None, limit: int
) -> list[AuditRow]:
    """The newest rows of several events: the newest of each, put together.

    In one condition, both engines read and sort every row of all of them.
    """
    rows = rows if before is None else rows.filter(pk__lt=before)
    each = [rows.filter(event_type=name).order_by("-id").values("id")[:limit] for name in event_types]
    compiled = [some.query.get_compiler(rows.db).as_sql() for some in each]
    ids = " UNION ALL ".join(f"SELECT id FROM ({sql}) AS newest" for sql, _ in compiled)  # noqa: S608 (Django's own SQL)
    values = [value for _, parameters in compiled for value in parameters]
    found = AuditRow.objects.get_queryset().extra(where=[f"audit_log.id IN ({ids})"], params=values)  # noqa: S610
    return list(found.order_by("-id")[:limit])


def _conversation_rows(rows: AuditQuerySet, conversation_id: str) -> AuditQuerySet:
    """The rows of a conversation's newest `MAX_TURNS` turns: what was said, served, recalled and learned in them.

    A recall of this conversation in another one belongs to that other one. One query.
    """
    turns = AuditRow.objects.filter(conversation_id=conversation_id).order_by("-id")[:MAX_TURNS]
    pairs = list(turns.values_list("pk", "decision_id"))
    ids, decisions = [pk for pk, _ in pairs], {decision for _, decision in pairs if decision}
    came_of_them = Q(chat_id__in=ids) & ~Q(event_type=events.EpisodeRecalled.name)
    return rows.filter(Q(pk__in=ids) | Q(decision_id__in=decisions) | came_of_them)

"""How many rows of each event a query of the timeline finds, counted no further than needed to say "1,000+"."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from django.db import connection

from dashboard.timeline.event_families import EventFamily
from dashboard.timeline.query_parameters import TimelineQuery
from dashboard.timeline.rows import Scope, of_events
from memory import events
from memory.models import AuditQuerySet

MOST_COUNTED = 1_000


@dataclass(frozen=True)
class EventCounts:
    """How many rows there are of each event, by its name, and of `everything`.

    `are_least`: only the newest rows were looked at, there may be more of every event.
    """

    by_type: Mapping[str, int]
    everything: int
    are_least: bool = False

    def of_family(self, family: EventFamily) -> str:
        """The rows of a family, in words."""
        if not family.kinds:
            return self._words(self.everything)
        return self._words(sum(self.by_type.get(kind.name, 0) for kind in family.kinds))

    def of_type(self, name: str) -> str:
        """The rows of one event, in words."""
        return self._words(self.by_type.get(name, 0))

    def _words(self, count: int) -> str:
        """ "312", "312+" where there may be more, "1,000+" for all that is more than that."""
        if count >= MOST_COUNTED:
            return f"{MOST_COUNTED:,}+"
        return f"{count}+" if self.are_least else str(count)


def count_events(query: TimelineQuery, scope: Scope) -> EventCounts:
    """The rows of each event that the query would find with another event chosen. One query.

    However long the log is, at most `MOST_COUNTED` entries of an index are read for each event; with a search, a fact
    or a conversation, the newest `MOST_COUNTED` rows that are found.
    """
    if scope.is_empty:
        return EventCounts({}, 0)
    if query.is_by_event_alone:
        everything = of_events(scope.by_id, TimelineQuery())
        each = {name: scope.by_id.filter(event_type=name) for name in events.EVENTS}
        counts = _count_each(each | {"": everything})
        return EventCounts(counts, counts.pop(""))
    before = None if scope.highest is None else scope.highest + 1
    newest = scope.rows.newest_first(before=before, since=scope.lowest).values_list("event_type", flat=True)
    by_type = Counter(newest[:MOST_COUNTED])
    shown = by_type.total() - (by_type[events.ContextServed.name] if query.search else 0)
    return EventCounts(by_type, shown, are_least=by_type.total() == MOST_COUNTED)


def _count_each(some: Mapping[str, AuditQuerySet]) -> dict[str, int]:
    """How many rows each query finds, at most `MOST_COUNTED`. One query."""
    newest = [rows.order_by("-id").values("id")[:MOST_COUNTED] for rows in some.values()]
    compiled = [rows.query.get_compiler(rows.db).as_sql() for rows in newest]
    counts = [f"SELECT {number}, count(*) FROM ({sql}) AS newest" for number, (sql, _) in enumerate(compiled)]  # noqa: S608
    names = list(some)
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(counts), [value for _, parameters in compiled for value in parameters])
        return {names[number]: count for number, count in cursor.fetchall()}

"""The row that says who asked memory what."""

from collections.abc import Collection
from datetime import datetime

from memory import events
from memory.models import AuditRow
from memory.recall.explicit.question import Question
from memory.recall.explicit.results import KINDS, Kind, SearchResults
from memory.text.lines import shorten


def note(
    question: Question,
    results: SearchResults,
    *,
    door: events.SearchDoor,
    kinds: Collection[Kind] = KINDS,
    decision_id: str | None = None,
    now: datetime,
) -> AuditRow:
    """Write one row, audit `searched`, in the name of the request's key. `decision_id`: the turn that it was for."""
    searched = events.MemorySearched(
        door=door,
        query=shorten(question.text, events.MAX_QUERY_CHARS),
        kinds=[kind for kind in KINDS if kind in kinds],
        since=question.since,
        until=question.until,
        read_dates=results.read_dates,
        found=len(results.found),
        ids=[one.id for one in results.found],
    )
    return AuditRow.objects.record(searched, now=now, decision_id=decision_id)

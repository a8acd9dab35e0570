"""Contrary facts that a word of the operator's ended: undo gives them back, and its own undo ends them again."""

from datetime import datetime

from memory import events
from memory.models.audit import AuditQuerySet, AuditRow
from memory.models.facts import PersonalFact
from memory.models.learned.fact import record_change
from memory.text import keys


def undo_along(row: AuditRow, *, by: AuditRow, now: datetime) -> None:
    """Undo what came along with this row, which `by` took back. Of two that contradict at most one holds then.

    Each has one audit row, `along_with` `by`. Call it in the transaction of the undoing.
    """
    fact = PersonalFact.objects.filter(key=row.fact_key or "").first()
    holds = fact is not None and fact.retired_at is None and not fact.is_past(now)
    for one in _along_with(row).order_by("-id"):
        event = one.event
        if isinstance(event, events.FactRetired) and not holds:
            _give_back(one, event, by=by, now=now)
        elif isinstance(event, events.FactUserAdded) and holds:
            _end_again(one, event, by=by, now=now)
    if fact is not None and holds:
        fact.end_contraries(by, now=now)


def ended_by(row: AuditRow) -> set[str]:
    """The keys of the facts that undoing this row ends again."""
    given_back = _along_with(row).of_type(events.FactUserAdded)
    return {key for key in given_back.values_list("fact_key", flat=True) if key}


def _along_with(row: AuditRow) -> AuditQuerySet:
    """Rows about contrary facts. They are found by their keys, since a payload is in no index."""
    rows = AuditRow.objects.get_queryset().of_type(events.FactRetired, events.FactUserAdded)
    contrary = keys.opposite_keys(row.fact_key or "")
    return rows.filter(fact_key__in=contrary, pk__gt=row.pk, payload__along_with=row.pk)


def _give_back(ending: AuditRow, event: events.FactRetired, *, by: AuditRow, now: datetime) -> None:
    """Take this end back, where the fact is still as it left it."""
    fact = PersonalFact.objects.held([event.key]).get(event.key)
    if fact is None or (fact.value, fact.retired_at) != (event.value, event.said_at):
        return
    fact.retired_at = None
    fact.save(update_fields=["retired_at"])
    back = events.FactUserAdded(
        key=fact.key, value=fact.value, restored_from=ending.pk, retired_at=event.said_at, along_with=by.pk
    )
    record_change(back, now=now, chat=fact.source_audit)


def _end_again(given_back: AuditRow, event: events.FactUserAdded, *, by: AuditRow, now: datetime) -> None:
    """End again what was given back, as of when it had ended; not where it has changed meanwhile."""
    fact = PersonalFact.objects.held([event.key]).get(event.key)
    if fact is None or event.retired_at is None or fact.retired_at is not None or fact.value != event.value:
        return
    fact.retired_at = event.retired_at
    fact.save(update_fields=["retired_at"])
    ended = events.FactRetired(
        key=fact.key,
        value=fact.value,
        confidence=fact.confidence,
        said_at=event.retired_at,
        reverts=given_back.pk,
        along_with=by.pk,
    )
    record_change(ended, now=now)

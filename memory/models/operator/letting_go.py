"""Facts that the operator lets leave the prompt, without being asked about them again."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from memory import events
from memory.models.audit import AuditRow
from memory.models.facts import PersonalFact
from memory.models.learned.fact import record_change
from memory.models.revision import MemoryRevision


def let_go(fact: PersonalFact, *, now: datetime) -> AuditRow | None:
    """Note that this fact may leave the prompt, audit `user_let_go`; nothing else changes. None where it is noted.

    Raises `FactConflict` where the fact vanished meanwhile.
    """
    with transaction.atomic():
        MemoryRevision.hold()
        held = fact.locked()
        if let_go_keys([held]):
            return None
        return record_change(events.FactUserLetGo(key=held.key, value=held.value), now=now)


def let_go_keys(facts: Sequence[PersonalFact]) -> set[str]:
    """The keys of those that the operator let go since they were confirmed last. One query, none without facts."""
    confirmed = {fact.key: fact.last_confirmed_at for fact in facts}
    if not confirmed:
        return set()
    rows = AuditRow.objects.get_queryset().of_type(events.FactUserLetGo).filter(fact_key__in=list(confirmed))
    latest = {row.fact_key: row for row in rows.order_by("id")}
    return {key for key, row in latest.items() if key and row.ts >= confirmed[key] and _lets_go(row.event)}


def _lets_go(event: events.Event) -> bool:
    return isinstance(event, events.FactUserLetGo) and event.lets_go

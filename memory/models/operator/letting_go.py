"""Facts that the operator lets leave the prompt, without being asked about them again."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from django.db import transaction

from memory import events
from memory.models.audit import AuditRow
from memory.models.evidence import Evidence, last_place
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
        if let_go_keys([held], now=now):
            return None
        return record_change(events.FactUserLetGo(key=held.key, value=held.value), now=now)


def let_go_keys(facts: Sequence[PersonalFact], *, now: datetime) -> set[str]:
    """The keys of those that the operator let go since they were confirmed last.

    One query, none without facts; one more for each fact where a time in the future leaves that in doubt.
    """
    by_key = {fact.key: fact for fact in facts}
    if not by_key:
        return set()
    rows = AuditRow.objects.get_queryset().of_type(events.FactUserLetGo).filter(fact_key__in=list(by_key))
    latest = {row.fact_key: row for row in rows.order_by("id")}
    return {key for key, row in latest.items() if key and _lets_go(row.event) and _holds(row, by_key[key], now)}


def _holds(row: AuditRow, fact: PersonalFact, now: datetime) -> bool:
    """Whether the fact was not confirmed after this row: by the log where a clock was ahead at one of them."""
    said, confirmed = Evidence(row.ts, row.pk), Evidence(fact.last_confirmed_at, None)
    if said.is_in_doubt(confirmed, now=now):
        confirmed = replace(confirmed, place=last_place(fact.key))
    return not said.is_older_than(confirmed, now=now)


def _lets_go(event: events.Event) -> bool:
    return isinstance(event, events.FactUserLetGo) and event.lets_go

"""The operator's edits that newer words of theirs replaced since, until they say which is right."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from dashboard.shared.audit_entries import parsed_event
from memory import events
from memory.models import AuditRow, PersonalFact, value_after

LATELY = timedelta(days=30)
_MOST = 200


@dataclass(frozen=True)
class ReplacedEdit:
    """`edit`: the row of the operator's word; `update`: the row of what replaced it, of the chat `update.chat_id`."""

    fact: PersonalFact
    edit: AuditRow
    update: AuditRow
    was: str


def read_replaced(now: datetime) -> list[ReplacedEdit]:
    """Those of the last 30 days, the latest first. One query; three where a chat changed a fact in these days."""
    updates = AuditRow.objects.get_queryset().of_type(events.FactUpdated).filter(ts__gt=now - LATELY)
    latest = {row.fact_key: row for row in reversed(updates.order_by("-id")[:_MOST])}
    words = _words_on([key for key in latest if key])
    facts = PersonalFact.objects.by_keys(words)
    found = []
    for key, said in words.items():
        fact, update = facts.get(key), latest[key]
        edit = _replaced_by(update, said)
        if fact is not None and fact.retired_at is None and edit is not None and value_after(update) == fact.value:
            found.append(ReplacedEdit(fact, edit, update, value_after(edit)))
    return sorted(found, key=lambda item: -item.update.pk)


def _words_on(keys: Sequence[str]) -> dict[str, list[AuditRow]]:
    """{key: the rows in which the operator gave it a value, confirmed it or took that back, oldest first}."""
    if not keys:
        return {}
    words: dict[str, list[AuditRow]] = {}
    kinds = (events.FactUserEdited, events.FactUserAdded, events.FactUserConfirmed)
    for row in AuditRow.objects.get_queryset().of_type(*kinds).filter(fact_key__in=keys).order_by("id"):
        words.setdefault(row.fact_key or "", []).append(row)
    return words


def _replaced_by(update: AuditRow, words: Sequence[AuditRow]) -> AuditRow | None:
    """The operator's last word before this update, where the update replaced its value and none came after it."""
    event = parsed_event(update)
    if not isinstance(event, events.FactUpdated) or words[-1].pk > update.pk:
        return None
    given = [row for row in words if value_after(row)]
    return given[-1] if given and value_after(given[-1]) == event.old_value else None

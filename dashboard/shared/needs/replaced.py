"""The operator's edits that newer words of theirs replaced since, until they say which is right."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from dashboard.shared.audit_entries import parsed_event
from memory import events
from memory.models import AuditRow, PersonalFact, UndoState, value_after

LATELY = timedelta(days=30)
_MOST = 200


@dataclass(frozen=True)
class ReplacedEdit:
    """`edit`: the row of their word; `update`: the latest of what replaced it, of the chat `update.chat_id`."""

    fact: PersonalFact
    edit: AuditRow
    update: AuditRow
    was: str


def read_replaced(now: datetime) -> list[ReplacedEdit]:
    """Those of the last 30 days, the latest first. One query; four at most where a chat changed one."""
    updates = AuditRow.objects.get_queryset().of_type(events.FactUpdated).filter(ts__gt=now - LATELY)
    changes: dict[str, list[AuditRow]] = {}
    for row in reversed(updates.order_by("-id")[:_MOST]):
        changes.setdefault(row.fact_key or "", []).append(row)
    words = _words_on([key for key in changes if key])
    facts = PersonalFact.objects.by_keys(words)
    found = []
    for key, said in words.items():
        fact, update = facts.get(key), changes[key][-1]
        edit = _replaced_by(changes[key], said)
        if fact is not None and fact.retired_at is None and edit is not None and value_after(update) == fact.value:
            found.append(ReplacedEdit(fact, edit, update, value_after(edit)))
    return sorted(found, key=lambda item: -item.update.pk)


def _words_on(keys: Sequence[str]) -> dict[str, list[AuditRow]]:
    """{key: the rows in which the operator gave it a value or confirmed it, oldest first}, no undone confirmation."""
    if not keys:
        return {}
    words: dict[str, list[AuditRow]] = {}
    kinds = (events.FactUserEdited, events.FactUserAdded, events.FactUserConfirmed)
    rows = list(AuditRow.objects.get_queryset().of_type(*kinds).filter(fact_key__in=keys).order_by("id"))
    confirmations = [row for row in rows if row.event_type == events.FactUserConfirmed.name]
    undone = UndoState.of(confirmations).undone | {row.pk for row in confirmations if row.payload.get("reverts")}
    for row in rows:
        if row.pk in undone:
            continue
        words.setdefault(row.fact_key or "", []).append(row)
    return words


def _replaced_by(changes: Sequence[AuditRow], words: Sequence[AuditRow]) -> AuditRow | None:
    """The operator's last word, where the first of these changes after it replaced its value; None without one."""
    since = next((row for row in changes if row.pk > words[-1].pk), None)
    event = parsed_event(since) if since is not None else None
    if not isinstance(event, events.FactUpdated):
        return None
    given = [row for row in words if value_after(row)]
    return given[-1] if given and value_after(given[-1]) == event.old_value else None

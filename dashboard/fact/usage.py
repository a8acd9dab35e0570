"""Where a fact was said, changed and used: the chats, and how often it was in a prompt, week by week."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import connections
from django.db.models import BooleanField
from django.db.models.expressions import RawSQL

from memory import events
from memory.models import AuditRow

WEEKS = 13
_WEEK = timedelta(days=7)
_CHATS_NAMED = 4
_CHANGES_READ = 60
_USES_READ = 2_000

_LEARNED = (events.FactAdded, events.FactUpdated, events.FactConfirmed)
_CHANGED = (events.FactUpdated, events.FactUserEdited)

_HOLDS_KEY: Mapping[str, str] = {
    "sqlite": "EXISTS (SELECT 1 FROM json_each(audit_log.payload, '$.facts') AS served "
    "WHERE CASE served.type WHEN 'object' THEN json_extract(served.value, '$.key') END = %s)",
    "postgresql": "(audit_log.payload -> 'facts') @> %s::jsonb",
}
"""Whether a receipt has a fact with this key."""


@dataclass(frozen=True)
class Use:
    """A prompt that the fact was in: its chat where there is one, else the receipt's own row."""

    row: int
    is_chat: bool


@dataclass(frozen=True)
class Week:
    """One bar: how often the fact was used in that week. `y` and `height` in a drawing 42 high."""

    place: int
    count: int
    y: str
    height: str


@dataclass(frozen=True)
class Change:
    """One change of the value: the row, when, and the chat that made it; None where the operator did."""

    row: int
    ts: datetime
    chat: int | None


@dataclass(frozen=True)
class FactUsage:
    """How a fact came about and what it was used for. `weeks`: the last 13, oldest first, beginning at `since`."""

    said_in: Sequence[int]
    changes: Sequence[Change]
    uses: Sequence[Use]
    more_uses: int
    weeks: Sequence[Week]
    since: datetime

    @property
    def count(self) -> int:
        """How often it was used in these weeks."""
        return sum(week.count for week in self.weeks)


def read_usage(key: str, now: datetime) -> FactUsage:
    """The usage of the fact with this key. Three queries. Receipts that the retention swept are not counted."""
    said, changes = _read_changes(key)
    since = now - WEEKS * _WEEK
    served = AuditRow.objects.get_queryset().of_type(events.ContextServed).filter(ts__gt=since, ts__lte=now)
    rows = list(served.filter(_holds(key)).order_by("-id").values_list("id", "ts", "decision_id")[:_USES_READ])
    counts = [0] * WEEKS
    for _, ts, _ in rows:
        counts[min(WEEKS - 1, (ts - since) // _WEEK)] += 1
    newest = rows[:_CHATS_NAMED]
    chats = _read_chats([decision for _, _, decision in newest if decision])
    uses = [Use(chats.get(decision or "", row), (decision or "") in chats) for row, _, decision in newest]
    return FactUsage(said, changes, uses, len(rows) - len(uses), _weeks(counts), since.astimezone(settings.CAESAR.zone))


def _holds(key: str) -> RawSQL:
    vendor = connections[AuditRow.objects.db].vendor
    wanted = key if vendor == "sqlite" else json.dumps([{"key": key}])
    return RawSQL(_HOLDS_KEY[vendor], (wanted,), output_field=BooleanField())  # noqa: S611 (constants, and a parameter)


def _read_chats(decisions: Sequence[str]) -> Mapping[str, int]:
    """{decision: the chat that came of it}. One query."""
    chats = AuditRow.objects.get_queryset().chats().filter(decision_id__in=decisions)
    return {decision: pk for pk, decision in chats.order_by("id").values_list("id", "decision_id") if decision}


def _read_changes(key: str) -> tuple[Sequence[int], Sequence[Change]]:
    """The chats in which it was said, oldest first, and the changes of its value, newest first. One query."""
    rows = AuditRow.objects.get_queryset().of_type(*_LEARNED, *_CHANGED).filter(fact_key=key).order_by("-id")
    read = list(rows.values_list("id", "ts", "chat_id", "event_type")[:_CHANGES_READ])
    learned, changed = ({kind.name for kind in kinds} for kinds in (_LEARNED, _CHANGED))
    said = list(dict.fromkeys(chat for _, _, chat, kind in reversed(read) if chat is not None and kind in learned))
    changes = [Change(row, ts, chat) for row, ts, chat, kind in read if kind in changed]
    return said[-_CHATS_NAMED:], changes[:_CHATS_NAMED]


def _weeks(counts: Sequence[int]) -> Sequence[Week]:
    most = max(*counts, 1)
    heights = [39 * count / most for count in counts]
    return [
        Week(place, count, f"{42 - height:.1f}", f"{height:.1f}")
        for place, (count, height) in enumerate(zip(counts, heights, strict=True))
    ]

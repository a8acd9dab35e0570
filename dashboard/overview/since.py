"""What has changed since the operator looked last."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Count
from django.template.defaultfilters import pluralize

from dashboard.shared.audit_entries import AuditEntry, read_entries
from memory import events
from memory.models import AuditRow, PersonalFact, UndoState
from memory.text.lines import one_line

FIRST_LOOK = timedelta(days=1)
"""What a first look shows."""
LONGEST = timedelta(days=30)
SHOWN = 8
_LOOKED_AT = 40
"""So many of the latest are looked at for what stands: what was undone, and what undid it, are left out."""

_HEARD = (events.FactAdded, events.FactUpdated, events.FactConfirmed, events.FactRetired)
_BY_OPERATOR = tuple(kind for kind in events.BY_OPERATOR if kind not in _HEARD)
_COUNTED: Mapping[str, tuple[type[events.Event], ...]] = {
    "learned": (events.FactAdded,),
    "changed": (events.FactUpdated,),
    "confirmed": (events.FactConfirmed,),
    "ended": (events.FactRetired,),
}


@dataclass(frozen=True)
class Change:
    """One thing that happened. `fact`: as it is now, where the operator may edit or delete what a chat said of it."""

    entry: AuditEntry
    fact: PersonalFact | None
    is_today: bool = True

    @property
    def value(self) -> str:
        """What it says, to be corrected in place."""
        return one_line(self.fact.value) if self.fact else ""


@dataclass(frozen=True)
class SinceLastLook:
    """What has changed since `since`: the totals in words, the latest changes, and how many more there were.

    `looked_at` is None at a first look, which shows the last day.
    """

    since: datetime
    looked_at: datetime | None
    totals: str
    changes: Sequence[Change]
    more: int


def read_since(looked_at: datetime | None, now: datetime) -> SinceLastLook:
    """The changes since `looked_at`, of the last 30 days at most. Five queries and those of the entries."""
    since = max(looked_at or now - FIRST_LOOK, now - LONGEST)
    first = AuditRow.objects.filter(ts__gt=since).order_by("ts", "id").values_list("id", flat=True).first()
    if first is None:
        return SinceLastLook(since, looked_at, "", (), 0)
    changed = AuditRow.objects.get_queryset().of_type(*_HEARD, *_BY_OPERATOR).filter(id__gte=first)
    counted = dict(changed.values_list("event_type").annotate(count=Count("pk")).order_by())
    shown = _standing(list(changed.order_by("-id")[:_LOOKED_AT]))[:SHOWN]
    return SinceLastLook(
        since,
        looked_at,
        _in_words(counted, _recalled(first)),
        _changes(shown, now),
        sum(counted.values()) - len(shown),
    )


def _recalled(first: int) -> tuple[int, int]:
    """How many episodes were recalled from this row on, and for how many turns."""
    found = AuditRow.objects.get_queryset().of_type(events.EpisodeRecalled).filter(id__gte=first)
    counts = found.aggregate(recalls=Count("pk"), turns=Count("decision_id", distinct=True))
    return counts["recalls"], counts["turns"]


def _in_words(counted: Mapping[str, int], recalled: tuple[int, int]) -> str:
    """ "Learned 1, changed 2; recalled 8 times for 3 chats." """
    kinds = ((word, sum(counted.get(kind.name, 0) for kind in group)) for word, group in _COUNTED.items())
    parts = [", ".join(f"{word} {count:,}" for word, count in kinds if count)]
    recalls, turns = recalled
    if recalls:
        parts.append(f"recalled {recalls:,} time{pluralize(recalls)} for {turns:,} chat{pluralize(turns)}")
    words = "; ".join(filter(None, parts))
    return f"{words[:1].upper()}{words[1:]}." if words else ""


def _standing(rows: Sequence[AuditRow]) -> list[AuditRow]:
    """Those of these rows that were not taken back, and that take nothing back."""
    undone = UndoState.of(rows).undone
    taking_back = ("reverts", "restored_from")
    return [row for row in rows if row.pk not in undone and not any(row.payload.get(name) for name in taking_back)]


def _changes(rows: Sequence[AuditRow], now: datetime) -> list[Change]:
    heard = {kind.name for kind in _HEARD}
    facts = PersonalFact.objects.by_keys({row.fact_key for row in rows if row.fact_key and row.event_type in heard})
    shown: set[str] = set()
    changes = []
    for entry in read_entries(rows):
        key = entry.row.fact_key or ""
        fact = facts.get(key) if entry.row.event_type in heard and key not in shown else None
        shown.add(key)
        is_today = settings.CAESAR.day_of(entry.row.ts) == settings.CAESAR.day_of(now)
        changes.append(Change(entry, fact if fact and fact.retired_at is None else None, is_today))
    return changes

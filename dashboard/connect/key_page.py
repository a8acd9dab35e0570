"""What the client with one API key brought: its chats, the facts that came of them, and what it did itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time

from django.conf import settings
from django.db.models import QuerySet

from dashboard.shared.audit_entries import AuditEntry, read_entries
from memory import events
from memory.models import ApiKey, AuditQuerySet, AuditRow, KeyDay, KeyUsed, PersonalFact

MOST_COUNTED = 10_000
CHATS_SHOWN = 5
FACTS_SHOWN = 20

_VERBS = tuple(kind for kind in events.EVENTS.values() if kind.label.startswith("You "))
"""What a client with the scope `manage` does in the operator's place."""


@dataclass(frozen=True)
class Brought:
    """How much a client brought that is kept, each counted up to `MOST_COUNTED`."""

    chats: int
    facts: int

    @property
    def staying(self) -> str:
        """What revoking the key leaves, as a sentence."""
        if not self.chats and not self.facts:
            return "It has brought nothing."
        counts = [counted(self.chats, "chat")] * bool(self.chats) + [counted(self.facts, "fact")] * bool(self.facts)
        return f"{' and '.join(counts)} it brought stay{'s' if self.chats + self.facts == 1 else ''}."


@dataclass(frozen=True)
class KeyPage:
    """Everything on a key's page. `verbs`: how often it edited, deleted or added itself."""

    key: ApiKey
    brought: Brought
    turns_this_month: int
    used_this_month: KeyUsed
    verbs: int
    newest_facts: Sequence[PersonalFact]
    newest_chats: Sequence[AuditEntry]


def read_key_page(key: ApiKey, *, now: datetime) -> KeyPage:
    """The page of a key. At most a dozen queries, however much it brought."""
    rows = AuditRow.objects.get_queryset().of_client([key.pk])
    return KeyPage(
        key,
        read_brought(key),
        turns_this_month=_count(_this_month(rows.turns(), now)),
        used_this_month=KeyDay.objects.this_month(now=now).get(key.pk, KeyUsed()),
        verbs=_count(rows.of_type(*_VERBS).filter(actor__isnull=False)),
        newest_facts=list(_facts_of(key).order_by("-id")[:FACTS_SHOWN]),
        newest_chats=read_entries(list(rows.turns().order_by("-id")[:CHATS_SHOWN])),
    )


def read_brought(key: ApiKey) -> Brought:
    """What a client brought. Two queries."""
    chats = AuditRow.objects.get_queryset().of_client([key.pk]).turns()
    return Brought(_count(chats), _facts_of(key).count())


def counted(count: int, noun: str) -> str:
    """ "1 chat", "212 chats", "10,000+ chats"."""
    number = f"{MOST_COUNTED:,}+" if count >= MOST_COUNTED else f"{count:,}"
    return f"{number} {noun}{'' if count == 1 else 's'}"


def _facts_of(key: ApiKey) -> QuerySet[PersonalFact]:
    """The facts whose value a chat of the client told, those that have ended too."""
    return PersonalFact.objects.filter(source_audit__api_key=key)


def _count(rows: AuditQuerySet) -> int:
    return rows.order_by().values("pk")[:MOST_COUNTED].count()


def _this_month(rows: AuditQuerySet, now: datetime) -> AuditQuerySet:
    """Those of this calendar month, in the operator's zone."""
    first_day = settings.CAESAR.day_of(now).replace(day=1)
    start = datetime.combine(first_day, time.min, tzinfo=settings.CAESAR.zone)
    first = AuditRow.objects.filter(ts__gte=start).order_by("ts").values_list("pk", flat=True).first()
    return rows.filter(ts__gte=start, pk__gte=first or 0)  # the id, so that no older row is looked at

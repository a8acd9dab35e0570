"""The sweep: audit rows are deleted after `RETENTION_DAYS`, each chat with its episode (ADR-0020, decision 22)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Max, Q

from memory import events
from memory.models import (
    ApiKeyMinute,
    AskAgain,
    AuditQuerySet,
    AuditRow,
    EpisodeSummary,
    ExtractCursor,
    IdempotencyKey,
    MemoryRevision,
    PersonalFact,
    SummariseCursor,
)
from memory.models.audit import Swept as SweptAway

ROWS_AT_A_TIME = 500
_OPERATORS_OWN = (events.FactUserEdited.name, events.FactUserAdded.name)


@dataclass(frozen=True)
class Swept:
    """What one sweep deleted, or would delete."""

    older_than: datetime
    rows: int = 0
    episodes: int = 0

    def __str__(self) -> str:
        return f"{self.rows} rows and {self.episodes} episodes older than {self.older_than:%Y-%m-%d %H:%M}"


def sweep(*, now: datetime, dry_run: bool = False) -> Swept | None:
    """Delete the expired rows, one bounded batch in each transaction, and write `memory.retention_sweep`.

    None where retention is switched off (0 days). A sweep that is interrupted loses nothing: the next one goes on.
    Idempotency keys and counts of requests are deleted after a day, whatever the retention.
    """
    if not dry_run:
        IdempotencyKey.objects.forget_old(now=now)
        ApiKeyMinute.objects.forget_old(now=now)
    days = settings.CAESAR.memory.retention_days
    if not days:
        return None
    older_than = now - timedelta(days=days)
    due = expired(older_than)
    if dry_run:
        return Swept(older_than, due.count(), due.filter(episode__isnull=False).count())
    rows = episodes = 0
    for ids in _batches(due):
        deleted = _sweep_away(ids)
        rows, episodes = rows + deleted.rows, episodes + deleted.episodes
    AuditRow.objects.record(events.RetentionSweep(older_than=older_than, rows=rows, episodes=episodes), now=now)
    return Swept(older_than, rows, episodes)


def _sweep_away(ids: Sequence[int]) -> SweptAway:
    """Delete these rows in one transaction; its locks in the order of `memory.models.transactions`."""
    with transaction.atomic():
        EpisodeSummary.objects.hold(chat_ids=ids)
        MemoryRevision.hold()
        deleted = AuditRow.objects.get_queryset().filter(pk__in=ids).sweep_away()
        if deleted.episodes:
            MemoryRevision.move("episodes_changed")
    return deleted


def expired(older_than: datetime) -> AuditQuerySet:
    """The rows that may be deleted: old enough, and not needed any more.

    Kept are chats a worker has still to read, what the operator added and edited of facts that still exist (edits
    count for importance, ADR-0034 §4), the row of a fact's end while it lasts, and the operator's last word on each
    key, which older evidence must never override (decision 2).
    """
    return (
        AuditRow.objects.get_queryset()
        .filter(ts__lt=older_than)
        .exclude(_unread_chats())
        .exclude(pk__in=AskAgain.objects.values("chat_id"))
        .exclude(event_type__in=_OPERATORS_OWN, fact_key__in=PersonalFact.objects.values("key"))
        .exclude(event_type=events.FactRetired.name, fact_key__in=PersonalFact.objects.retired().values("key"))
        .exclude(pk__in=_last_words())
    )


def _unread_chats() -> Q:
    """Chats after the cursor of a worker that is switched on."""
    memory = settings.CAESAR.memory
    workers = ((memory.facts_extract.enabled, ExtractCursor), (memory.episodes_summarise.enabled, SummariseCursor))
    places = [cursor.current().last_audit_id for enabled, cursor in workers if enabled]
    if not places:
        return Q(pk__in=[])
    return Q(event_type=events.ChatCompleted.name, pk__gt=min(places))


def _last_words() -> AuditQuerySet:
    said = AuditRow.objects.get_queryset().of_type(events.FactUserEdited, events.FactUserDeleted, events.FactUserAdded)
    return said.order_by().values("fact_key").annotate(last=Max("pk")).values("last")  # type: ignore[return-value]


def _batches(due: AuditQuerySet) -> Iterator[list[int]]:
    """The ids of the expired rows, oldest first, in batches; each batch is looked up when it is needed."""
    after = 0
    while ids := list(due.filter(pk__gt=after).order_by("pk").values_list("pk", flat=True)[:ROWS_AT_A_TIME]):
        yield ids
        after = ids[-1]

"""The sweep: audit rows are deleted after `RETENTION_DAYS`, each chat with its episode (ADR-0020, decision 22).

What has to stay of the operator's own rows is emptied: their key and time remain, no value does (decision 33).
"""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.db import connections, router, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
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
    search,
)
from memory.models.audit import Swept as SweptAway

logger = logging.getLogger(__name__)

ROWS_AT_A_TIME = 25
_PAGES_AT_A_TIME = 500
_FIRST_PAGES = 50
_SHORTEST_PAUSE_SECONDS = 0.05
_LOCKED_SECONDS = 0.03  # how long a step should hold the lock: on SQLite nobody else writes meanwhile
_OPERATORS_OWN = (events.FactUserEdited.name, events.FactUserAdded.name)


@dataclass(frozen=True)
class Swept:
    """What one sweep deleted, or would delete; `emptied`: rows of the operator's that stay without their values.

    `held_back`: how many more are due, but wait for the operator's word. `unfinished`: the next sweep goes on.
    """

    older_than: datetime
    rows: int = 0
    episodes: int = 0
    emptied: int = 0
    held_back: int = 0
    unfinished: bool = False

    def __str__(self) -> str:
        done = f"{self.rows} rows and {self.episodes} episodes older than {self.older_than:%Y-%m-%d %H:%M}"
        done += f"; {self.emptied} rows of yours emptied of their values"
        done += "; its time was over, the next sweep goes on" if self.unfinished else ""
        return done + (f"; {self.held_back} more are due and held back" if self.held_back else "")


def sweep(
    *,
    now: datetime,
    dry_run: bool = False,
    seconds: float | None = None,
    pause: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> Swept | None:
    """Delete and empty the expired rows, a bounded batch in each transaction, and write `memory.retention_sweep`.

    None where retention is switched off (0 days). A sweep that is interrupted loses nothing: the next one goes on. One
    that began no further batch since `seconds` were over says so. Between two batches it calls `pause` for as long as
    the last one took, so that others can write. What `Verdict` holds back stays until `allow`.
    Idempotency keys and counts of requests are deleted after a day, whatever the retention.
    """
    if not dry_run:
        IdempotencyKey.objects.forget_old(now=now)
        ApiKeyMinute.objects.forget_old(now=now)
    days = settings.CAESAR.memory.retention_days
    if not days:
        return None
    verdict = Verdict.on(now - timedelta(days=days), now=now)
    if dry_run:
        return _counted(verdict)
    swept = _swept(verdict, _Steps(None if seconds is None else clock() + seconds, pause, clock))
    _record(swept, verdict, now=now)
    return swept


def _counted(verdict: "Verdict") -> Swept:
    due = expired(verdict.until)
    emptied = values_expired(verdict.until).exclude(pk__in=due.values("pk")).count()
    return Swept(verdict.older_than, due.count(), due.filter(episode__isnull=False).count(), emptied, verdict.held_back)


def _swept(verdict: "Verdict", steps: "_Steps") -> Swept:
    database = connections[router.db_for_write(AuditRow)]
    search.wipe_on_delete(database)
    rows = episodes = emptied = 0
    for ids in steps.batches(expired(verdict.until)):
        with steps.locked():
            deleted = _sweep_away(ids)
        rows, episodes = rows + deleted.rows, episodes + deleted.episodes
    for ids in steps.batches(values_expired(verdict.until)):
        with steps.locked():
            emptied += AuditRow.objects.get_queryset().filter(pk__in=ids).empty_words()
    if rows or emptied:
        steps.drop_deleted_words(database)
    return Swept(verdict.older_than, rows, episodes, emptied, verdict.held_back, steps.is_over)


@dataclass
class Pace:
    """How much to do at a time, at most `most`: so much that it takes about `_LOCKED_SECONDS`, by the last step."""

    size: int
    most: int

    def note(self, seconds: float) -> None:
        """The last step took so long."""
        fitting = int(self.size * _LOCKED_SECONDS / seconds) if seconds > 0 else self.most
        self.size = max(1, min(fitting, 2 * self.size, self.most))


@dataclass
class _Steps:
    """Steps that hold the lock for moments, with a pause after each for as long as it took, so that others can write.

    No batch begins once `ends` (by `clock`, in seconds) is past; then `is_over`.
    """

    ends: float | None
    pause: Callable[[float], None]
    clock: Callable[[], float]
    is_over: bool = False
    _began: float | None = None
    _pace: Pace = field(default_factory=lambda: Pace(ROWS_AT_A_TIME, most=ROWS_AT_A_TIME))

    def batches(self, due: AuditQuerySet) -> Iterator[list[int]]:
        """The ids of these rows, oldest first; each batch is looked up when it is needed."""
        after = 0
        while ids := list(due.filter(pk__gt=after).order_by("pk").values_list("pk", flat=True)[: self._pace.size]):
            if self._began is not None:
                if self.ends is not None and self.clock() >= self.ends:
                    self.is_over = True
                    return
                self._pause(self.clock() - self._began)
            self._began = self.clock()
            yield ids
            after = ids[-1]

    @contextmanager
    def locked(self) -> Iterator[None]:
        """One transaction. The next batch is as large as fits by how long this one holds the lock."""
        with transaction.atomic():
            began = self.clock()  # the lock is there
            yield
        self._pace.note(self.clock() - began)

    def drop_deleted_words(self, database: BaseDatabaseWrapper) -> None:
        """Take the words of deleted rows out of the search index."""
        pace, began, is_first = Pace(_FIRST_PAGES, most=_PAGES_AT_A_TIME), self.clock(), True
        while search.drop_deleted_words(database, pages=pace.size, is_first=is_first):
            pace.note(seconds := self.clock() - began)
            self._pause(seconds)
            began, is_first = self.clock(), False

    def _pause(self, seconds: float) -> None:
        self.pause(max(seconds, _SHORTEST_PAUSE_SECONDS))


def _record(swept: Swept, verdict: "Verdict", *, now: datetime) -> None:
    if verdict.held_back:
        logger.warning("The sweep holds back %d rows that are due: see the overview page", verdict.held_back)
    event = events.RetentionSweep(
        older_than=swept.older_than,
        rows=swept.rows,
        episodes=swept.episodes,
        emptied=swept.emptied,
        held_back=verdict.held_back,
        held_because=verdict.held_because,
        of_rows=verdict.of_rows,
        newest=verdict.newest,
        unfinished=swept.unfinished,
    )
    AuditRow.objects.record(event, now=now)


def _sweep_away(ids: Sequence[int]) -> SweptAway:
    """Delete these rows in the caller's transaction; locks in the order of `memory.models.transactions`."""
    EpisodeSummary.objects.hold(chat_ids=ids)
    MemoryRevision.hold()
    deleted = AuditRow.objects.get_queryset().filter(pk__in=ids).sweep_away()
    if deleted.episodes:
        MemoryRevision.move("episodes_changed")
    return deleted


def values_expired(older_than: datetime) -> AuditQuerySet:
    """The operator's rows that are old enough to lose their values and still have them.

    Of those that stay, only key and time are needed: the number of edits for importance (ADR-0034 §4), the last word's
    time and place for decision 2. What a fact that exists says now stands in its own table.
    """
    rows = AuditRow.objects.get_queryset().of_type(*events.LAST_WORDS).filter(ts__lt=older_than)
    return rows.exclude(payload__emptied=True)


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
    said = AuditRow.objects.get_queryset().of_type(*events.LAST_WORDS)
    return said.order_by().values("fact_key").annotate(last=Max("pk")).values("last")  # type: ignore[return-value]


# --- what a sweep asks about ----------------------------------------------------------------------------------------
#
# A clock that is ahead makes the day's history look expired. Nobody can tell it from a server that was off for as long,
# so the log itself is asked, and the operator where it does not know either.

_AN_ORDINARY_GAP = timedelta(days=3)
_FEW_ROWS = 100
_LOOKED_BACK = 400


@dataclass(frozen=True)
class Verdict:
    """How far a sweep may go: rows older than `until`. Of those older than `older_than`, `held_back` are left.

    It never takes a row newer than the newest of the log, of `newest`, less the retention; and of rows that no sweep of
    every day comes upon at most a tenth of the `of_rows`. The operator's word (`allow`) goes before both. In a small
    log a hundred rows pass as well, if they are not most of it.
    """

    older_than: datetime
    until: datetime
    held_back: int = 0
    held_because: events.HeldBecause = ""
    of_rows: int = 0
    newest: datetime | None = None

    @classmethod
    def on(cls, older_than: datetime, *, now: datetime) -> "Verdict":
        """The verdict of the log on a sweep of what is older than that."""
        earlier = _EarlierSweeps.read()
        of_rows, newest = AuditRow.objects.count(), _newest(earlier)
        if earlier.allowed_until >= older_than:
            return cls(older_than, older_than, of_rows=of_rows, newest=newest)
        believed = max(min(older_than, newest - (now - older_than)), earlier.allowed_until)
        unexpected = _unexpected(believed, older_than, earlier).count()
        if unexpected > max(of_rows // 10, min(_FEW_ROWS, of_rows // 2)):
            held_back = expired(older_than).filter(ts__gte=earlier.allowed_until).count()
            return cls(older_than, earlier.allowed_until, held_back, "many", of_rows, newest)
        if now - newest <= _AN_ORDINARY_GAP:  # what is left by this is taken tomorrow
            return cls(believed, believed, of_rows=of_rows, newest=newest)
        held_back = expired(older_than).filter(ts__gte=believed).count()
        if not held_back:
            return cls(believed, believed, of_rows=of_rows, newest=newest)
        return cls(older_than, believed, held_back, "clock", of_rows, newest)


def allow(*, now: datetime) -> bool:
    """Have the next sweep delete what the last one held back, audit `memory.sweep_allowed`. False where it held nothing
    back, or may go on already."""
    with transaction.atomic():
        AuditRow.objects.hold_chat_order()  # one of two clicks at once
        last = _sweeps_and_words().first()
        if last is None or not isinstance(swept := last.event, events.RetentionSweep) or not swept.held_back:
            return False
        AuditRow.objects.record(events.SweepAllowed(older_than=swept.older_than, rows=swept.held_back), now=now)
    return True


_NEVER = datetime(1000, 1, 1, tzinfo=UTC)
"""Before every row, and far enough from the calendar's end to reckon with."""


@dataclass(frozen=True)
class _EarlierSweeps:
    """What earlier sweeps and the operator's words about them mean for the next one.

    `allowed_until`: what is older was allowed by the operator, and no sweep has been through it since. `done_until`:
    the last whole sweep took what is older. `believed_at`: when the last sweep that did not doubt the clock wrote its
    row.
    """

    allowed_until: datetime = _NEVER
    done_until: datetime = _NEVER
    believed_at: datetime = _NEVER

    @classmethod
    def read(cls) -> "_EarlierSweeps":
        """From the newest rows of the log about sweeps."""
        allowed, believed = _NEVER, _NEVER
        for row in _sweeps_and_words()[:_LOOKED_BACK]:
            event = row.event
            if isinstance(event, events.SweepAllowed):
                allowed = max(allowed, event.older_than)
            elif isinstance(event, events.RetentionSweep) and not event.held_back:
                believed = believed if believed > _NEVER else row.ts
                if not event.unfinished:
                    return cls(allowed, event.older_than, believed)
        return cls(allowed, _NEVER, believed)


def _sweeps_and_words() -> AuditQuerySet:
    """The rows about sweeps, newest first."""
    return AuditRow.objects.get_queryset().of_type(events.RetentionSweep, events.SweepAllowed).order_by("-id")


def _newest(earlier: _EarlierSweeps) -> datetime:
    """When the newest row was written. Of sweeps only those count that did not doubt the clock."""
    own = [events.RetentionSweep.name, events.SweepAllowed.name]
    others = AuditRow.objects.exclude(event_type__in=own).order_by("-ts").values_list("ts", flat=True)
    return max(others.first() or _NEVER, earlier.believed_at)


def _unexpected(until: datetime, older_than: datetime, earlier: _EarlierSweeps) -> AuditQuerySet:
    """Of the rows a sweep would take those that nobody allowed and no sweep of every day would come upon."""
    unexpected = expired(until).filter(ts__gte=earlier.allowed_until)
    is_daily = timedelta(0) <= older_than - earlier.done_until <= _AN_ORDINARY_GAP
    return unexpected.filter(ts__lt=earlier.done_until) if is_daily else unexpected

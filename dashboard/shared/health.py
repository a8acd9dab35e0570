"""Whether memory is well: the state of both workers, read in one query, and the words for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from django.conf import settings
from django.db.models import QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.template.defaultfilters import pluralize

from dashboard.shared.jobs import JOBS, JobName
from dashboard.shared.subqueries import count_subquery, read_subqueries
from memory import schema
from memory.learning import Job
from memory.models import AuditRow, Cursor, FirstPerson, WorkerHeartbeat
from memory.text.lines import one_line, shorten

HealthState = Literal["well", "busy", "late", "stuck", "paused", "off", "outgrown"]
"""`late`: chats wait and no worker runs. `off`: no worker is switched on. `outgrown`: the database was upgraded below
this process."""

_MAX_ERROR_CHARS = 400
_CURSOR_FIELDS = ("last_audit_id", "attempts", "last_error", "next_try_at", "claimed_until")


@dataclass(frozen=True)
class WorkerHealth:
    """The state of one worker at `now`.

    `next_chat` is the oldest chat that waits, recorded at `waiting_since`; `tries` and `error` are about it.
    """

    name: JobName
    is_on: bool
    interval_seconds: float
    waiting: int
    next_chat: int | None
    waiting_since: datetime | None
    tries: int
    error: str
    next_try_at: datetime | None
    is_reading: bool
    place: int
    log_end: int
    last_run: datetime | None
    now: datetime

    @property
    def is_stuck(self) -> bool:
        """Whether its next chat failed, or the worker died while reading it."""
        return self.next_chat is not None and bool(self.error or (self.tries > 1 and not self.is_reading))

    @property
    def is_past_end(self) -> bool:
        """Whether its cursor is past the end of the log, as after a restored backup: it would skip new chats."""
        return self.is_on and self.place > self.log_end

    @property
    def is_waiting_for_provider(self) -> bool:
        """Whether it gives the provider time to recover before the next try."""
        return self.next_try_at is not None and self.next_try_at > self.now

    @property
    def is_late(self) -> bool:
        """Whether it is on but has not run for too long. Before its first run, only a waiting chat makes it late."""
        expected_since = self.last_run or self.waiting_since or self.now
        return self.is_on and self.now - expected_since > WorkerHeartbeat.patience(self.interval_seconds)


@dataclass(frozen=True)
class Health:
    """The state of both workers, and since when the operator has paused them.

    `first_person`: the id of whom memory is kept to, where others use the clients, too, and no setting names the
    operator; `other_seen_at`: when another was seen last.
    """

    workers: Sequence[WorkerHealth]
    paused_at: datetime | None
    first_person: str = ""
    other_seen_at: datetime | None = None
    is_outgrown: bool = False

    @property
    def at_work(self) -> Sequence[WorkerHealth]:
        """The workers that are switched on in the settings."""
        return [worker for worker in self.workers if worker.is_on]

    @property
    def stuck(self) -> WorkerHealth | None:
        """The first worker that is stuck."""
        return next((worker for worker in self.at_work if worker.is_stuck), None)

    @property
    def past_end(self) -> WorkerHealth | None:
        """The first worker that stands past the end of the log."""
        return next((worker for worker in self.at_work if worker.is_past_end), None)

    @property
    def waiting(self) -> int:
        """How many chats at least one worker has not looked at yet."""
        return max((worker.waiting for worker in self.at_work), default=0)

    @property
    def is_late(self) -> bool:
        """Whether a worker that is switched on does not run."""
        return any(worker.is_late for worker in self.at_work)

    @property
    def state(self) -> HealthState:
        """The most serious state that applies; what the operator chose comes before what failed."""
        if self.is_outgrown:
            return "outgrown"
        if not self.at_work:
            return "off"
        if self.paused_at is not None:
            return "paused"
        if self.stuck is not None or self.past_end is not None:
            return "stuck"
        if self.waiting:
            return "late" if self.is_late else "busy"
        return "well"

    @property
    def may_change(self) -> bool:
        """Whether the state can change soon without the operator, so that pages poll for it."""
        return self.state in ("busy", "late")

    @property
    def words(self) -> str:
        """The state in a few words, for the head of every page."""
        waiting = f"{self.waiting:,} chat{pluralize(self.waiting)} waiting"
        return {
            "outgrown": "Restart the server: it was upgraded",
            "off": "Learning is off",
            "paused": "Paused",
            "stuck": f"Stuck at chat {self.stuck.next_chat}" if self.stuck else "Stuck past the end of the log",
            "late": f"{waiting}, no worker running",
            "busy": f"Learning, {waiting}",
            "well": "Learning, all caught up",
        }[self.state]


def read_health(now: datetime) -> Health:
    """The state of both workers, in one query. For a worker that is switched off, waiting chats are not counted."""
    memory = settings.CAESAR.memory
    configured: Mapping[JobName, tuple[bool, float]] = {
        "extract": (memory.facts_extract.enabled, memory.facts_extract.interval_seconds),
        "summarise": (memory.episodes_summarise.enabled, memory.episodes_summarise.interval_seconds),
    }
    columns = {
        f"{name}_{field}": column
        for name, (is_on, _) in configured.items()
        for field, column in _worker_subqueries(JOBS[name], is_on=is_on).items()
    }
    columns["log_end"] = Subquery(AuditRow.objects.get_queryset().order_by("-id").values("id")[:1])
    shared = FirstPerson._default_manager.filter(pk=1)
    columns["first_person"] = Subquery(shared.values("root"))
    columns["other_seen_at"] = Subquery(shared.values("other_seen_at"))
    columns["is_outgrown"] = schema.is_newer()
    row = read_subqueries(columns)
    workers = [
        _worker_health(name, row, is_on=on, interval_seconds=every, now=now) for name, (on, every) in configured.items()
    ]
    if settings.CAESAR.operator.ids or row["other_seen_at"] is None:
        return Health(workers, row["paused_at"], is_outgrown=row["is_outgrown"])
    return Health(workers, row["paused_at"], row["first_person"], row["other_seen_at"], row["is_outgrown"])


def _worker_subqueries(job: Job[Any, Any], *, is_on: bool) -> dict[str, Subquery]:
    """{field: its subquery} for one worker."""
    cursor: QuerySet[Cursor] = job.cursor._default_manager.filter(pk=1)
    columns = {field: Subquery(cursor.values(field)) for field in _CURSOR_FIELDS}
    columns["last_run"] = Subquery(WorkerHeartbeat._default_manager.filter(task=job.task).values("at"))
    if is_on:
        last_read = Coalesce(Subquery(cursor.values("last_audit_id")), 0)
        waiting = AuditRow.objects.get_queryset().chats().filter(id__gt=last_read)
        columns["waiting"] = count_subquery(waiting)
        columns["next_chat"] = Subquery(waiting.order_by("id").values("id")[:1])
        columns["waiting_since"] = Subquery(waiting.order_by("id").values("ts")[:1])
    return columns


def _worker_health(
    name: JobName, row: Mapping[str, Any], *, is_on: bool, interval_seconds: float, now: datetime
) -> WorkerHealth:
    claimed_until = row[f"{name}_claimed_until"]
    return WorkerHealth(
        name=name,
        is_on=is_on,
        interval_seconds=interval_seconds,
        waiting=row.get(f"{name}_waiting") or 0,
        next_chat=row.get(f"{name}_next_chat"),
        waiting_since=row.get(f"{name}_waiting_since"),
        tries=row[f"{name}_attempts"] or 0,
        error=shorten(one_line(row[f"{name}_last_error"] or ""), _MAX_ERROR_CHARS),
        next_try_at=row[f"{name}_next_try_at"],
        is_reading=claimed_until is not None and claimed_until > now,
        place=row[f"{name}_last_audit_id"] or 0,
        log_end=row["log_end"] or 0,
        last_run=row[f"{name}_last_run"],
        now=now,
    )

"""How the backups stand, from the rows that say so: the last good one, the last try, the last drill."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Subquery

from memory import events
from memory.models import AuditRow, MemoryRevision

OLD_AFTER = timedelta(days=3)
"""How old the last good one may be: two nights that were missed, and a little."""


@dataclass(frozen=True)
class BackupStanding:
    """The last good backup and when; the failure after it; what the last drill found. `log_began`: the first row."""

    is_on: bool
    made: events.BackupMade | None
    made_at: datetime | None
    failed: events.BackupFailed | None
    drilled: events.BackupDrilled | None
    drilled_at: datetime | None
    log_began: datetime | None
    now: datetime

    @property
    def is_old(self) -> bool:
        """Whether the last good one is too old, or there is none though there has been time for one."""
        since = self.made_at or self.log_began
        return self.is_on and since is not None and self.now - since > OLD_AFTER

    @property
    def drill_problem(self) -> str:
        """Why the backup that was tried last cannot be restored; "" where it can."""
        return self.drilled.problem if self.drilled else ""

    @property
    def has_failed(self) -> bool:
        """Whether the last backup failed, though backups are on."""
        return self.is_on and self.failed is not None

    @property
    def needs_operator(self) -> bool:
        """Whether somebody should look."""
        return self.is_old or self.has_failed or bool(self.drill_problem)


def read(now: datetime) -> BackupStanding:
    """How they stand now. Two queries."""
    MemoryRevision.current()  # the row that carries the columns
    row = MemoryRevision._default_manager.annotate(**columns()).values(*columns()).get()
    return of_row(row, is_on=settings.CAESAR.backup.enabled, now=now)


def columns() -> dict[str, Any]:
    """{name: subquery} of what `of_row` reads, for a query that asks for more."""
    rows = AuditRow.objects.get_queryset()
    of_kind = {
        "backup_made": rows.of_type(events.BackupMade),
        "backup_tried": rows.of_type(events.BackupMade, events.BackupFailed),
        "backup_drilled": rows.of_type(events.BackupDrilled),
    }
    found: dict[str, Any] = {"log_began": Subquery(rows.order_by("id").values("ts")[:1])}
    for name, kind in of_kind.items():
        newest = kind.order_by("-id")
        found |= {f"{name}_{field}": Subquery(newest.values(field)[:1]) for field in ("ts", "event_type", "payload")}
    return found


def of_row(row: Mapping[str, Any], *, is_on: bool, now: datetime) -> BackupStanding:
    """What these columns say."""
    made, tried, drilled = (_event(row, name) for name in ("backup_made", "backup_tried", "backup_drilled"))
    return BackupStanding(
        is_on=is_on,
        made=made if isinstance(made, events.BackupMade) else None,
        made_at=row["backup_made_ts"],
        failed=tried if isinstance(tried, events.BackupFailed) else None,
        drilled=drilled if isinstance(drilled, events.BackupDrilled) else None,
        drilled_at=row["backup_drilled_ts"],
        log_began=row["log_began"],
        now=now,
    )


def _event(row: Mapping[str, Any], name: str) -> events.Event | None:
    kind = row[f"{name}_event_type"]
    return events.parse(kind, row[f"{name}_payload"]) if kind else None

"""Events of backups: made, failed, tried, restored."""

from datetime import datetime
from typing import Literal

from memory.events.base import Event

BackupReason = Literal["nightly", "command", "upgrade"]
"""Who wanted a backup: the timetable, `manage.py backup`, or an upgrade that was about to change the tables."""


class BackupMade(Event):
    """A backup was made and looked at. `file` is its name, `folder` where it lies on the host that made it."""

    name = "backup.made"
    label = "Backup made"

    file: str
    folder: str
    bytes: int
    seconds: float
    reason: BackupReason = "command"
    deleted: int = 0
    """How many older ones were deleted after it."""


class BackupFailed(Event):
    """No backup could be made; what is there already stays. `error` names the cure."""

    name = "backup.failed"
    label = "Backup failed"

    error: str
    reason: BackupReason = "command"


class BackupDrilled(Event):
    """A backup was restored into a database of its own, and compared. `problem` "": all of it was there."""

    name = "backup.drilled"
    label = "Backup tried"

    file: str
    rows: int = 0
    seconds: float = 0.0
    made_at: datetime | None = None
    problem: str = ""


class BackupRestored(Event):
    """The database was replaced by that of a backup. `kept`: where the one before it is."""

    name = "backup.restored"
    label = "Backup restored"

    file: str
    made_at: datetime
    kept: str = ""

"""Restoring a backup, and trying one without touching anything."""

import fcntl
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections

from memory import events, schema
from memory.backup import archive, files, sqlite_files
from memory.backup.archive import Archive, BackupUnusable
from memory.backup.restoring import in_use, scratch, swap_postgresql, swap_sqlite
from memory.backup.restoring.scratch import NotRestored, Scratch
from memory.models import AuditRow

_NUMBERS_MEANWHILE = 1_000
"""How many rows a server that runs may add between the last look at its numbers and the swap."""


@dataclass(frozen=True)
class Restored:
    """What came of it. `kept`: where the database before is, "" for none; `migrated`: the migrations that were run."""

    backup: Archive
    kept: str
    migrated: list[str]
    key_changed: bool
    seconds: float


@dataclass(frozen=True)
class Drilled:
    """A backup that restores: how many rows it has, and how long it took."""

    backup: Archive
    rows: int
    seconds: float


def restore(
    path: Path, *, now: datetime, force: bool = False, tell: Callable[[str], None] = lambda said: None
) -> Restored:
    """Have the database be that of the backup. Raises `BackupUnusable` and `NotRestored`; nothing is changed then.

    `force`: also while others use it. `tell` hears of each step.
    """
    began = time.monotonic()
    backup = _usable(path)
    if not force and (users := in_use.users()):
        raise NotRestored(f"The database is in use: {'; '.join(users)}. Stop the server, or add --force.")
    with _workshop() as folder, _nothing_changed():
        _demand_room(folder, backup)
        tell("Building the database of the backup beside the present one.")
        with scratch.made(backup, folder) as made:
            migrated = scratch.bring_up_to_date(made)
            scratch.begin_anew(made, _numbers(in_use=force))
            tell("Putting it in its place.")
            kept = _swap(made, now)
    key_changed = _restore_key(backup, now)
    _after(backup, kept, now)
    return Restored(backup, kept, migrated, key_changed, time.monotonic() - began)


def drill(path: Path) -> Drilled:
    """Restore a backup into a scratch database, compare, and throw it away. Raises `BackupUnusable`, `NotRestored`."""
    began = time.monotonic()
    backup = _usable(path)
    with _workshop() as folder, _nothing_changed():
        _demand_room(folder, backup)
        with scratch.made(backup, folder) as made:
            scratch.bring_up_to_date(made)
    return Drilled(backup, backup.manifest.row_count, time.monotonic() - began)


def drill_and_record(path: Path, *, now: datetime) -> events.BackupDrilled:
    """Try a backup, and write `backup.drilled`, also where it cannot be restored."""
    try:
        done = drill(path)
    except (BackupUnusable, NotRestored) as error:
        event = events.BackupDrilled(file=path.name, problem=str(error))
    else:
        manifest = done.backup.manifest
        event = events.BackupDrilled(
            file=path.name, rows=done.rows, seconds=round(done.seconds, 1), made_at=manifest.made_at
        )
    AuditRow.objects.record(event, now=now)
    return event


def _usable(path: Path) -> Archive:
    backup = archive.opened(path)
    names = [name for app, name in backup.manifest.migrations if app == schema.APP]
    if not names:
        raise BackupUnusable(f"{path} holds no tables of {archive.PRODUCT}.")
    if wrong := schema.newer(names):
        raise BackupUnusable(f"{path}: {wrong}")
    return backup


@contextmanager
def _nothing_changed() -> Iterator[None]:
    """What the databases or the disk refuse is one sentence: all that can fail comes before the swap, or is undone."""
    try:
        yield
    except (DatabaseError, OSError, sqlite_files.DamagedDatabase, files.NoBackup) as error:
        said = " ".join(str(error).split())
        raise NotRestored(f"{said} Nothing was changed.") from None


@contextmanager
def _workshop() -> Iterator[Path]:
    """A private folder on the database's disk. One restore of it at a time; what a killed one has left goes first."""
    place = _database_file() if _is_sqlite() else Path(settings.VAR_DIR) / "postgresql"
    parent, name = place.parent, f".{place.name}.restoring"  # other databases may lie beside it
    parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(parent / f"{name}.lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise NotRestored("Another restore, or a drill, is under way. Wait for its end.") from None
        for left in parent.glob(f"{name}-*"):
            shutil.rmtree(left, ignore_errors=True)
        with files.private_folder(parent, f"{name}-") as folder:
            yield folder
    finally:
        os.close(descriptor)


def _demand_room(folder: Path, backup: Archive) -> None:
    """The scratch database, its log, and on SQLite a copy of the present one."""
    unpacked = sum(member.bytes for member in backup.manifest.members.values())
    present = sqlite_files.size(_database_file()) if _is_sqlite() and _database_file().exists() else 0
    disk = os.statvfs(folder)
    free, needed = disk.f_bavail * disk.f_frsize, 2 * unpacked + present
    if free < needed:
        raise NotRestored(
            f"Not enough room on the disk of {folder.parent}: {files.megabytes(free)} are free, and a restore takes "
            f"{files.megabytes(needed)}. Make room."
        )


def _is_sqlite() -> bool:
    return connections[DEFAULT_DB_ALIAS].vendor == "sqlite"


def _database_file() -> Path:
    return Path(connections[DEFAULT_DB_ALIAS].settings_dict["NAME"])


def _numbers(*, in_use: bool) -> dict[str, int]:
    """The numbers that the present database has given out; none where there is none, or it cannot be read."""
    try:
        numbers = scratch.last_numbers()
    except DatabaseError:
        return {}
    more = _NUMBERS_MEANWHILE if in_use else 0
    return {name: last + more for name, last in numbers.items()}


def _swap(made: Scratch, now: datetime) -> str:
    """The one step that changes something; where the database before is."""
    if made.schema:
        schema_kept = swap_postgresql.swap(made.schema, now)
        return f"the schema {schema_kept}" if schema_kept else ""
    connections[made.alias].close()
    connections[DEFAULT_DB_ALIAS].close()
    kept = swap_sqlite.keep_present(_database_file(), now)
    swap_sqlite.swap(Path(made.path), _database_file())
    return str(kept) if kept else ""


def _restore_key(backup: Archive, now: datetime) -> bool:
    """Put the signing key back, unless it is the same or a setting: with another one, everybody logs in again."""
    text = backup.text(archive.SECRET_KEY)
    path = Path(settings.VAR_DIR) / "secret_key"
    present = path.read_text(encoding="utf-8") if path.exists() else ""
    if text is None or settings.CAESAR.secret_key is not None or text.strip() == present.strip():
        return False
    if present:
        files.write_private(path.with_name(f"{path.name}.before-restore-{files.stamp(now)}"), present)
    files.write_private(path, text)
    return True


def _after(backup: Archive, kept: str, now: datetime) -> None:
    """The timetable of these settings, and the row that says what happened."""
    ContentType.objects.clear_cache()
    event = events.BackupRestored(file=backup.path.name, made_at=backup.manifest.made_at, kept=kept)
    AuditRow.objects.record(event, now=now)
    call_command("sync_schedules", verbosity=0)

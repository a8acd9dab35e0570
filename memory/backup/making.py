"""Making a backup while the server runs."""

import logging
import time
import tomllib
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections, transaction
from django.db.migrations.recorder import MigrationRecorder

from memory import events, schema
from memory.backup import archive, files, settings_file, sqlite_files
from memory.backup.archive import Draft, Manifest
from memory.backup.files import NoBackup
from memory.events import BackupReason
from memory.models import AuditRow
from memory.portable import tables

logger = logging.getLogger(__name__)

_LOOKS_EVERY_SECONDS = 0.5


@dataclass(frozen=True)
class Made:
    """A backup that was made. `deleted`: how many older ones went."""

    path: Path
    bytes: int
    seconds: float
    rows: int
    reason: BackupReason
    deleted: int

    @property
    def event(self) -> events.BackupMade:
        """What is written down of it."""
        return events.BackupMade(
            file=self.path.name,
            folder=str(self.path.parent),
            bytes=self.bytes,
            seconds=round(self.seconds, 1),
            reason=self.reason,
            deleted=self.deleted,
        )


def make_and_record(
    reason: BackupReason, *, now: datetime, target: Path | None = None, with_secrets: bool = False
) -> Made:
    """Make a backup, and write `backup.made` or `backup.failed`. Raises `NoBackup`."""
    try:
        made = make(reason, now=now, target=target, with_secrets=with_secrets)
    except NoBackup as error:
        logger.error("No backup was made: %s", error)
        _record(events.BackupFailed(error=str(error), reason=reason), now)
        raise
    _record(made.event, now)
    return made


def _record(event: events.Event, now: datetime) -> None:
    """Write the row, if the database takes it: one that is full or read-only may be why there is no backup."""
    try:
        with transaction.atomic():
            AuditRow.objects.record(event, now=now)
    except DatabaseError as error:
        logger.error("%s could not be written down: %s", event.name, error)


def make(reason: BackupReason, *, now: datetime, target: Path | None = None, with_secrets: bool = False) -> Made:
    """Make a backup of the database as it is at this moment, read it again, and delete those that are too many.

    `target`: a file that is not there yet; None: one in the folder of the backups. Writes no audit row, so that it also
    works on tables of an older version. Raises `NoBackup`.
    """
    began = time.monotonic()
    kind = files.BEFORE_UPGRADE if reason == "upgrade" else files.NIGHTLY
    path = files.name_for(kind, now) if target is None else target.absolute()
    if path.exists():
        raise NoBackup(f"There is a file {path} already. Choose another name.")
    if target is None:
        files.make_folder(path.parent)
        files.sweep_left_over(path.parent, now=now)
    try:
        rows = _write(path, now=now, with_secrets=with_secrets)
    except (OSError, DatabaseError, sqlite_files.DamagedDatabase, tables.UnreadableTables) as error:
        raise NoBackup(" ".join(str(error).split())) from None
    try:
        archive.opened(path)
    except archive.BackupUnusable as error:
        raise NoBackup(f"It was written, but cannot be read: {error} Is the disk sound?") from None
    deleted = files.prune(kind) if target is None else 0
    return Made(path, path.stat().st_size, time.monotonic() - began, rows, reason, deleted)


def _write(path: Path, *, now: datetime, with_secrets: bool) -> int:
    """Write the file; how many rows it holds."""
    connection = connections[DEFAULT_DB_ALIAS]
    of_sqlite = connection.vendor == "sqlite"
    files.demand_room(path.parent, estimate())
    with archive.drafted(path, made_at=now, look=_room_watch(path.parent)) as draft:
        put = _put_sqlite if of_sqlite else _put_postgresql
        manifest = put(draft, now)
        _put_settings(draft, with_secrets=with_secrets)
        draft.finish(manifest.model_copy(update={"with_secrets": with_secrets}))
    return manifest.row_count


def estimate() -> int:
    """The most bytes that a backup takes while it is made: on SQLite the copy, and the file, should nothing shrink."""
    connection = connections[DEFAULT_DB_ALIAS]
    if connection.vendor == "sqlite":
        path = Path(connection.settings_dict["NAME"])
        return 2 * sqlite_files.size(path) if path.exists() else 0
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return int(cursor.fetchone()[0])


def _room_watch(folder: Path) -> Any:
    """What a long copy calls now and then: it stops where others fill the disk."""
    next_look = 0.0

    def look() -> None:
        nonlocal next_look
        if time.monotonic() >= next_look:
            next_look = time.monotonic() + _LOOKS_EVERY_SECONDS
            files.demand_room(folder, 0)

    return look


def _put_sqlite(draft: Draft, now: datetime) -> Manifest:
    """The file of the database, by SQLite's own means."""
    source = Path(connections[DEFAULT_DB_ALIAS].settings_dict["NAME"])
    if not source.exists():
        raise NoBackup(f"There is no database file {source}.")
    with files.private_folder(draft.folder, ".copy-") as folder:
        copied = folder / archive.SQLITE
        sqlite_files.copy(source, copied, look=draft.look)
        sqlite_files.look_through(copied)
        draft.put_file(archive.SQLITE, copied)
        return _manifest("sqlite", now, sqlite_files.migrations(copied), sqlite_files.counts(copied))


def _put_postgresql(draft: Draft, now: datetime) -> Manifest:
    """The rows of every table, all of one moment."""
    connection = connections[DEFAULT_DB_ALIAS]
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        migrations = list(MigrationRecorder(connection).applied_migrations())
        listed = tables.models_at(tables.last_nodes(migrations))
        with draft.member(archive.TABLES) as sink:
            written = tables.write(listed, sink, using=DEFAULT_DB_ALIAS)
    manifest = _manifest("postgresql", now, migrations, {name: one.rows for name, one in written.items()})
    return manifest.model_copy(update={"tables": {name: one.sha256 for name, one in written.items()}})


def _manifest(
    engine: archive.Engine, now: datetime, migrations: list[tuple[str, str]], rows: dict[str, int]
) -> Manifest:
    return Manifest(
        product=archive.PRODUCT,
        format=archive.FORMAT,
        made_at=now,
        version=version(),
        engine=engine,
        last_migration=schema.last([name for app, name in migrations if app == schema.APP]),
        migrations=sorted(migrations),
        rows=rows,
    )


def version() -> str:
    """The version of this code."""
    with (Path(settings.BASE_DIR) / "pyproject.toml").open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])


def _put_settings(draft: Draft, *, with_secrets: bool) -> None:
    """The settings, and the signing key where it is in a file: a key that is a setting is a secret like the others."""
    tree = settings.CAESAR
    draft.put(archive.SETTINGS, settings_file.lines(tree, with_secrets=with_secrets).encode())
    key = Path(settings.VAR_DIR) / "secret_key"
    if tree.secret_key is None and key.exists():
        draft.put(archive.SECRET_KEY, key.read_bytes())

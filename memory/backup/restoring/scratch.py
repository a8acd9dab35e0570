"""A scratch database made of a backup, compared with what the backup says it holds, and brought up to date."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.db.migrations.executor import MigrationExecutor

from memory import schema
from memory.backup import archive, sqlite_files
from memory.backup.archive import Archive, BackupUnusable
from memory.backup.restoring.connecting import connected, sqlite_at
from memory.models import MemoryRevision
from memory.portable import tables
from memory.portable.tables import Model, UnreadableTables

SCRATCH = "restored"
_SOURCE = "backed_up"
_SCHEMA = "caesar_restoring"
_LOCK = 0x43414552  # any fixed number: the advisory lock of whoever restores, on whichever host


class NotRestored(Exception):
    """Nothing was changed. The message names the cure."""


@dataclass(frozen=True)
class Scratch:
    """A database of its own. `path`: its file on SQLite; `schema`: its schema on PostgreSQL; the other is ""."""

    alias: str
    path: str = ""
    schema: str = ""


@contextmanager
def made(backup: Archive, folder: Path) -> Iterator[Scratch]:
    """A scratch database of the engine of the settings, while open; gone afterwards, unless its place was taken.

    `folder`: a private one, for files. Raises `BackupUnusable` where not all of the backup is in it.
    """
    of_sqlite = connections[DEFAULT_DB_ALIAS].vendor == "sqlite"
    with _sqlite(folder) if of_sqlite else _postgresql() as scratch:
        try:
            _fill(scratch, backup, folder)
        except (UnreadableTables, sqlite_files.DamagedDatabase) as error:
            raise BackupUnusable(f"{backup.path}: {error}") from None
        yield scratch


@contextmanager
def _sqlite(folder: Path) -> Iterator[Scratch]:
    path = str(folder / "restored.sqlite3")
    with sqlite_at(SCRATCH, path):
        yield Scratch(SCRATCH, path=path)


@contextmanager
def _postgresql() -> Iterator[Scratch]:
    """A schema of its own in the same database. What a killed restore has left goes first: there is one at a time."""
    options = dict(connections[DEFAULT_DB_ALIAS].settings_dict["OPTIONS"])
    options["options"] = f"{options.get('options', '')} -c search_path={_SCHEMA}".strip()
    with connected(SCRATCH, OPTIONS=options), connections[SCRATCH].cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [_LOCK])
        if not cursor.fetchone()[0]:
            raise NotRestored("Another restore, or a drill, is under way. Wait for its end.")
        cursor.execute(f"DROP SCHEMA IF EXISTS {_SCHEMA} CASCADE")
        cursor.execute(f"CREATE SCHEMA {_SCHEMA}")
        try:
            yield Scratch(SCRATCH, schema=_SCHEMA)
        finally:
            cursor.execute(f"DROP SCHEMA IF EXISTS {_SCHEMA} CASCADE")


# --- filling --------------------------------------------------------------------------------------------------------


def _fill(scratch: Scratch, backup: Archive, folder: Path) -> None:
    """Put the rows of the backup in, in the state of its migrations, and compare."""
    if scratch.path and backup.manifest.engine == "sqlite":
        backup.extract(archive.SQLITE, Path(scratch.path))
        sqlite_files.look_through(Path(scratch.path))
        _compare(sqlite_files.counts(Path(scratch.path)), backup)
        return
    nodes = tables.last_nodes(backup.manifest.migrations)
    listed = tables.models_at(nodes)
    connection = connections[scratch.alias]
    connection.prepare_database()
    MigrationExecutor(connection).migrate(nodes)
    with transaction.atomic(using=scratch.alias):
        tables.empty(listed, using=scratch.alias)
        with _lines(backup, listed, folder) as lines, _word_indexes_at_the_end(scratch):
            counts = tables.read(lines, listed, using=scratch.alias)
    _compare(counts, backup)
    if backup.manifest.engine == connection.vendor:
        _compare_hashes(scratch, listed, backup)


@contextmanager
def _word_indexes_at_the_end(scratch: Scratch) -> Iterator[None]:
    """Take PostgreSQL's indexes of words off while rows come in: made at once from all rows, they take less time."""
    if not scratch.schema:
        yield
        return
    with connections[scratch.alias].cursor() as cursor:
        cursor.execute(
            "SELECT quote_ident(indexname), indexdef FROM pg_indexes WHERE schemaname = %s AND indexdef LIKE %s",
            [scratch.schema, "% USING gin %"],
        )
        indexes = cursor.fetchall()
        for name, _ in indexes:
            cursor.execute(f"DROP INDEX {name}")
        yield
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # no index is made while a foreign key is still to be looked at
        for _, definition in indexes:
            cursor.execute(definition)


@contextmanager
def _lines(backup: Archive, listed: list[Model], folder: Path) -> Iterator[Iterator[bytes]]:
    """The rows of the backup as lines, whichever database they came from."""
    if backup.manifest.engine == "postgresql":
        yield backup.lines(archive.TABLES)
        return
    path = folder / archive.SQLITE
    backup.extract(archive.SQLITE, path)
    sqlite_files.look_through(path)
    with sqlite_at(_SOURCE, str(path)):
        yield (line for model in listed for line in tables.table_lines(model, using=_SOURCE))


def _compare(counts: Mapping[str, int], backup: Archive) -> None:
    """Raise `BackupUnusable` where a table has not the rows that the manifest says."""
    said = {name: rows for name, rows in backup.manifest.rows.items() if name != "django_migrations"}
    for name, rows in said.items():
        if counts.get(name) != rows:
            raise BackupUnusable(f"{backup.path}: {name} has {counts.get(name, 0)} rows instead of {rows}.")


def _compare_hashes(scratch: Scratch, listed: list[Model], backup: Archive) -> None:
    """Raise `BackupUnusable` where a table does not read as it did when the backup was made."""
    written = tables.write(listed, _Nowhere(), using=scratch.alias)
    for name, sha256 in backup.manifest.tables.items():
        if written[name].sha256 != sha256:
            raise BackupUnusable(f"{backup.path}: the rows of {name} are not as they were.")


class _Nowhere:
    def write(self, data: bytes, /) -> int:
        return len(data)


# --- up to date -----------------------------------------------------------------------------------------------------


def bring_up_to_date(scratch: Scratch) -> list[str]:
    """Run the migrations that the backup did not have; their names."""
    waiting = schema.waiting(scratch.alias)
    if waiting:
        call_command("migrate", database=scratch.alias, interactive=False, verbosity=0)
    return waiting


def begin_anew(scratch: Scratch, numbers: Mapping[str, int]) -> None:
    """Have processes that run on see that all of memory is another one, and new rows get no number given out before.

    `numbers`: of each sequence, the last that the present database has given out.
    """
    MemoryRevision.begin_anew(using=scratch.alias)
    raise_sequences(scratch, numbers)


def last_numbers() -> dict[str, int]:
    """The last number that each sequence of the present database has given out; none where it cannot be read."""
    connection = connections[DEFAULT_DB_ALIAS]
    with connection.cursor() as cursor:
        cursor.execute(_LAST_NUMBERS[connection.vendor])
        return {str(name): int(last) for name, last in cursor.fetchall()}


_LAST_NUMBERS = {
    "sqlite": "SELECT name, seq FROM sqlite_sequence WHERE seq IS NOT NULL",
    "postgresql": "SELECT sequencename, last_value FROM pg_sequences "
    "WHERE schemaname = current_schema() AND last_value IS NOT NULL",
}


def raise_sequences(scratch: Scratch, numbers: Mapping[str, int]) -> None:
    """Have each sequence of the scratch database go on after these numbers, and after its own."""
    connection = connections[scratch.alias]
    with connection.cursor() as cursor:
        cursor.execute(_LAST_NUMBERS[connection.vendor])
        own = {str(name): int(last) for name, last in cursor.fetchall()}
        for name, last in numbers.items():
            if last <= own.get(name, 0):
                continue
            if connection.vendor == "sqlite":
                cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [name])
                cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [name, last])
            else:
                cursor.execute("SELECT setval(to_regclass(%s), %s)", [connection.ops.quote_name(name), last])

"""SQLite's files: copied while others write, looked at, counted."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

_PAGES_AT_A_TIME = 2_000
_NOT_COUNTED = ("sqlite_", "audit_fts")
_PATIENCE_SECONDS = 20.0


class DamagedDatabase(Exception):
    """SQLite finds something wrong in a file, or it is no database."""


def connect(path: Path) -> sqlite3.Connection:
    """A connection to a file that is there."""
    uri = f"{path.absolute().as_uri()}?mode=rw"
    return sqlite3.connect(uri, uri=True, timeout=_PATIENCE_SECONDS, isolation_level=None)


def copy(source: Path, target: Path, *, look: Callable[[], None] = lambda: None) -> None:
    """Copy a database as it is at this moment, with what stands in its `-wal`, into a file that is not there yet.

    In one read transaction: nobody who writes waits for it, and what they write does not make it begin again. `look` is
    called after each few megabytes. Raises `DamagedDatabase`.
    """
    try:
        with closing(connect(source)) as live, closing(sqlite3.connect(target, isolation_level=None)) as written:
            written.execute("PRAGMA synchronous = OFF")
            live.execute("BEGIN")
            live.execute("SELECT count(*) FROM sqlite_master").fetchone()  # the moment
            live.backup(written, pages=_PAGES_AT_A_TIME, progress=lambda *_: look())
            written.execute("PRAGMA journal_mode = DELETE")  # one file, and no `-wal` beside it
    except sqlite3.DatabaseError as error:
        raise DamagedDatabase(f"SQLite cannot copy {source}: {error}") from None


def look_through(path: Path) -> None:
    """Have SQLite look at every page and every foreign key of a file. Raises `DamagedDatabase`."""
    try:
        with closing(connect(path)) as database:
            said = [str(row[0]) for row in database.execute("PRAGMA integrity_check(5)")]
            broken = database.execute("PRAGMA foreign_key_check").fetchone()
    except sqlite3.DatabaseError as error:
        raise DamagedDatabase(f"SQLite cannot read the database: {error}") from None
    if said != ["ok"]:
        raise DamagedDatabase(f"SQLite finds the database damaged: {'; '.join(said)}")
    if broken:
        raise DamagedDatabase(f"A row of {broken[0]} refers to one of {broken[2]} that is not there")


def counts(path: Path) -> dict[str, int]:
    """How many rows each table has; the search index and SQLite's own tables are left out."""
    with closing(connect(path)) as database:
        names = [str(row[0]) for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        kept = [name for name in names if not name.startswith(_NOT_COUNTED)]
        counted = {name: database.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in kept}  # noqa: S608
    return counted


def migrations(path: Path) -> list[tuple[str, str]]:
    """The migrations that the database has had, as (app, name), in order; empty where it is no database of Django's."""
    with closing(connect(path)) as database:
        try:
            rows = database.execute("SELECT app, name FROM django_migrations ORDER BY id").fetchall()
        except sqlite3.OperationalError:
            return []
    return [(str(app), str(name)) for app, name in rows]


def size(path: Path) -> int:
    """How many bytes the database takes, its `-wal` included."""
    beside = path.with_name(path.name + "-wal")
    return path.stat().st_size + (beside.stat().st_size if beside.exists() else 0)

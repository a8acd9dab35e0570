"""One SQLite file takes the place of another, under processes that may have it open.

A file that is whole is written over in one transaction of SQLite's, by its backup API: processes that have it open see
the new rows at their next statement, and a kill leaves what was there. To rename another file into its place would
leave them with the old one, and with a `-wal` that belongs to nobody; that is done only where there is no file, or a
damaged one.
"""

import os
import shutil
import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path

from memory.backup import files, sqlite_files

_KEPT = "before-restore"


def keep_present(path: Path, now: datetime) -> Path | None:
    """Keep a copy of the present database beside it, complete with its `-wal`; None where there is none.

    A damaged one is copied as it is, with its `-wal`.
    """
    if not path.exists():
        return None
    kept = files.unused(path.with_name(f"{path.name}.{_KEPT}-{files.stamp(now)}"))
    with files.private_folder(path.parent, ".keeping-") as folder:
        draft = folder / kept.name
        try:
            sqlite_files.copy(path, draft)
        except sqlite_files.DamagedDatabase:
            draft.unlink(missing_ok=True)
            _copy_damaged(path, draft)
        for file in sorted(folder.iterdir()):
            file.chmod(0o600)
            files.sync_files([file])
            os.replace(file, kept.with_name(file.name))
    files.sync_folder(path.parent)
    return kept


def _copy_damaged(path: Path, draft: Path) -> None:
    for ending in ("", "-wal"):
        source = path.with_name(path.name + ending)
        if source.exists():
            shutil.copyfile(source, draft.with_name(draft.name + ending))


def swap(new: Path, path: Path) -> None:
    """Have the database at `path` be that of the file `new`."""
    _into_one_file(new)
    if path.exists() and _is_whole(path):
        try:
            _write_over(new, path)
            return
        except sqlite3.DatabaseError:  # damaged after all, or of another page size: SQLite has written nothing
            pass
    for ending in ("-wal", "-shm"):  # of a file that cannot be used, of which there is a copy
        path.with_name(path.name + ending).unlink(missing_ok=True)
    os.replace(new, path)
    files.sync_folder(path.parent)


def _into_one_file(new: Path) -> None:
    """Put what stands in the `-wal` into the file."""
    with closing(sqlite_files.connect(new)) as database:
        database.execute("PRAGMA journal_mode = DELETE")
    new.chmod(0o600)
    files.sync_files([new])


def _is_whole(path: Path) -> bool:
    try:
        with closing(sqlite_files.connect(path)) as database:
            return bool(database.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok")
    except sqlite3.DatabaseError:
        return False


def _write_over(new: Path, path: Path) -> None:
    """One transaction: a reader sees the old rows or the new ones, and so does whoever comes after a kill."""
    with closing(sqlite_files.connect(new)) as source, closing(sqlite_files.connect(path)) as present:
        present.execute("PRAGMA synchronous = FULL")
        source.backup(present)
        present.execute("PRAGMA wal_checkpoint(TRUNCATE)")

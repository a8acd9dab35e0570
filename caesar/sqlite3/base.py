"""The backend. Plain SQLite would create an empty database where the file is missing, and nobody would notice."""

import os
import sqlite3
from pathlib import Path
from typing import Any
from urllib.parse import quote

from django.db import OperationalError
from django.db.backends.sqlite3 import base, features  # noqa: F401 (base first: features imports it in a circle)
from django.utils.functional import cached_property

from caesar.sqlite3.queued import QueuedWrapper


class DatabaseFileMissing(OperationalError):
    """The file is not there; the message names it and the cure."""


class DatabaseFeatures(features.DatabaseFeatures):
    """What SQLite can do, without a look into the file."""

    @cached_property
    def supports_json_field(self) -> bool:  # type: ignore[override]
        """Whether this SQLite knows JSON. Asked by a system check before `migrate` makes the file."""
        try:
            with sqlite3.connect(":memory:") as probe:
                probe.execute("SELECT JSON('{}')")
        except sqlite3.OperationalError:
            return False
        finally:
            probe.close()
        return True


class DatabaseWrapper(QueuedWrapper):
    """Connects to a file that is there, and makes it only before migrations."""

    features_class = DatabaseFeatures
    _file: tuple[int, int] | None = None
    """Device and inode of the file that the connection has open."""

    def prepare_database(self) -> None:
        """Make the file, empty and private. `migrate` calls this first."""
        super().prepare_database()
        path = self._path()
        if path is not None and not path.exists():
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """A connection that never makes the file. Raises `DatabaseFileMissing`."""
        path = self._path()
        if path is None:
            return super().get_new_connection(conn_params)
        self._file = _identity(path)
        try:
            return super().get_new_connection(conn_params | {"database": f"file:{quote(str(path))}?mode=rw"})
        except (sqlite3.OperationalError, OperationalError):
            if path.exists():
                raise
            cure = "Put it back, or run `manage.py bootstrap` for a new one; then restart."
            raise DatabaseFileMissing(f"There is no database file {path}. {cure}") from None

    def close_if_unusable_or_obsolete(self) -> None:
        """Django calls this before and after each request. A connection is also closed after any error of the
        database, and where its file is gone or another one stands in its place: who writes on would write for nobody.
        """
        path = self._path()
        is_lost = self.errors_occurred or (path is not None and self._file != _identity(path))
        if is_lost and self.connection is not None and not self.in_atomic_block:
            self.close()
        super().close_if_unusable_or_obsolete()

    def _path(self) -> Path | None:
        """The file; None where the name is SQLite's own language, as a test's memory is."""
        name = str(self.settings_dict["NAME"])
        return None if name.startswith("file:") or ":memory:" in name else Path(name)


def _identity(path: Path) -> tuple[int, int] | None:
    """Device and inode of a file; None where it cannot be found."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino

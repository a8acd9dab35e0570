"""The database of the process in the sandbox, which begins anew for each case."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from django.core.management import call_command
from django.db import connection


@dataclass(frozen=True)
class ThrowAwayDatabase:
    """The database of this process, and a copy of it as it was when it was made."""

    file: Path
    empty: Path

    @classmethod
    def made(cls, file: Path) -> "ThrowAwayDatabase":
        """Migrate the database. `file`: where the settings say it is."""
        call_command("migrate", verbosity=0, interactive=False)
        connection.close()
        empty = file.with_suffix(".empty")
        shutil.copyfile(file, empty)
        return cls(file, empty)

    def begin_anew(self) -> None:
        """Forget everything: no case knows of another."""
        connection.close()
        for ending in ("-wal", "-shm", "-journal"):
            self.file.with_name(self.file.name + ending).unlink(missing_ok=True)
        shutil.copyfile(self.empty, self.file)

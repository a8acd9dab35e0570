"""Which state the tables are in, beside the one that this code knows: both are names of the app's migrations.

What the code knows is read once, when the process starts: an upgrade puts new files below a process that runs on.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Exists

APP = "memory"
_FOLDER = Path(__file__).resolve().parent / "migrations"


class NewerSchema(Exception):
    """A newer version has brought the tables up to date. The message names the cure."""


@cache
def known() -> frozenset[str]:
    """The migrations of this code, as they were when the process started (`MemoryConfig.ready` asks first)."""
    return frozenset(path.stem for path in _FOLDER.glob("[0-9]*.py"))


def last(names: Sequence[str] | frozenset[str]) -> str:
    """The last of them; "" where there is none."""
    return max(names, default="")


def applied(using: str = DEFAULT_DB_ALIAS) -> list[str]:
    """The app's migrations that a database has had, in order. Empty for a new one. Two queries."""
    names = MigrationRecorder(connections[using]).applied_migrations()
    return sorted(name for app, name in names if app == APP)


def newer(names: Sequence[str]) -> str:
    """What is wrong with a database that has had these migrations, and the cure; "" where this code knows them all."""
    unknown = sorted(set(names) - known())
    if not unknown:
        return ""
    return (
        f"A newer version of CAESAR has written this database: it has {unknown[-1]}, this version knows up to "
        f"{last(known())}. Start the newer version, or restore a backup that this version made."
    )


def is_newer() -> Exists:
    """The same as a column of a query: whether the database has had a migration that this code does not know."""
    rows = MigrationRecorder.Migration._default_manager.filter(app=APP)
    return Exists(rows.exclude(name__in=known()))


def outgrown(names: Sequence[str]) -> str:
    """The same for a process that was running already: it was started before an upgrade."""
    return "The database was upgraded while this process ran. Restart it." if newer(names) else ""


def outgrown_now() -> str:
    """The same of the database as it is now; "" also where it does not answer. Its connection is closed."""
    try:
        return outgrown(applied())
    except DatabaseError:
        return ""
    finally:
        connections[DEFAULT_DB_ALIAS].close()


def refuse_newer(using: str = DEFAULT_DB_ALIAS) -> None:
    """Raise `NewerSchema` where the database has had migrations that this code does not know. Two queries."""
    if wrong := newer(applied(using)):
        raise NewerSchema(wrong)


def waiting(using: str = DEFAULT_DB_ALIAS) -> list[str]:
    """The migrations of all apps that `migrate` would run, as app.name."""
    executor = MigrationExecutor(connections[using])
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [f"{migration.app_label}.{migration.name}" for migration, _ in plan]

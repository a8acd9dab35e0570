"""`manage.py migrate`: Django's own, with a backup before anything that is there is changed."""

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.core.management.commands import migrate
from django.db import DEFAULT_DB_ALIAS
from django.utils import timezone

from caesar.sqlite3.base import DatabaseFileMissing
from memory import schema
from memory.backup import files, making
from memory.backup.making import Made
from memory.models import AuditRow


class Command(migrate.Command):
    """No backup is made of a new database, of one that is up to date, and where it was asked not to."""

    def add_arguments(self, parser: CommandParser) -> None:
        """Django's, and whether to do without a backup."""
        super().add_arguments(parser)
        parser.add_argument("--no-backup", action="store_true", help="change the tables without a backup of them")

    def handle(self, *args: Any, **options: Any) -> str | None:
        """Back up, migrate, and write down where the backup is. Nothing is changed where none could be made."""
        is_ours = options["database"] == DEFAULT_DB_ALIAS and not (options["plan"] or options["check_unapplied"])
        if not is_ours:
            return super().handle(*args, **options)
        made = self._backup(is_wanted=not options["no_backup"])
        done = super().handle(*args, **options)
        if made is not None:
            _write_down(made)
        return done

    def _backup(self, *, is_wanted: bool) -> Made | None:
        """The backup, if there is something to back up. Raises `CommandError`, also for a newer schema."""
        applied = _applied()
        if wrong := schema.newer(applied):
            raise CommandError(wrong)
        if not applied or not is_wanted or not schema.waiting():
            return None
        try:
            made = making.make("upgrade", now=timezone.now())
        except files.NoBackup as error:
            cure = "Or go on without one: manage.py migrate --no-backup."
            raise CommandError(
                f"The database is to be upgraded, and no backup of it could be made. {error} {cure}"
            ) from None
        self.stdout.write(f"The database is upgraded. A backup of it as it was: {made.path}")
        return made


def _applied() -> list[str]:
    """The migrations of ours that the database has had; none where it is still to be made."""
    try:
        return schema.applied()
    except DatabaseFileMissing:
        return []


def _write_down(made: Made) -> None:
    """The row, if the tables are those of today: `migrate` may have been told to stop before."""
    if schema.last(schema.applied()) == schema.last(schema.known()):
        AuditRow.objects.record(made.event, now=timezone.now())

"""`manage.py restore`: the database as it was when a backup was made; with `--check` only whether that would work."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connections
from django.utils import timezone

from memory import schema
from memory.backup.archive import BackupUnusable
from memory.backup.restoring import restore as restoring
from memory.backup.restoring.scratch import NotRestored


class Command(BaseCommand):
    """Everything in the file is looked at before anything is touched. What was there stays beside it."""

    help = "Bring back the database of a backup; what was there is kept beside it."
    requires_system_checks = []  # a mistake in the settings is no reason not to have the rows back

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which file, and whether to try it only."""
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--check", action="store_true", help="only try it: restore into a scratch database, compare"
        )
        parser.add_argument("--force", action="store_true", help="also while a server uses the database")

    def handle(self, *args: Any, **options: Any) -> None:
        """Do it, and say what became of everything."""
        try:
            self._check(options["file"]) if options["check"] else self._restore(options["file"], options["force"])
        except (BackupUnusable, NotRestored) as error:
            raise CommandError(str(error)) from None
        finally:
            connections.close_all()

    def _check(self, path: Path) -> None:
        now = timezone.now()
        if _has_tables():
            event = restoring.drill_and_record(path, now=now)
            if event.problem:
                raise NotRestored(event.problem)
            rows, seconds = event.rows, event.seconds
        else:
            done = restoring.drill(path)
            rows, seconds = done.rows, done.seconds
        self.stdout.write(f"It restores: {rows:,} rows, as they were, in {seconds:.1f} seconds. Nothing was changed.")

    def _restore(self, path: Path, force: bool) -> None:
        done = restoring.restore(path, now=timezone.now(), force=force, tell=self.stdout.write)
        rows, of = done.backup.manifest.row_count, done.backup.manifest.made_at
        self.stdout.write(f"Restored {rows:,} rows of {of:%Y-%m-%d %H:%M} UTC in {done.seconds:.1f} seconds.")
        if done.migrated:
            self.stdout.write(f"Brought up to date: {len(done.migrated)} migrations.")
        if done.kept:
            self.stdout.write(f"What was there is kept: {done.kept}")
        if done.key_changed:
            self.stdout.write("The signing key is that of the backup now. Restart the server, if it runs.")


def _has_tables() -> bool:
    """Whether there is a database that can take an audit row."""
    try:
        return schema.last(schema.applied()) == schema.last(schema.known())
    except DatabaseError:
        return False

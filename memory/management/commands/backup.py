"""`manage.py backup`: all of memory in one file, while the server runs."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from memory import schema
from memory.backup import files, making


class Command(BaseCommand):
    """The last line is the file."""

    help = "Write the database, the signing key and the settings into one file, while the server runs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where to, and whether keys of providers go along."""
        parser.add_argument("file", nargs="?", type=Path, help="default: a new one in CAESAR_BACKUP__PATH")
        parser.add_argument("--with-secrets", action="store_true", help="also the settings that are secret, in clear")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make it, and say where."""
        try:
            schema.refuse_newer()
            made = making.make_and_record(
                "command", now=timezone.now(), target=options["file"], with_secrets=options["with_secrets"]
            )
        except (files.NoBackup, schema.NewerSchema) as error:
            raise CommandError(str(error)) from None
        if options["verbosity"]:
            seconds = f"{made.seconds:.1f} seconds"
            self.stdout.write(f"{made.rows:,} rows, {files.megabytes(made.bytes)}, {seconds}.")
        self.stdout.write(str(made.path))

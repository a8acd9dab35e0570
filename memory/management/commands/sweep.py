"""`manage.py sweep`: the retention sweep by hand."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from memory import retention


class Command(BaseCommand):
    """Deletes expired audit rows, each chat with its episode. Facts stay; of the operator's edits key and time do."""

    help = "Delete audit rows older than CAESAR_MEMORY__RETENTION_DAYS, in small batches."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Whether to count only."""
        parser.add_argument("--dry-run", action="store_true", help="count what would go, change nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        """Sweep and print what was deleted."""
        swept = retention.sweep(now=timezone.now(), dry_run=options["dry_run"])
        if swept is None:
            self.stdout.write("Nothing is ever deleted: CAESAR_MEMORY__RETENTION_DAYS is 0.")
        else:
            self.stdout.write(f"{'Would delete' if options['dry_run'] else 'Deleted'} {swept}.")

"""`manage.py sweep`: the retention sweep by hand."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from memory import retention

_ASKS = (
    "Either this machine's clock is ahead, or the retention is new or was lowered. Look at the clock; to delete them "
    "all the same: manage.py sweep --anyway, or the button on the overview page."
)


class Command(BaseCommand):
    """Deletes expired audit rows, each chat with its episode. Facts stay; of the operator's edits key and time do."""

    help = "Delete audit rows older than CAESAR_MEMORY__RETENTION_DAYS, in small batches."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Whether to count only, and whether to delete what a sweep would ask about."""
        parser.add_argument("--dry-run", action="store_true", help="count what would go, change nothing")
        parser.add_argument("--anyway", action="store_true", help="delete also what a sweep asks about first")

    def handle(self, *args: Any, **options: Any) -> None:
        """Sweep and print what was deleted."""
        is_dry = options["dry_run"]
        swept = retention.sweep(now=timezone.now(), dry_run=is_dry)
        if swept is None:
            self.stdout.write("Nothing is ever deleted: CAESAR_MEMORY__RETENTION_DAYS is 0.")
            return
        self.stdout.write(f"{'Would delete' if is_dry else 'Deleted'} {swept}.")
        if not swept.held_back or is_dry:
            return
        if not options["anyway"]:
            self.stdout.write(_ASKS)
        elif retention.allow(now=timezone.now()):
            self.stdout.write(f"Deleted {retention.sweep(now=timezone.now())}.")

"""`manage.py create_api_key LABEL`: a key for one chat backend."""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from memory.models import SCOPES, ApiKey
from memory.models.access import NEW_KEY_SCOPES

MOST_DAYS = 36_500


class Command(BaseCommand):
    """Standard output holds the key alone, so that `KEY=$(manage.py create_api_key LABEL)` works."""

    help = "Make an API key and print it, once. The key is the last line of the output."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The label, and what the key may do."""
        parser.add_argument("label", help="who uses the key, such as “kitchen tablet”")
        parser.add_argument(
            "--scope",
            action="append",
            choices=[*SCOPES, "all"],
            help="record turns (the default), read or manage facts and episodes; may be given more than once",
        )
        parser.add_argument("--expires-days", type=int, metavar="N", help="refuse the key after N days")
        parser.add_argument("--requests-per-minute", type=int, metavar="N", help="refuse more requests in a minute")
        parser.add_argument("--tokens-per-day", type=int, metavar="N", help="refuse turns once a day's took so many")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make the key and print it."""
        days, chosen = options["expires_days"], options["scope"] or NEW_KEY_SCOPES
        if days is not None and not 1 <= days <= MOST_DAYS:
            raise CommandError(f"Choose 1 to {MOST_DAYS} days, or no end.")
        try:
            issued = ApiKey.objects.issue(
                options["label"],
                scopes=SCOPES if "all" in chosen else chosen,
                expires_at=None if days is None else timezone.now() + timedelta(days=days),
                requests_per_minute=options["requests_per_minute"],
                tokens_per_day=options["tokens_per_day"],
            )
        except ValueError as error:
            raise CommandError(str(error)) from None
        may = ", ".join(issued.row.limits.scopes)
        self.stderr.write(f"API key of {issued.row.label} (may: {may}), shown this once:", lambda text: text)
        self.stderr.flush()
        self.stdout.write(issued.secret)

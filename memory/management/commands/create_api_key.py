"""`manage.py create_api_key LABEL`: a key for one chat backend."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memory.models import ApiKey


class Command(BaseCommand):
    """Standard output holds the key alone, so that `KEY=$(manage.py create_api_key LABEL)` works."""

    help = "Make an API key and print it, once. The key is the last line of the output."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The label."""
        parser.add_argument("label", help="who uses the key, such as “kitchen tablet”")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make the key and print it."""
        try:
            issued = ApiKey.objects.issue(options["label"])
        except ValueError as error:
            raise CommandError(str(error)) from None
        self.stderr.write(f"API key of {issued.row.label}, shown this once:", lambda text: text)
        self.stderr.flush()
        self.stdout.write(issued.secret)

"""`manage.py alerts`: what needs somebody now, and whether messages about it arrive."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from memory import alerts


class Command(BaseCommand):
    """Exit code 1 where something needs somebody."""

    help = "Print what needs somebody now. With --test, send a message the ways that are set (CAESAR_ALERTS__...)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Whether to send a message."""
        parser.add_argument("--test", action="store_true", help="send a message that says that messages arrive")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print, or send."""
        now = timezone.now()
        if options["test"]:
            try:
                alerts.send_test(now)
            except alerts.AlertNotSent as error:
                raise CommandError(str(error)) from None
            self.stdout.write("Sent.")
            return
        found = alerts.problems(now)
        for text in found.values():
            self.stdout.write(text)
        if found:
            sys.exit(1)
        self.stdout.write("All is well.")

"""`manage.py run_trigger NAME`: one proactive run, now."""

from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from memory import llm
from memory.proactive import runs
from memory.proactive.triggers import Trigger, TriggersError, find, read


class Command(BaseCommand):
    """A run by hand is recorded like a scheduled one. Disabled triggers can be run too."""

    help = "Run a trigger of CAESAR_PROACTIVE__TRIGGERS_PATH now, enabled or not, and print the answer."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which one."""
        parser.add_argument("name", metavar="NAME", help="its name in the triggers file")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run it. The answer alone goes to standard output."""
        try:
            turn = runs.run(_named(options["name"]), now=timezone.now())
        except llm.LLMError as error:
            raise CommandError(f"No answer: {error}") from None
        self.stdout.write(turn.completion.text)


def _named(name: str) -> Trigger:
    path = settings.CAESAR.proactive.triggers_path
    if path is None:
        raise CommandError("There are no triggers: CAESAR_PROACTIVE__TRIGGERS_PATH is not set.")
    try:
        triggers = read(path)
    except TriggersError as error:
        raise CommandError(str(error)) from None
    trigger = find(triggers, name)
    if trigger is None:
        raise CommandError(f"There is no trigger {name!r}. {_there_are(triggers)}")
    return trigger


def _there_are(triggers: Sequence[Trigger]) -> str:
    names = [trigger.name + (" (disabled)" if not trigger.enabled else "") for trigger in triggers]
    return f"There are: {', '.join(names)}." if names else "The triggers file holds none."

"""`manage.py search "words"`: what memory has that answers a question."""

import json
import shutil
import sys
import textwrap
from argparse import ArgumentParser
from collections.abc import Iterator
from datetime import date
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from memory.recall import explicit
from memory.recall.explicit import KINDS, Found, SearchResults
from memory.text.lines import one_line

MOST = 50
_PATIENCE_SECONDS = 30.0  # this process has no vectors yet
_WIDEST, _NARROWEST = 110, 40
_DAY, _KIND = 12, 14


class Command(BaseCommand):
    """Prints a table, the best first, or JSON. Writes one row that says what was asked."""

    help = "Search memory: facts, conversations, and the words of chats, each with its date and its reason."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The question, and what its answer is bound to."""
        parser.add_argument("words", help="the question, such as “thermostat last May”")
        parser.add_argument("--kind", action="append", choices=KINDS, help="only these; may be given more than once")
        parser.add_argument("--since", metavar="DAY", help="the first day that counts, such as 2026-05-01")
        parser.add_argument("--until", metavar="DAY", help="the last day that counts")
        parser.add_argument("--limit", type=int, default=10, metavar="N", help=f"how many, {MOST} at most (default 10)")
        parser.add_argument("--json", action="store_true", help="JSON, one object with all that is known of each hit")

    def handle(self, *args: Any, **options: Any) -> None:
        """Search and print."""
        since, until = _day(options["since"], "--since"), _day(options["until"], "--until")
        words, limit, kinds = options["words"], options["limit"], options["kind"] or KINDS
        if not one_line(words):
            raise CommandError("Say what you want to know: manage.py search “thermostat last May”")
        if not 1 <= limit <= MOST:
            raise CommandError(f"Choose a --limit of 1 to {MOST}.")
        if since and until and since > until:
            raise CommandError("--since is after --until. Exchange the two.")
        now = timezone.now()
        question = explicit.ask(
            words, since=since, until=until, now=now, zone=settings.CAESAR.zone, patience_seconds=_PATIENCE_SECONDS
        )
        results = explicit.answer(question, kinds=kinds, limit=limit)
        explicit.note(question, results, door="command", kinds=kinds, now=now)
        self.stdout.write(_as_json(results) if options["json"] else "\n".join(_table(results)))


def _day(given: str | None, option: str) -> date | None:
    try:
        return None if given is None else date.fromisoformat(given)
    except ValueError:
        raise CommandError(f"{option} must be a day that exists, such as 2026-05-01.") from None


def _as_json(results: SearchResults) -> str:
    data = [
        {
            "kind": one.kind,
            "id": one.id,
            "title": one.title,
            "text": one.text,
            "when": one.when.isoformat(),
            "score": one.score,
            "why": one.why,
            "audit_log_id": one.chat_id,
            "key": one.key or None,
        }
        for one in results.found
    ]
    answer = {"data": data, "read_dates": results.read_dates, "mode": results.mode, "notes": list(results.notes)}
    return json.dumps(answer, ensure_ascii=sys.stdout.encoding.lower() != "utf-8", indent=2)


def _table(results: SearchResults) -> Iterator[str]:
    """Lines for a terminal of any width: day, kind and address, and below them what it says and why."""
    width = min(max(shutil.get_terminal_size().columns, _NARROWEST), _WIDEST)
    if results.read_dates:
        yield f"Dates read as: {results.read_dates}"
    yield from results.notes
    if not results.found:
        yield "Nothing was found. Try fewer or other words, or another time."
    for one in results.found:
        yield ""
        yield f"{_when(one):<{_DAY}} {one.kind:<{_KIND}} {one.id}"
        for text in (one.text, one.why):
            yield textwrap.fill(text, width, initial_indent=" " * 13, subsequent_indent=" " * 13)


def _when(one: Found) -> str:
    return settings.CAESAR.day_of(one.when).isoformat()

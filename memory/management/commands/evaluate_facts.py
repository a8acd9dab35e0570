"""`manage.py evaluate_facts FILE`: how well a model learns facts, measured on chats whose facts are known."""

import json
import os
import shutil
import signal
import sys
from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from memory.management.evaluation import cases, reading, routing, sandbox, tables
from memory.management.evaluation.cases import Case, CasesError
from memory.management.evaluation.sandbox import EvaluationFailed
from memory.management.evaluation.tables import Column

_INTERRUPTED = 130
_PROGRESS_EVERY = 10
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Command(BaseCommand):
    """The cases are read by another process, which has a database of its own: this one opens none."""

    help = (
        "Try a model on chats whose facts are known, and print how many it learns, at what cost. Everything happens "
        "in a database that is made for it and deleted afterwards."
    )
    requires_system_checks = ()  # they would judge settings that are not used here

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The cases, one or two models, and what to print."""
        names = "provider, model, base_url, api_key_file, as in CAESAR_LLM__TASK_ROUTING__MEMORY_EXTRACT__..."
        parser.add_argument("file", metavar="FILE", type=Path, help="JSON lines; docs/models.md has the format")
        parser.add_argument(
            "--task-routing",
            nargs="+",
            default=[],
            metavar="NAME=VALUE",
            help=f"try this model, not the configured: {names}",
        )
        parser.add_argument(
            "--compare",
            nargs="+",
            default=[],
            metavar="NAME=VALUE",
            help="a second model, in a column beside the first",
        )
        parser.add_argument("--limit", type=_count, metavar="N", help="the first N cases only")
        parser.add_argument("--mistakes", action="store_true", help="also list each case in which something is wrong")
        parser.add_argument("--json", action="store_true", help="print JSON, with what was learned from each case")
        parser.add_argument("--sandbox", type=Path, help=SUPPRESS)

    def handle(self, *args: Any, **options: Any) -> None:
        """Read the file, try the models, print."""
        if options["sandbox"] is not None:
            self._read_in_sandbox(options["sandbox"])
            return
        routes = [options["task_routing"], *([options["compare"]] if options["compare"] else [])]
        try:
            environs = [routing.routed(os.environ, routing.parse(words)) for words in routes]
            found = cases.read(options["file"], limit=options["limit"])
        except (CasesError, routing.RoutingError) as error:
            raise CommandError(str(error)) from None
        columns = [Column(total=len(found)) for _ in environs]
        problem = self._try_all(found, environs, columns)
        self._print(columns, options)
        if problem is not None:
            raise problem

    def _try_all(
        self, found: Sequence[Case], environs: Sequence[Mapping[str, str]], columns: Sequence[Column]
    ) -> CommandError | None:
        """Fill the columns. Returns why that ended early, None where it did not."""
        column = columns[0]
        try:
            with _signals_interrupt():
                for column, environ in zip(columns, environs, strict=True):
                    self._try(found, environ, column)
        except KeyboardInterrupt:
            place = f"after {len(column.read)} of {column.total} cases"
            return CommandError(f"Interrupted {place}. The figures are of those.", returncode=_INTERRUPTED)
        except EvaluationFailed as error:
            return CommandError(f"Ended after {len(column.read)} of {column.total} cases: {error}")
        return None

    def _try(self, found: Sequence[Case], environ: Mapping[str, str], column: Column) -> None:
        with sandbox.started(found, environ) as running:
            for outcome, case in zip(running.outcomes(), found, strict=False):  # to the last line
                column.route = running.route
                column.read.append((case, outcome))
                self._show_progress(column)

    def _show_progress(self, column: Column) -> None:
        done = len(column.read)
        if done % _PROGRESS_EVERY == 0 or done == column.total or self.stderr.isatty():
            self.stderr.write(f"{column.route}: {done} of {column.total}", self.style.NOTICE)

    def _print(self, columns: Sequence[Column], options: Mapping[str, Any]) -> None:
        """Print what there is; nothing where no case was read."""
        if not any(column.read for column in columns):
            return
        if options["json"]:
            self.stdout.write(json.dumps(tables.as_json(columns), ensure_ascii=False, indent=1))
            return
        self.stdout.write(tables.table(columns))
        for column in columns if options["mistakes"] else []:
            self.stdout.write(f"\n{column.route}")
            self.stdout.write("\n".join(tables.mistakes(column)) or "no mistake")

    def _read_in_sandbox(self, folder: Path) -> None:
        """The process in the sandbox: read its cases, and tell of each. The folder goes with it."""
        database = folder / sandbox.DATABASE
        if settings.DATABASES["default"]["NAME"] != str(database):
            raise CommandError("--sandbox is for evaluate_facts itself. Leave it out.")
        signal.signal(signal.SIGTERM, _end)
        try:
            for line in reading.report(cases.read(folder / sandbox.CASES), database):
                self.stdout.write(line.model_dump_json())
                self.stdout.flush()
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _end(number: int, frame: FrameType | None) -> NoReturn:
    sys.exit(128 + number)


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    """End the evaluation, and let no second signal disturb the tidying up."""
    for other in _SIGNALS:
        signal.signal(other, signal.SIG_IGN)
    raise KeyboardInterrupt


@contextmanager
def _signals_interrupt() -> Iterator[None]:
    """SIGTERM and SIGHUP end the evaluation as Ctrl-C does, by KeyboardInterrupt: what is done so far is printed."""
    before = [(number, signal.signal(number, _interrupt)) for number in _SIGNALS]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)


def _count(words: str) -> int:
    if not words.isdecimal() or not 1 <= int(words) <= 1_000_000:
        raise ArgumentTypeError("must be a whole number from 1 to 1000000")
    return int(words)

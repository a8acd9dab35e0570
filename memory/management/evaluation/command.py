"""What the evaluating commands share: the columns are filled by processes in sandboxes, and what is done is printed."""

import shutil
import signal
import sys
from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Generic, NoReturn, TypeVar

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from pydantic import BaseModel

from memory.management.evaluation import sandbox
from memory.management.evaluation.columns import Column
from memory.management.evaluation.report import Line, Outcome
from memory.management.evaluation.sandbox import EvaluationFailed

_INTERRUPTED = 130
_PROGRESS_EVERY = 10
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

Case = TypeVar("Case", bound=BaseModel)


class EvaluationCommand(BaseCommand, Generic[Case, Outcome]):
    """A command whose cases are read by another process, which has a database of its own.

    `name`: that of the command. `called`: what the cases are called. `line`: what is told of each. `options`: what the
    process in the sandbox is to be called with beside the file.
    """

    requires_system_checks = ()  # they would judge settings that are not used here
    name: str
    called: str
    line: type[Line[Outcome]]
    options: Sequence[str] = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What every evaluation takes."""
        parser.add_argument("--json", action="store_true", help="print JSON, with what became of each case")
        parser.add_argument("--sandbox", type=Path, help=SUPPRESS)

    def try_all(
        self,
        found: Sequence[Case],
        environs: Sequence[Mapping[str, str]],
        columns: Sequence[Column[Case, Outcome]],
    ) -> CommandError | None:
        """Fill the columns. Returns why that ended early, None where it did not."""
        column = columns[0]
        try:
            with _signals_interrupt():
                for column, environ in zip(columns, environs, strict=True):
                    self._try(found, environ, column)
        except KeyboardInterrupt:
            place = f"after {len(column.read)} of {column.total} {self.called}"
            return CommandError(f"Interrupted {place}. The figures are of those.", returncode=_INTERRUPTED)
        except EvaluationFailed as error:
            return CommandError(f"Ended after {len(column.read)} of {column.total} {self.called}: {error}")
        return None

    def _try(self, found: Sequence[Case], environ: Mapping[str, str], column: Column[Case, Outcome]) -> None:
        with sandbox.started([self.name, *self.options], found, environ, self.line) as running:
            for outcome, case in zip(running.outcomes(), found, strict=False):  # to the last line
                column.route = running.route
                column.read.append((case, outcome))
                self._show_progress(column)

    def _show_progress(self, column: Column[Case, Outcome]) -> None:
        done = len(column.read)
        if done % _PROGRESS_EVERY == 0 or done == column.total or self.stderr.isatty():
            self.stderr.write(f"{column.route}: {done} of {column.total}", self.style.NOTICE)

    def tell_from_sandbox(self, folder: Path, lines: Iterable[Line[Outcome]]) -> None:
        """The process in the sandbox: tell of each case as it is read. The folder goes with it."""
        signal.signal(signal.SIGTERM, _end)
        try:
            for line in lines:
                self.stdout.write(line.model_dump_json())
                self.stdout.flush()
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def sandbox_database(self, folder: Path) -> Path:
        """The database of the process in the sandbox. Raises `CommandError` for any other process."""
        database = folder / sandbox.DATABASE
        if settings.DATABASES["default"]["NAME"] != str(database):
            raise CommandError(f"--sandbox is for {self.name} itself. Leave it out.")
        return database


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


def count(words: str) -> int:
    """A whole number from 1 to 1,000,000, for `type=` of an option."""
    if not words.isdecimal() or not 1 <= int(words) <= 1_000_000:
        raise ArgumentTypeError("must be a whole number from 1 to 1000000")
    return int(words)

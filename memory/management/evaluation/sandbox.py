"""A process of its own for each evaluation, in a folder of its own with a database of its own.

The process that reads the cases gets another CAESAR_DB__URL, so that nothing of them can reach the configured
database. The folder is removed by whichever of the two processes lives longer.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic

from pydantic import BaseModel, ValidationError

from caesar.environment import ENV_FILE, FILE_SUFFIX, ROOT
from memory.management.evaluation.report import Line, Outcome
from memory.management.processes import end_with_parent

CASES = "cases.jsonl"
DATABASE = "evaluation.sqlite3"
ERRORS = "stderr"
_PATIENCE_SECONDS = 10.0
_SHOWN_ERROR_CHARS = 2_000


class EvaluationFailed(Exception):
    """The evaluation cannot go on. The message names the cure."""


@dataclass
class Sandbox(Generic[Outcome]):
    """One evaluation under way. `route`: where the questions go, known when the first outcome is there."""

    folder: Path
    line: type[Line[Outcome]]
    process: subprocess.Popen[bytes]
    route: str = field(default="")

    def outcomes(self) -> Iterator[Outcome]:
        """What became of each case, in order, as it comes. Raises `EvaluationFailed`."""
        for text in self.process.stdout or ():
            line = self._parsed(text)
            if line.error:
                raise EvaluationFailed(line.error)
            self.route = line.route or self.route
            if line.outcome is not None:
                yield line.outcome
        if self.process.wait():
            raise EvaluationFailed(self._last_words())

    def _parsed(self, text: bytes) -> Line[Outcome]:
        try:
            return self.line.model_validate_json(text)
        except ValidationError:
            raise EvaluationFailed(self._last_words()) from None

    def _last_words(self) -> str:
        try:
            words = (self.folder / ERRORS).read_text(encoding="utf-8", errors="replace").strip()
        except OSError:
            words = ""
        return words[-_SHOWN_ERROR_CHARS:] or "The process that reads the cases ended without a word. Try again."

    def end(self) -> None:
        """End the process, if it still runs, and wait for its end."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(_PATIENCE_SECONDS)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


@contextmanager
def started(
    command: Sequence[str], cases: Sequence[BaseModel], environ: Mapping[str, str], line: type[Line[Outcome]]
) -> Iterator[Sandbox[Outcome]]:
    """A process that reads the cases while the context is open; afterwards it is gone, and its folder with it.

    `command`: the name and options of the command whose `--sandbox` it is. `line`: what it tells of each case.
    """
    folder = Path(tempfile.mkdtemp(prefix="caesar-evaluation-"))
    try:
        written = "".join(case.model_dump_json() + "\n" for case in cases)
        (folder / CASES).write_text(written, encoding="utf-8")
        sandbox = Sandbox(folder, line, _start(command, folder, environ))
        try:
            yield sandbox
        finally:
            sandbox.end()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _start(command: Sequence[str], folder: Path, environ: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """In a session of its own: a Ctrl-C is for the process that prints. It ends with us, should we be killed."""
    with (folder / ERRORS).open("wb") as errors:
        return subprocess.Popen(  # noqa: S603 (our own program)
            [sys.executable, str(ROOT / "manage.py"), *command, str(folder / CASES), "--sandbox", str(folder)],
            env=sandboxed(environ, folder),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,
            preexec_fn=end_with_parent(),
        )


def sandboxed(environ: Mapping[str, str], folder: Path) -> dict[str, str]:
    """The environment with every way out of the folder replaced; names of our settings are in upper case in it.

    The values of `.env` are in it already. Nothing wakes a worker, so that each chat is read by us alone.
    """
    ours = {
        "CAESAR_DB__URL": f"sqlite:///{folder / DATABASE}",
        "CAESAR_DB__SPOOL_PATH": str(folder / "turns"),
        "CAESAR_SECRET_KEY": "signs nothing",
        "CAESAR_MEMORY__FACTS_EXTRACT__ENABLED": "false",
        "CAESAR_MEMORY__EPISODES_SUMMARISE__ENABLED": "false",
    }
    kept = dict(environ)
    for setting in ours:
        kept = without(kept, setting)
    return kept | ours | {ENV_FILE: os.devnull}


def without(environ: Mapping[str, str], setting: str) -> dict[str, str]:
    """The environment without a setting, however it is given."""
    return {name: value for name, value in environ.items() if name not in (setting, setting + FILE_SUFFIX)}

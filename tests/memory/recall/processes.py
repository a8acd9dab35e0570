"""Other processes that write and search what recall finds, each with a pipe to it and one back."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from caesar.environment import ROOT


class Process:
    """Another process, with a pipe to it and one back."""

    def __init__(self, database: Path) -> None:
        clean = {name: value for name, value in os.environ.items() if not name.startswith("CAESAR_")}
        own = {
            "CAESAR_ENV_FILE": os.devnull,
            "CAESAR_DB__URL": f"sqlite:///{database}",
            "DJANGO_SETTINGS_MODULE": "caesar.settings",
        }
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.memory.recall.index.index_process"],
            cwd=ROOT,
            env=clean | own,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def tell(self, command: str, argument: object = None) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps([command, argument]) + "\n")
        self.process.stdin.flush()

    def answer(self) -> Any:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, f"the process ended with {self.process.wait()}"
        return json.loads(line)

    def ask(self, command: str, argument: object = None) -> Any:
        self.tell(command, argument)
        return self.answer()

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(timeout=60)
        assert self.process.stdout is not None
        self.process.stdout.close()


@contextmanager
def writer_and_searcher(folder: Path) -> Iterator[tuple[Process, Process]]:
    """One process to write and one to search, with a database of their own in this folder."""
    database = folder / "episodes.sqlite3"
    writer = Process(database)
    writer.ask("migrate")
    searcher = Process(database)
    yield writer, searcher
    writer.close()
    searcher.close()

"""One process writes episodes, another searches them: what it finds is what the rows say, at every moment."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from caesar.environment import ROOT
from tests.memory.recall import reference_recall as reference

pytestmark = pytest.mark.real_processes


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


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Process, Process]]:
    """One process to write and one to search."""
    database = tmp_path_factory.mktemp("index") / "episodes.sqlite3"
    writer = Process(database)
    writer.ask("migrate")
    searcher = Process(database)
    yield writer, searcher
    writer.close()
    searcher.close()


def is_same(answer: list[list[Any]], expected: list[list[Any]]) -> bool:
    return [id_ for id_, _ in answer] == [id_ for id_, _ in expected] and [
        score for _, score in answer
    ] == pytest.approx([score for _, score in expected], abs=1e-6)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(history=reference.histories())
def test_after_each_change_of_another_process_it_equals_the_reference(
    pair: tuple[Process, Process], history: list[reference.Chapter]
) -> None:
    writer, searcher = pair
    for chapter in history:
        writer.ask("write", chapter)
        answer, expected = searcher.ask("search", chapter)
        assert is_same(answer, expected), (answer, expected)
    writer.ask("empty")


@pytest.mark.parametrize("seed", [1, 2])
def test_while_another_process_writes_it_is_right_as_of_some_moment_of_the_search(
    pair: tuple[Process, Process], seed: int
) -> None:
    writer, searcher = pair
    searcher.tell("search_much")
    writer.tell("write_much", [seed, 150])
    right = {int(version): answers for version, answers in writer.answer().items()}
    answers = searcher.answer()
    writer.ask("empty")

    for number, before, answer, after in answers:
        moments = [moment for moment in right if before <= moment <= after]
        assert any(is_same(answer, right[moment][number]) for moment in moments), (answer, before, after)
    last = [(number, answer) for number, before, answer, _ in answers if before == max(right)]
    assert {number for number, _ in last} == set(range(len(right[max(right)])))

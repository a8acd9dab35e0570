"""One process writes episodes, another searches them: what it finds is what the rows say, at every moment."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from tests.memory.recall import reference_recall as reference
from tests.memory.recall.processes import Process, writer_and_searcher

pytestmark = pytest.mark.real_processes


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Process, Process]]:
    """One process to write and one to search."""
    with writer_and_searcher(tmp_path_factory.mktemp("index")) as processes:
        yield processes


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

"""One process writes chats, another recalls them by content: it finds what is there, at every moment."""

from collections.abc import Iterator

import pytest

from tests.memory.recall.processes import Process, writer_and_searcher

pytestmark = pytest.mark.real_processes


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Process, Process]]:
    """One process to write and one to search."""
    with writer_and_searcher(tmp_path_factory.mktemp("hybrid")) as processes:
        yield processes


def test_each_change_of_another_process_is_seen_at_once(pair: tuple[Process, Process]) -> None:
    writer, searcher = pair
    known: list[int] = []
    for number in range(30):
        known.append(writer.ask("remember", f"lantern number{number}"))
        assert searcher.ask("find", "lantern") == sorted(known)
        if number % 4 == 3:
            writer.ask("forget", known.pop(0))
            assert searcher.ask("find", "lantern") == sorted(known)
    writer.ask("empty")
    assert searcher.ask("find", "lantern") == []
    new = writer.ask("remember", "lantern")
    assert searcher.ask("find", "lantern") == [new]

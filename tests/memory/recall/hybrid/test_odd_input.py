"""Whatever a row or a message holds: no turn breaks, and nothing takes longer than its length."""

from typing import Any

import numpy as np
import pytest

from memory.models import EpisodeUnits, MemoryRevision
from memory.recall.hybrid import search as hybrid
from memory.recall.hybrid import snapshots
from tests.growth import LINEAR_AT_MOST, growth, of_unit
from tests.memory.recall.hybrid.stores import DAY, found_ids, put_general_vectors, query, remember

pytestmark = pytest.mark.django_db(transaction=True)

X, Y = [1.0, 0.0], [0.0, 1.0]


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    snapshots.forget()


def test_units_of_another_embedder_are_found_by_words_alone() -> None:
    other = remember("green lantern", vectors=[X], model="embed-large")
    longer = remember("apple pie", vectors=[[1.0, 0.0, 0.0]])
    (first, second) = hybrid.search(query("green lantern", X)).hits
    assert (first.episode_id, first.cosine, first.parts.meaning) == (other.pk, 0.0, 0.0)
    assert (second.episode_id, second.cosine) == (longer.pk, 0.0)
    assert first.parts.words == 1


def test_general_vectors_of_another_length_break_no_turn() -> None:
    """A name is not a model: a tag may be pulled anew."""
    put_general_vectors([[1.0, 0.0, 0.0]])
    one = remember("apple", vectors=[X])
    assert found_ids("apple", X) == [one.pk]


BROKEN: dict[str, dict[str, Any]] = {
    "lengths are no whole numbers": {"turn_lengths": b"\1\0\0"},
    "terms are no whole numbers": {"terms": b"\1\0\0\0\0"},
    "lengths beyond the terms": {"turn_lengths": b"\xff\xff\xff\xff" * 2},
    "lengths that only add up": {"turn_lengths": b"\xff\xff\xff\xff\2\0\0\0"},
    "scales are no whole numbers": {"scales": b"\1\0"},
    "scales are no numbers": {"scales": np.array([np.nan], "<f4").tobytes()},
    "scales without end": {"scales": np.array([np.inf], "<f4").tobytes()},
    "scales without bounds": {"scales": np.array([3e38], "<f4").tobytes()},
    "vectors cut short": {"vectors": b"\1"},
    "no dimensions": {"dimensions": 0},
    "fewer than no dimensions": {"dimensions": -2},
    "a context beyond the turns": {"context": 2_000_000_000},
    "a context before the turns": {"context": -5},
}


@pytest.mark.parametrize("how", BROKEN)
def test_a_row_with_broken_bytes_breaks_no_turn(how: str) -> None:
    """Whatever it says, the others are found as they are without it, at once and after the next change."""
    one, broken = remember("green lantern", vectors=[X]), remember("apple", vectors=[Y])
    EpisodeUnits.objects.filter(pk=broken.pk).update(**BROKEN[how])
    for _ in range(2):
        found = hybrid.search(query("green lantern", X, gate=None))
        assert found.hits[0].episode_id == one.pk
        assert np.isfinite([hit.score for hit in found.hits]).all()
        assert found.gate == pytest.approx(1.2, abs=1e-2)
        MemoryRevision.move("episodes_changed")


ODD = {
    "nothing": "",
    "blanks": " \n\t",
    "stop words": "the of and to be",
    "marks": "?!... --- ,,,",
    "emoji": "\N{DOG FACE}\N{BONE} \N{FAMILY}",
    "mixed scripts": "apple яблоко りんご 사과 تفاحة แอปเปิ้ล",
    "one word very often": "apple " * 64_000,
    "very long": "".join(f"word{number} " for number in range(11_000)),
    "a lone surrogate's place": "apple \ufffd river",
    "no break": "x" * 100_000,
}


@pytest.mark.parametrize("what", ODD)
def test_odd_messages_are_searched_for_too(what: str) -> None:
    one = remember("apple river", vectors=[X])
    remember(ODD[what][:5_000] or "x", vectors=[Y])
    found = hybrid.search(query(ODD[what], X))
    assert one.pk in [hit.episode_id for hit in found.hits]
    assert 0 <= found.coverage <= 1
    assert np.isfinite([hit.score for hit in found.hits]).all()


@pytest.mark.parametrize("word", ["apple ", "x", "\N{DOG FACE}", "apple river candle ", "яблоко "])
def test_the_time_for_a_long_message_grows_no_faster_than_its_length(word: str) -> None:
    for number in range(20):
        remember("apple river candle " * 20, "river " * 300, vectors=[X], age=number * DAY)

    def read(text: str) -> object:
        return hybrid.search(query(text, X))

    assert growth(read, of_unit(word), size=25_000) <= LINEAR_AT_MOST


@pytest.mark.parametrize("bad", [[0.0, 0.0], [np.nan, 1.0], [np.inf, 0.0]])
def test_a_message_whose_vector_has_no_direction_finds_nothing(bad: list[float]) -> None:
    remember("apple", vectors=[X])
    assert hybrid.search(query("apple", bad)).hits == ()

"""Recall by content finds what its formula says, on random small stores and in the cases that they never make."""

import random
from datetime import timedelta
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory.models import EpisodeSummary
from memory.recall.hybrid import search as hybrid
from memory.recall.hybrid import snapshots
from memory.units import pack
from tests.memory.recall.hybrid import stores
from tests.memory.recall.hybrid.reference_hybrid import Reference, assert_as_expected, stored
from tests.memory.recall.hybrid.stores import (
    DAY,
    DIMENSIONS,
    MODEL,
    NOW,
    found_ids,
    ids_of,
    put_general_vectors,
    query,
    remember,
)

pytestmark = pytest.mark.django_db(transaction=True)

NOUNS = ["apple", "river", "candle", "mountain", "violin", "harbour", "pepper", "lantern", "saddle", "marble"]
WORDS = [*NOUNS, "the", "and", "of"]
DATES = ["yesterday", "three days ago", "in March", "on 4 May", "last month", "in 2023"]
X, Y = [1.0, 0.0], [0.0, 1.0]


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    snapshots.forget()


def vector(rng: random.Random) -> list[float]:
    return [rng.gauss(0, 1) for _ in range(DIMENSIONS)]


def words(rng: random.Random, most: int) -> str:
    return " ".join(rng.choices(WORDS, weights=range(len(WORDS), 0, -1), k=rng.randint(0, most)))


def message(rng: random.Random) -> str:
    known = words(rng, 5)
    unknown = " ".join(f"zebra{number}" for number in range(rng.choice([0, 0, 1, 6])))
    return " ".join([known, unknown, *rng.choices(DATES, k=rng.choice([0, 0, 0, 1]))])


def add_any(rng: random.Random, chats: list[EpisodeSummary]) -> EpisodeSummary:
    turns = [words(rng, 7) for _ in range(rng.randint(1, 7))]
    goes_on = rng.choice(chats) if chats and rng.random() < 0.3 else None
    return remember(
        *turns,
        vectors=[vector(rng) for _ in range(rng.randint(0, 4))],
        age=rng.uniform(-1, 90) * DAY,
        conversation=goes_on.units.conversation if goes_on else None,
        context=rng.randint(0, min(3, len(turns) - 1)) if goes_on else 0,
        model=rng.choice([MODEL] * 5 + ["embed-large"]),
    )


def any_query(rng: random.Random, chats: list[EpisodeSummary]) -> hybrid.Query:
    excluded = [one.audit_log_id for one in rng.sample(chats, k=rng.choice([0, 0, 1]))]
    return query(
        message(rng),
        vector(rng),
        top_k=rng.choice([1, 2, 3, 3, 3, 4, 7]),
        gate=rng.choice([stores.OPEN, stores.OPEN, None]),
        excluded_chats=excluded,
    )


@pytest.mark.parametrize("seed", range(20))
def test_any_store_is_searched_as_the_formula_says(seed: int) -> None:
    rng = random.Random(seed)
    chats: list[EpisodeSummary] = []
    for _ in range(rng.randint(1, 25)):
        chats.append(add_any(rng, chats))
    for _ in range(10):
        assert_as_expected(any_query(rng, chats))


@pytest.mark.parametrize("seed", range(5))
def test_general_messages_count_against_the_gate(seed: int) -> None:
    rng = random.Random(seed)
    vectors = [vector(rng) for _ in range(14)]
    put_general_vectors(vectors)
    for _ in range(8):
        remember(words(rng, 7), vectors=[vector(rng), vector(rng)])
    packed = pack(np.array(vectors, dtype=np.float32))
    units = (packed.numbers * packed.scales[:, np.newaxis]).tolist()
    for _ in range(5):
        assert_as_expected(query(message(rng), vector(rng), gate=None), general=units)


# --- by hand ----------------------------------------------------------------------------------------------------------


def test_it_works() -> None:
    lamp = remember("The green lantern is broken.", "Try another bulb.", "It works.", vectors=[X], age=3 * DAY)
    remember("I play the violin.", "How long?", "For years.", vectors=[Y], age=2 * DAY)
    (hit, other) = hybrid.search(query("Is my lantern broken?", X)).hits
    assert hit.episode_id == lamp.pk
    assert (hit.audit_log_id, hit.created_at, hit.by) == (lamp.audit_log_id, NOW - 3 * DAY, "score")
    assert hit.parts._asdict() == pytest.approx(
        {"meaning": 1, "words": 1, "conversation": 1, "pairs": 1, "day": 0, "month": 0, "recency": 0.80711}, abs=1e-4
    )
    assert hit.score == pytest.approx(1 + 0.6 + 0.5 + 0.25 + 0.080711, abs=1e-4), "both words stand together: a = 1"
    assert other.score == pytest.approx(0.1 * 0.866878, abs=1e-4)


def test_nothing_fits_where_nothing_is_remembered() -> None:
    found = hybrid.search(query("apple", X))
    assert (found.hits, found.near_misses, found.gate, found.gate_threshold) == ((), (), None, None)


@pytest.mark.parametrize(
    ("top_k", "by"),
    [(0, ""), (1, "m"), (2, "sm"), (3, "ssm"), (4, "ssmm"), (6, "ssssmm"), (7, "ssssmmm"), (20, "ssssssss")],
)
def test_a_third_of_the_places_goes_by_meaning_where_no_words_are_found(top_k: int, by: str) -> None:
    for day in range(8):
        remember("apple", vectors=[[1.0, day / 8]], age=day * DAY)
    hits = hybrid.search(query("zebra", X, top_k=top_k)).hits
    assert "".join(hit.by[0] for hit in hits) == by
    assert len({hit.episode_id for hit in hits}) == len(hits)


def test_the_place_by_meaning_goes_to_the_nearest_that_is_not_in_yet() -> None:
    """Two chats of the named day have the places by score, though a third is nearest in meaning."""
    there = [remember("apple", vectors=[[0.1, 1.0]], age=day * DAY) for day in (1.1, 1.2)]
    nearest = remember("river", vectors=[X], age=80 * DAY)
    remember("candle", vectors=[[0.9, 1.0]], age=81 * DAY)
    hits = hybrid.search(query("what was it yesterday, zebra quagga okapi", X)).hits
    assert [(hit.episode_id, hit.by) for hit in hits] == [
        (there[0].pk, "score"),
        (there[1].pk, "score"),
        (nearest.pk, "meaning"),
    ]


@pytest.mark.parametrize("message", ["apple", "zebra"])
def test_ties_go_to_the_newer_then_to_the_lower_id(message: str) -> None:
    """Of the same age too: where words count fully, and where a place goes by meaning."""
    old, first, second = (remember("apple", vectors=[X], age=age * DAY) for age in (200_000, 100_000, 100_000))
    assert found_ids(message, X) == [first.pk, second.pk, old.pk]


def test_days_count_in_the_operators_time_zone() -> None:
    late = remember("apple", vectors=[X], age=timedelta(hours=10))  # 19 May, 23:00 UTC: in Berlin on the 20th, at 1:00
    for zone, day in (("UTC", 1.0), ("Europe/Berlin", 1 - 1 / 14)):
        (hit,) = hybrid.search(query("what did I say on 19 May?", X, zone=ZoneInfo(zone))).hits
        assert (hit.episode_id, hit.parts.day) == (late.pk, pytest.approx(day))


@pytest.mark.parametrize(("chats", "threshold"), [(1, 0.09), (27, 0.10), (60, 0.12947)])
def test_the_gate_rises_with_the_store(chats: int, threshold: float) -> None:
    for _ in range(chats):
        remember("apple", vectors=[Y])
    found = hybrid.search(query("zebra", X, gate=None))
    assert found.gate_threshold == pytest.approx(threshold, abs=1e-5)
    assert found.gate == pytest.approx(0.0, abs=1e-6)
    assert found.hits == []
    assert {miss.reason for miss in found.near_misses} == {"gate"}
    assert len(found.near_misses) == min(5, chats)


def test_the_gate_may_be_set() -> None:
    one = remember("apple", vectors=[[0.6, 0.8]])
    assert found_ids("zebra", X, gate=0.59) == [one.pk]
    assert found_ids("zebra", X, gate=0.61) == []
    assert found_ids("zebra", [-1.0, 0.0], gate=-2.0) == [one.pk]


def test_the_gate_opens_for_the_message_not_for_each_chat() -> None:
    near, far = remember("apple", vectors=[X]), remember("river", vectors=[[0.5, 0.866]])
    assert found_ids("zebra", X, gate=0.9) == [near.pk, far.pk]


# --- conversations ----------------------------------------------------------------------------------------------------


def test_one_conversation_takes_one_place() -> None:
    first = remember("apple pie", vectors=[X], age=9 * DAY)
    number = first.units.conversation
    later = [remember("apple pie", vectors=[X], age=day * DAY, conversation=number) for day in (8, 7)]
    other = remember("river", vectors=[Y])
    assert found_ids("apple pie", X) == [later[-1].pk, other.pk]


def test_the_conversation_that_is_going_on_never_comes_back() -> None:
    """None of its chats does, whichever of them is known to belong to it; it is told as a near miss."""
    first = remember("apple pie", vectors=[X])
    remember("apple pie", vectors=[X], conversation=first.units.conversation)
    other = remember("river", vectors=[Y])
    found = hybrid.search(query("apple pie", X, excluded_chats=[first.audit_log_id]))
    assert [hit.episode_id for hit in found.hits] == [other.pk]
    assert [miss.reason for miss in found.near_misses] == ["same_conversation"]
    other.forget(now=NOW)
    found = hybrid.search(query("apple pie", X, excluded_chats=[first.audit_log_id]))
    assert found.hits == []


def test_the_conversation_that_is_going_on_does_not_settle_how_others_are_weighed() -> None:
    """It has all the message's words. The others have none: they are weighed as if it were not there."""
    chats = [remember("apple", vectors=[[0.3, number]], age=number * DAY) for number in (1, 2, 3, 4)]
    alone = hybrid.search(query("zebra okapi", X))
    going_on = remember("zebra okapi", vectors=[X])
    beside = hybrid.search(query("zebra okapi", X, excluded_chats=[going_on.audit_log_id]))
    assert [hit.episode_id for hit in beside.hits] == [hit.episode_id for hit in alone.hits]
    assert [hit.by for hit in beside.hits] == ["score", "score", "meaning"]
    assert (beside.coverage, beside.word_weight) == (0, 0)
    assert len(chats) == 4
    assert beside.hits[0].parts.meaning == pytest.approx(1.0)


# --- words -----------------------------------------------------------------------------------------------------------


def test_a_pair_is_found_anywhere_in_a_long_turn() -> None:
    """Among a thousand words, behind and before places where only one of the two stands."""
    filling = [f"w{number}" for number in range(1000)]
    for at in (5, 254, 255, 256, 700):
        text = filling.copy()
        text[10] = text[600] = "saddle"
        text[at : at + 2] = ["saddle", "marble"]
        remember(" ".join(text), vectors=[X])
        text[at + 1] = "other"
        remember(" ".join(text), vectors=[X])
        assert_as_expected(query("saddle marble", X))
        stores.empty()


def test_words_far_apart_are_no_pair() -> None:
    text = [f"w{number}" for number in range(600)]
    text[3], text[3 + 257] = "saddle", "marble"  # one word further, modulo 256
    remember(" ".join(text), vectors=[X])
    (hit,) = hybrid.search(query("saddle marble", X)).hits
    assert (hit.parts.words, hit.parts.pairs) == (1, 0)


def test_only_so_many_words_of_a_message_are_looked_for_and_the_rarest() -> None:
    for number in range(70):
        remember(f"lantern{number} apple", vectors=[X])
    text = " ".join(["apple", *(f"lantern{number}" for number in range(70))])
    found = hybrid.search(query(text, X))
    assert len(found.weights) == 64
    assert min(found.weights.values()) == pytest.approx(max(found.weights.values())), "apple stands in all: left out"


def test_one_query_where_nothing_changed() -> None:
    remember("apple", vectors=[X])
    hybrid.search(query("apple", X))
    with CaptureQueriesContext(connection) as captured:
        hybrid.search(query("apple", X))
    assert len(captured) == 1
    assert "memory_revision" in captured[0]["sql"]


def test_the_reference_tells_a_wrong_score_apart() -> None:
    """It is no copy of the search: figures by hand."""
    remember("apple apple river", vectors=[X])
    remember("candle", vectors=[Y])
    right = Reference(query("apple zebra", [0.6, 0.8]), stored())
    rare = np.log(1 + 1.5 / 1.5)
    assert right.windows.idf(right.words[0]) == right.windows.idf(right.words[1]) == pytest.approx(rare)
    norm = 1.2 * (0.25 + 0.75 * 3 / 2)
    (first, second) = [right.best_windows[chat.id] for chat in right.chats]
    assert first == (pytest.approx(rare * 2 * 2.2 / (2 + norm)), pytest.approx(rare))
    assert second == (0.0, 0.0)
    assert right.coverage == pytest.approx(0.5)
    assert list(right.meaning.values()) == pytest.approx([0.6, 0.8], abs=1e-6)


def test_a_chat_that_is_far_behind_the_best_takes_no_place() -> None:
    """An open gate is for the message: in a store of two chats the other one is no runner-up."""
    best = remember("apple river lantern", vectors=[X])
    other = remember("violin", vectors=[[0.3, 0.954]])
    found = hybrid.search(query("apple river lantern", X, gate=-1.9))
    assert ids_of(found) == [best.pk]
    (miss,) = found.near_misses
    assert (miss.episode_id, miss.reason) == (other.pk, "below_threshold")
    assert found_ids("apple river lantern", X, gate=-2.0) == [best.pk, other.pk], "that lets everything pass"


def test_a_chat_that_is_near_the_best_takes_its_place() -> None:
    best = remember("apple river lantern", vectors=[X])
    other = remember("apple river", vectors=[[0.9, 0.436]])
    assert found_ids("apple river lantern", X, gate=-1.9) == [best.pk, other.pk]


def test_a_chat_of_the_day_that_is_named_takes_its_place() -> None:
    best = remember("apple river lantern", vectors=[X], age=9 * DAY)
    other = remember("violin", vectors=[[0.3, 0.954]], age=DAY)
    assert found_ids("apple river lantern yesterday", X, gate=-1.9) == [best.pk, other.pk]

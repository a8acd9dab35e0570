"""The index finds what a plain reading of ADR-0034 over the rows finds, whatever happens to them."""

import math
from datetime import datetime, timedelta
from typing import Any

import numpy as np
import pytest

from memory.models import EpisodeSummary
from memory.recall import index
from memory.recall.index import Query, SearchResult
from tests.cases import Case, of_kind
from tests.memory.recall import reference_recall as reference
from tests.memory.recall.reference_recall import DAY, MODEL, MOMENT, NOW, add, assert_as_expected, found_ids, query


@pytest.mark.django_db
def test_it_works() -> None:
    add([0.0, 1.0])
    near = add([0.8, 0.6], age=30 * DAY, recalls=3)

    found = index.search(query([1.0, 0.0]))

    (hit,) = found.hits
    assert hit.episode_id == near
    assert hit.summary == EpisodeSummary.objects.get(pk=near).summary
    assert (hit.created_at, hit.recall_count) == (NOW - 30 * DAY, 3)
    assert hit.cosine == pytest.approx(0.8)
    assert hit.freshness == pytest.approx(math.exp(-1))
    assert hit.recall_weight == pytest.approx(1 + 0.25 * math.log(4))
    assert hit.score == pytest.approx(0.8 * math.exp(-1) * (1 + 0.25 * math.log(4)))


@pytest.mark.django_db
def test_no_episodes_find_nothing() -> None:
    assert index.search(query([1.0, 0.0])) == SearchResult([], [], 0.45)


@pytest.mark.parametrize("vector", [[0.0, 0.0], [math.nan, 1.0], [math.inf, 1.0], [], [[1.0, 0.0]]])
@pytest.mark.django_db
def test_a_query_without_a_direction_finds_nothing(vector: list[float]) -> None:
    add([1.0, 0.0])
    assert index.search(query(vector)) == SearchResult([], [], 0.45)


@pytest.mark.django_db
def test_top_k_zero_finds_nothing() -> None:
    add([1.0, 0.0])
    assert index.search(query([1.0, 0.0], top_k=0)) == SearchResult([], [], 0.45)


@pytest.mark.parametrize(
    ("age", "is_found"),
    [(90 * DAY, True), (90 * DAY + MOMENT, False), (90 * DAY - MOMENT, True), (-5 * DAY, True), (2000 * DAY, False)],
)
@pytest.mark.django_db
def test_the_window_includes_its_edge_and_has_no_end(age: timedelta, is_found: bool) -> None:
    id_ = add([1.0, 0.0], age=age)
    hits = index.search(query([1.0, 0.0])).hits
    assert [hit.episode_id for hit in hits] == [id_] * is_found
    assert all(hit.freshness == math.exp(-max(age / DAY, 0) / 30) for hit in hits)


@pytest.mark.parametrize(("threshold", "is_found"), [(0.6, True), (0.6 + 1e-9, False), (0.6 - 1e-9, True)])
@pytest.mark.django_db
def test_a_cosine_that_equals_the_threshold_passes(threshold: float, is_found: bool) -> None:
    add([3.0, 4.0])
    assert bool(index.search(query([1.0, 0.0], threshold=threshold)).hits) == is_found


@pytest.mark.django_db
def test_what_float32_cannot_tell_apart_is_settled_in_float64() -> None:
    worse = [add([1.0, 1.0001e-4]) for _ in range(3)]
    better = [add([1.0, 1e-4]) for _ in range(3)]
    assert np.float32(reference.cosine([1, 0], [1.0, 1e-4])) == np.float32(reference.cosine([1, 0], [1.0, 1.0001e-4]))
    assert found_ids(index.search(query([1.0, 0.0], top_k=4))) == [*better, worse[0]]


@pytest.mark.django_db
def test_what_float32_puts_in_the_wrong_order_is_settled_in_float64() -> None:
    rng = np.random.default_rng(5)
    middle = rng.standard_normal(64)
    for row in middle + 1e-3 * rng.standard_normal((60, 64)):
        add(row.tolist())
    assert_as_expected(query(middle.tolist()))
    assert_as_expected(query(middle.tolist(), top_k=1))


@pytest.mark.django_db
def test_ties_go_to_the_newer_then_to_the_lower_id() -> None:
    first, second = add([1.0, 0.0], age=-DAY), add([1.0, 0.0], age=-DAY)
    newest = add([2.0, 0.0], age=-2 * DAY)
    assert found_ids(index.search(query([1.0, 0.0]))) == [newest, first, second]


@pytest.mark.parametrize("vector", [[], [0.0, 0.0], [1.0], [1.0, 0.0, 0.0], ["1", "0"], [None, 1.0], {"a": 1}, "x", 7])
@pytest.mark.django_db
def test_rows_that_cannot_be_compared_are_skipped(vector: Any) -> None:
    EpisodeSummary.objects.create(
        audit_log=reference.chat(), summary="Broken.", embedding=vector, model=MODEL, created_at=NOW
    )
    good = add([1.0, 0.0])
    assert found_ids(index.search(query([1.0, 0.0]))) == [good]


@pytest.mark.parametrize("size", [1e-200, 1e-30, 1.0, 1e30, 1e200])
@pytest.mark.django_db
def test_vectors_of_any_length_are_compared(size: float) -> None:
    add([3 * size, 4 * size])
    (hit,) = index.search(query([1.0, 0.0])).hits
    assert hit.cosine == pytest.approx(0.6)


@pytest.mark.django_db
def test_empty_summaries_and_the_conversation_itself_are_left_out() -> None:
    EpisodeSummary.objects.skip(reference.chat(), reason="trivial", now=NOW)
    EpisodeSummary.objects.create(
        audit_log=reference.chat(), summary="", embedding=[1.0, 0.0], model=MODEL, created_at=NOW
    )
    here, there = add([1.0, 0.0]), add([1.0, 0.0])
    excluded_chats = {EpisodeSummary.objects.get(pk=here).audit_log_id}

    found = index.search(query([1.0, 0.0], excluded_chats=excluded_chats))

    assert found_ids(found) == [there]
    assert [(miss.reason, miss.episode_id) for miss in found.near_misses] == [("same_conversation", here)]


# --- near misses ------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_near_misses_say_why() -> None:
    ids = {
        "cap": add([1.0, 0.0], age=20 * DAY),
        "same_conversation": add([1.0, 0.0], age=DAY),
        "below_threshold": add([0.4, math.sqrt(1 - 0.16)]),
        "too_old": add([1.0, 0.0], age=90 * DAY + timedelta(minutes=5)),
        "other_model": add([1.0, 0.0], model="embed-large"),
    }
    hits = [add([1.0, 0.0], age=timedelta(hours=hours)) for hours in range(3)]
    excluded_chats = [EpisodeSummary.objects.get(pk=ids["same_conversation"]).audit_log_id]

    found = index.search(query([1.0, 0.0], excluded_chats=excluded_chats))

    assert found_ids(found) == hits
    misses = {miss.reason: miss for miss in found.near_misses}
    assert {reason: miss.episode_id for reason, miss in misses.items()} == ids
    assert misses["below_threshold"].cosine == pytest.approx(0.4, abs=1e-6)
    assert misses["cap"].score == pytest.approx(math.exp(-20 / 30), abs=1e-6)
    assert (misses["other_model"].cosine, misses["other_model"].score) == (None, None)
    assert all(miss.summary == f"Chat {miss.audit_log_id}." for miss in found.near_misses)


@pytest.mark.django_db
def test_the_five_nearest_below_the_threshold_where_nothing_passes() -> None:
    ids = {number: add([number / 20, math.sqrt(1 - (number / 20) ** 2)]) for number in range(9)}
    found = index.search(query([1.0, 0.0]))
    assert found.hits == []
    assert [miss.episode_id for miss in found.near_misses] == [ids[number] for number in (8, 7, 6, 5, 4)]
    assert {miss.reason for miss in found.near_misses} == {"below_threshold"}


@pytest.mark.parametrize("threshold", [0.45, -0.5])
@pytest.mark.django_db
def test_what_points_away_from_the_message_is_no_near_miss(threshold: float) -> None:
    away, across = [add([-0.4, 0.9]) for _ in range(9)], add([0.0, 1.0], age=DAY)
    excluded_chats = [EpisodeSummary.objects.get(pk=away[0]).audit_log_id]
    add([-0.4, 0.9], age=90 * DAY + timedelta(minutes=5))
    found = index.search(query([1.0, 0.0], threshold=threshold, top_k=1, excluded_chats=excluded_chats))
    assert (found_ids(found), [miss.episode_id for miss in found.near_misses]) in (
        ([], [across]),  # nothing passes
        ([across], []),  # it scores 0, others less
    )


@pytest.mark.django_db
def test_nor_is_one_that_was_compared_to_the_end() -> None:
    for _ in range(2):
        add([-0.4, 0.9])
    found = index.search(query([1.0, 0.0], threshold=-0.5, top_k=1))
    assert (len(found.hits), found.near_misses) == (1, [])


@pytest.mark.django_db
def test_another_length_of_the_same_model_is_a_stranger_too() -> None:
    id_ = add([1.0, 0.0, 0.0])
    (miss,) = index.search(query([1.0, 0.0])).near_misses
    assert (miss.episode_id, miss.reason) == (id_, "other_model")


# --- shared cases ---------------------------------------------------------------------------------------------------


@of_kind("embedding")
@pytest.mark.django_db
def test_the_shared_cases_of_embeddings(case: Case) -> None:
    assert_case(case)


@of_kind("ranking")
@pytest.mark.django_db
def test_the_shared_cases_of_ranking(case: Case) -> None:
    assert_case(case)


def assert_case(case: Case) -> None:
    """Every turn with a vector of its own surfaces what the case says, in its order, with its scores."""
    turns = case.given.get("turns") or [case.given]
    if "episodes_before" not in case.given or not all("query_embedding" in turn for turn in turns):
        pytest.skip("is not about the search")
    numbers = {case_episode(row): row["audit_log_id"] for row in case.given["episodes_before"]}
    named = case.expect.get("surfaced", case.expect.get("surfaced_in_order"))
    scores = case.expect.get("scores", {})
    for turn, surfaced in zip(turns, case.expect.get("surfaced_per_turn", [named]), strict=True):
        hits = index.search(case_query(case, turn["query_embedding"])).hits
        assert [numbers[hit.audit_log_id] for hit in hits] == surfaced
        for hit in hits:
            assert hit.score == pytest.approx(scores.get(str(numbers[hit.audit_log_id]), hit.score), abs=1e-6)


def case_episode(row: dict[str, Any]) -> int:
    source = reference.chat()
    columns = {name: row[name] for name in ("summary", "embedding", "model", "recall_count")}
    EpisodeSummary.objects.create(audit_log=source, **columns, created_at=datetime.fromisoformat(row["created_at"]))
    return source.pk


def case_query(case: Case, vector: list[float]) -> Query:
    names = {"similarity_threshold": "threshold"}
    known = {names.get(name, name): value for name, value in case.given["settings"].items()}
    return query(vector, model=case.given["embedder_model"], now=case.clock, **known)

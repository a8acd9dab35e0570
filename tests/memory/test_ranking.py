"""ADR-0034 §4 in numbers worked out by hand, and the order they give."""

import json
import math
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory import ranking
from tests.cases import FOLDER

NOW = datetime(2026, 5, 20, 9, tzinfo=UTC)

FACTS = {"halflife_days": 60.0, "edit_weight_scale": 0.5}
EPISODES = {"halflife_days": 30.0, "recall_weight_scale": 0.25}


def ints(*values: int) -> ranking.Ints:
    return np.array(values, dtype=np.int64)


def floats(*values: float) -> ranking.Scores:
    return np.array(values, dtype=np.float64)


def age_days(then: str) -> float:
    return (NOW - datetime.fromisoformat(then)) / timedelta(days=1)


def case(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text())
    return loaded


def test_it_works() -> None:
    # exp(-30 / 60) = 0.606531; one edit weighs 1.5; 0.606531 * 0.8 * 1.5 = 0.727837
    score = ranking.importance(age_days=30.0, confidence=0.8, edit_count=1, **FACTS)

    assert score == pytest.approx(0.727837, abs=1e-6)


def test_freshness_is_the_printed_formula_and_no_true_half_life() -> None:
    assert ranking.freshness(0.0, 60.0) == 1.0
    assert ranking.freshness(60.0, 60.0) == pytest.approx(0.367879, abs=1e-6)
    assert ranking.freshness(120.0, 60.0) == pytest.approx(0.135335, abs=1e-6)


def test_a_lower_half_life_makes_age_count_more() -> None:
    assert ranking.freshness(10.0, 30.0) < ranking.freshness(10.0, 60.0)


def test_a_future_time_is_age_zero() -> None:
    assert ranking.freshness(-60.0, 60.0) == 1.0
    assert ranking.freshness(floats(-1e9, -0.1, 0.0), 30.0).tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("halflife_days", [0.0, -1.0, math.nan])
def test_a_half_life_not_above_zero_is_refused(halflife_days: float) -> None:
    with pytest.raises(ValueError, match="halflife_days must be greater than 0"):
        ranking.freshness(1.0, halflife_days)


def test_weights_worked_out_by_hand() -> None:
    assert ranking.edit_weight(0, 0.5) == 1.0
    assert ranking.edit_weight(3, 0.5) == 2.5
    assert ranking.recall_weight(0, 0.25) == 1.0
    # ln(1 + 3) = 1.386294; a quarter of it is 0.346574
    assert ranking.recall_weight(3, 0.25) == pytest.approx(1.346574, abs=1e-6)
    assert ranking.edit_weight(ints(0, 1, 2), 0.5).tolist() == [1.0, 1.5, 2.0]


def test_a_threshold_rises_with_the_store_in_whole_hundredths() -> None:
    rising = ranking.Threshold(0.25, rise=0.085, most_rise=0.04)
    # by hand: 0.085 log10(50 / 27) = 0.0227, of 60 0.0295, of 80 0.0401, from there on 0.04
    among = {0: 0.25, 1: 0.25, 27: 0.25, 30: 0.25, 50: 0.27, 60: 0.28, 80: 0.29, 1_000: 0.29, 10**6: 0.29}
    assert {count: rising.among(count) for count in among} == among
    assert rising.highest == 0.29


def test_a_threshold_without_a_rise_stays() -> None:
    assert {ranking.Threshold(0.123456).among(count) for count in (0, 27, 10**6)} == {0.123456}


def test_an_old_strong_match_loses_to_a_moderate_one_from_yesterday() -> None:
    # 0.9 * exp(-180 / 30) = 0.002231 against 0.6 * exp(-1 / 30) = 0.580330
    old, recent = ranking.episode_score(
        cosine=floats(0.9, 0.6), age_days=floats(180.0, 1.0), recall_count=ints(0, 0), **EPISODES
    )

    assert old == pytest.approx(0.002231, abs=1e-6)
    assert recent == pytest.approx(0.580330, abs=1e-6)


def test_plain_numbers_give_plain_floats() -> None:
    assert type(ranking.freshness(1.0, 60.0)) is float
    assert type(ranking.edit_weight(1, 0.5)) is float
    assert type(ranking.recall_weight(1, 0.25)) is float
    assert type(ranking.importance(age_days=1, confidence=1, edit_count=0, **FACTS)) is float
    assert type(ranking.episode_score(cosine=1, age_days=1, recall_count=0, **EPISODES)) is float


def test_a_fact_shows_the_parts_of_its_importance() -> None:
    shown = ranking.fact_importance(age_days=60.0, confidence=0.5, edit_count=2, **FACTS)

    assert shown.freshness == pytest.approx(0.367879, abs=1e-6)
    assert (shown.confidence, shown.edit_weight, shown.edit_count) == (0.5, 2.0, 2)
    assert shown.value == pytest.approx(0.367879, abs=1e-6)


@given(
    st.lists(st.tuples(st.floats(-100, 5000), st.floats(0, 1), st.integers(0, 50), st.integers(0, 500)), max_size=30)
)
def test_one_fact_and_many_facts_get_the_same_numbers(rows: list[tuple[float, float, int, int]]) -> None:
    ages, confidences, edits, recalls = (list(column) for column in zip(*rows, strict=True)) if rows else ([],) * 4
    many = ranking.importance(age_days=floats(*ages), confidence=floats(*confidences), edit_count=ints(*edits), **FACTS)
    scores = ranking.episode_score(
        cosine=floats(*confidences), age_days=floats(*ages), recall_count=ints(*recalls), **EPISODES
    )

    for row, (age, confidence, edit_count, recall_count) in enumerate(rows):
        one = ranking.fact_importance(age_days=age, confidence=confidence, edit_count=edit_count, **FACTS)
        assert one.value == many[row]
        assert one.value == ranking.importance(age_days=age, confidence=confidence, edit_count=edit_count, **FACTS)
        assert scores[row] == ranking.episode_score(
            cosine=confidence, age_days=age, recall_count=recall_count, **EPISODES
        )


def test_order_is_score_then_newest_then_lowest_id() -> None:
    scores = floats(0.5, 0.9, 0.5, 0.5, 0.5)
    times = ints(10, 1, 30, 30, 20)
    ids = ints(1, 2, 9, 4, 5)

    assert ranking.order(scores, times, ids).tolist() == [1, 3, 2, 4, 0]


def test_top_decides_ties_at_the_edge_as_order_does() -> None:
    scores = floats(0.5, 0.9, 0.5, 0.5, 0.5)
    times = ints(10, 1, 30, 30, 20)
    ids = ints(1, 2, 9, 4, 5)

    assert ranking.top(scores, times, ids, 2).tolist() == [1, 3]
    assert ranking.top(scores, times, ids, 4).tolist() == [1, 3, 2, 4]


@pytest.mark.parametrize(("k", "expected"), [(-1, []), (0, []), (2, [1, 0]), (9, [1, 0])])
def test_top_of_fewer_rows_or_none(k: int, expected: list[int]) -> None:
    assert ranking.top(floats(0.1, 0.2), ints(0, 0), ints(1, 2), k).tolist() == expected
    assert ranking.top(floats(), ints(), ints(), k).tolist() == []


def test_a_score_that_is_no_number_comes_last() -> None:
    scores, times, ids = floats(math.nan, 0.1, math.nan, 0.2), ints(4, 3, 2, 1), ints(1, 2, 3, 4)

    assert ranking.order(scores, times, ids).tolist() == [3, 1, 0, 2]
    assert ranking.top(scores, times, ids, 1).tolist() == [3]
    assert ranking.top(scores, times, ids, 3).tolist() == [3, 1, 0]


# Few different values, so that ties on score, and on score and time, are common.
ROWS = st.lists(st.tuples(st.sampled_from([0.0, -0.0, 0.25, 0.5, 1.0]), st.integers(0, 3)), max_size=60)


@given(ROWS, st.integers(0, 70), st.randoms(use_true_random=False))
def test_order_and_top_agree_with_plain_python(rows: list[tuple[float, int]], k: int, random: Any) -> None:
    ids = random.sample(range(1000), len(rows))
    scores, times = [score for score, _ in rows], [time for _, time in rows]
    expected = sorted(range(len(rows)), key=lambda row: (-scores[row], -times[row], ids[row]))

    columns = floats(*scores), ints(*times), ints(*ids)
    assert ranking.order(*columns).tolist() == expected
    assert ranking.top(*columns, k).tolist() == expected[:k]


@pytest.mark.parametrize("name", ["H32-importance-formula", "H33-future-timestamp"])
def test_importance_and_order_of_the_shared_cases(name: str) -> None:
    loaded = case(name)
    facts = loaded["given"]["facts_before"]
    edited = [row["payload"]["key"] for row in loaded["given"].get("audit_before", [])]
    scores = ranking.importance(
        age_days=floats(*(age_days(fact["last_confirmed_at"]) for fact in facts)),
        confidence=floats(*(fact["confidence"] for fact in facts)),
        edit_count=ints(*(edited.count(fact["key"]) for fact in facts)),
        **FACTS,
    )
    times = ints(*(int(datetime.fromisoformat(fact["last_confirmed_at"]).timestamp() * 1e6) for fact in facts))
    ranked = ranking.order(scores, times, np.arange(len(facts)))

    expected = loaded["expect"]
    by_key = dict(zip((fact["key"] for fact in facts), scores.tolist(), strict=True))
    assert by_key == pytest.approx(expected["importance"], abs=expected["tolerance"])
    assert [facts[row]["key"] for row in ranked] == expected["order"]


def test_episode_scores_of_the_shared_case() -> None:
    loaded = case("H34-recall-ranked-by-combined-score")
    expected = loaded["expect"]
    episodes = [row for row in loaded["given"]["episodes_before"] if str(row["audit_log_id"]) in expected["scores"]]
    # The query is (1, 0) and every vector has length 1, so the first number of a vector is its cosine.
    scores = ranking.episode_score(
        cosine=floats(*(row["embedding"][0] for row in episodes)),
        age_days=floats(*(age_days(row["created_at"]) for row in episodes)),
        recall_count=ints(*(row["recall_count"] for row in episodes)),
        **EPISODES,
    )
    ids = ints(*(row["audit_log_id"] for row in episodes))
    best = ranking.top(scores, np.zeros(len(ids), dtype=np.int64), ids, 3)

    by_id = dict(zip(map(str, ids.tolist()), scores.tolist(), strict=True))
    assert by_id == pytest.approx(expected["scores"], abs=expected["tolerance"])
    assert ids[best].tolist() == expected["surfaced_in_order"]

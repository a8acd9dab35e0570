"""Why a conversation was recalled, in words, from the numbers of its receipt."""

import math

import pytest

from dashboard.shared.receipts.reasons import by_content, by_summary
from memory.events import ScoreParts

NONE = dict.fromkeys(("meaning", "words", "conversation", "pairs", "day", "month", "recency"), 0.0)


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"meaning": 1.0}, "closest in meaning"),
        ({"meaning": 0.8, "day": 1.0}, "from the day you named, close in meaning"),
        ({"meaning": 0.8, "month": 1.0}, "from the month you named, close in meaning"),
        ({"meaning": 0.6, "words": 1.0, "pairs": 1.0, "word_weight": 1.0}, "has your words, close in meaning"),
        ({"meaning": 0.2, "words": 0.1, "word_weight": 1.0}, "the best there is"),
        ({"meaning": 0.9, "by": "meaning"}, "chosen by its meaning"),
    ],
)
def test_what_adds_most_is_said_first(parts: dict[str, float], said: str) -> None:
    assert by_content(ScoreParts(**{**NONE, "word_weight": 0.0, **parts})) == said


@pytest.mark.parametrize(
    ("count", "said"), [(0, ""), (1, ", recalled once"), (2, ", recalled twice"), (7, ", recalled 7 times")]
)
def test_how_often_it_had_been_recalled_is_in_its_weight(count: int, said: str) -> None:
    weight = 1 + 0.25 * math.log1p(count)
    assert by_summary(0.4, 0.5, weight, scale=0.25) == f"close in meaning{said}"


def test_what_is_not_known_is_not_said() -> None:
    assert by_summary(0.4, 0.9, 1.1, scale=0.25) == "close in meaning, recent, recalled before"
    assert by_summary(0.4, 0.5, 1.2, scale=0) == "close in meaning, recalled before"
    assert by_summary(None, None, None, scale=0.25) == ""

"""How near chats lie to the days of a message, worked out by hand."""

from collections.abc import Sequence
from datetime import date, timedelta

import numpy as np
import pytest

from memory.recall.hybrid.dates import DateRange, nearness

DAY = DateRange(date(2024, 5, 13), date(2024, 5, 13))
MAY = DateRange(date(2024, 5, 1), date(2024, 5, 31))


def near(ranges: Sequence[DateRange], *days: date) -> tuple[list[float], list[float]]:
    of_day, of_month = nearness(ranges, np.array([day.toordinal() for day in days], dtype=np.int64))
    return of_day.tolist(), of_month.tolist()


def test_it_works() -> None:
    assert near([DAY], date(2024, 5, 13), date(2024, 5, 20), date(2024, 5, 12)) == ([1.0, 0.5, 0.3], [0.0, 0.0, 0.0])


@pytest.mark.parametrize(
    ("days_after", "expected"),
    [
        (-4, 0.0),
        (-3, 0.3),
        (-2, 0.3),
        (-1, 0.3),
        (0, 1.0),
        (1, 13 / 14),
        (7, 0.5),
        (13, 1 / 14),
        (14, 0.0),
        (15, 0.0),
        (400, 0.0),
        (-400, 0.0),
    ],
)
def test_it_falls_to_nothing_over_fourteen_days(days_after: int, expected: float) -> None:
    of_day, of_month = near([DAY], DAY.last + timedelta(days=days_after))
    assert of_day == [pytest.approx(expected, abs=1e-12)]
    assert of_month == [0.0]


def test_everything_inside_a_month_counts_whole() -> None:
    days = [date(2024, 4, 27), date(2024, 4, 28), MAY.first, date(2024, 5, 17), MAY.last, date(2024, 6, 7)]
    assert near([MAY], *days) == ([0.0] * 6, [0.0, 0.3, 1.0, 1.0, 1.0, 0.5])


@pytest.mark.parametrize(
    ("days", "expected"),
    [(1, (1.0, 0.0)), (4, (1.0, 0.0)), (5, (0.0, 1.0)), (45, (0.0, 1.0)), (46, (0.0, 0.0)), (365, (0.0, 0.0))],
)
def test_the_length_decides_what_a_range_counts_as(days: int, expected: tuple[float, float]) -> None:
    one = DateRange(date(2023, 1, 1), date(2023, 1, 1) + timedelta(days=days - 1))
    assert one.days == days
    of_day, of_month = near([one], one.first)
    assert (of_day[0], of_month[0]) == expected


def test_the_nearest_range_of_each_kind_counts() -> None:
    earlier = DateRange(date(2024, 5, 6), date(2024, 5, 6))
    april = DateRange(date(2024, 4, 1), date(2024, 4, 30))
    # 10 May lies 3 days before the 13th (0.3) and 4 days after the 6th (10/14), inside May and 10 days after April.
    of_day, of_month = near([earlier, DAY, MAY, april], date(2024, 5, 10))
    assert of_day == [pytest.approx(10 / 14)]
    assert of_month == [1.0]


def test_no_ranges_and_no_chats() -> None:
    assert near([], date(2024, 5, 13)) == ([0.0], [0.0])
    assert near([DAY]) == ([], [])


def test_the_scores_are_float64_of_the_shape_of_the_chats() -> None:
    for scores in nearness([DAY, MAY], np.arange(738_000, 739_000, dtype=np.int64)):
        assert scores.dtype == np.float64
        assert scores.shape == (1000,)
        assert 0.0 <= scores.min() <= scores.max() <= 1.0

"""A message of any length is read in time that is linear in it."""

import pytest

from tests.growth import LINEAR_AT_MOST, growth, of_unit
from tests.memory.recall.hybrid.dates.reading import read


@pytest.mark.parametrize(
    "unit",
    [
        "a",
        "é",
        "e\u0301",
        "1",
        "1.",
        "1-",
        "1 ",
        "2023-",
        "12/",
        "12/13/",
        "31 February ",
        "31 ",
        "next May 13 ",
        "may ",
        "in ",
        "on Monday next week, ",
        "the last week of ",
        "last ",
        "I went out, and then we talked about it. ",
        "hier ",
        "03/13/2099 ",
        "letzten ",
        "в прошлом ",
        "geçen ",
        "年",
        "一",
        "十",
        "2023年",
        "9",
        "先週の",
        "上个",
        "来年の5月",
        "'",
        "-",
        " ",
        "\n",
    ],
    ids=repr,
)
def test_long_text_is_read_in_linear_time(unit: str) -> None:
    read(unit)  # what is made once
    for chars in (1_000, 10_000):
        assert growth(read, of_unit(unit), size=chars) < LINEAR_AT_MOST


def test_nothing_is_read_behind_the_last_range_that_counts() -> None:
    days = " ".join(f"{day} May," for day in range(1, 9))
    assert len(read(days + " and 9 May" * 20_000)) == 8

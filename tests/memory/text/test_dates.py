"""The last day of a fact, as models write it."""

from datetime import date

import pytest

from memory.text.dates import is_plausible_end, parse_day


@pytest.mark.parametrize(
    ("raw", "day"),
    [
        ("2026-10-31", date(2026, 10, 31)),
        (" 2026-10-31T23:59:59Z ", date(2026, 10, 31)),
        ("2026-02", date(2026, 2, 28)),
        ("2026", date(2026, 12, 31)),
        ("2026-02-30", None),
        ("2026-13", None),
        ("0000-01-01", None),
        ("31.10.2026", None),
        ("October", None),
        ("", None),
        (None, None),
        (20261031, None),
        ("２０２６-10-31", None),
    ],
)
def test_a_day_is_read(raw: object, day: date | None) -> None:
    assert parse_day(raw) == day  # type: ignore[arg-type]


def test_an_end_before_it_was_said_or_in_another_lifetime_makes_no_sense() -> None:
    said_on = date(2026, 5, 20)
    assert is_plausible_end(said_on, said_on=said_on)
    assert is_plausible_end(date(2056, 1, 1), said_on=said_on)
    assert not is_plausible_end(date(2026, 5, 19), said_on=said_on)
    assert not is_plausible_end(date(9999, 12, 31), said_on=said_on)

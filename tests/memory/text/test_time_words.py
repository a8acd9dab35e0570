"""How long ago a conversation was, in words."""

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from memory.text.wording import (
    time_words,
)


@pytest.mark.parametrize(
    ("days", "words"),
    [
        (-400, "today"),
        (-1, "today"),
        (0, "today"),
        (1, "yesterday"),
        (2, "2 days ago"),
        (6, "6 days ago"),
        (7, "last week"),
        (13, "last week"),
        (14, "2 weeks ago"),
        (20, "2 weeks ago"),
        (21, "3 weeks ago"),
        (29, "4 weeks ago"),
        (30, "last month"),
        (59, "last month"),
        (60, "2 months ago"),
        (89, "2 months ago"),
        (90, "3 months ago"),
        (365, "12 months ago"),
        (800, "26 months ago"),
    ],
)
def test_time_words_by_days(days: int, words: str) -> None:
    now = datetime(2026, 5, 20, 9, tzinfo=UTC)

    assert time_words(now - timedelta(days=days), now, UTC) == words


def test_the_day_turns_at_local_midnight_not_after_24_hours() -> None:
    now = datetime(2026, 5, 20, 0, 10, tzinfo=UTC)

    assert time_words(now - timedelta(minutes=20), now, UTC) == "yesterday"
    assert time_words(now - timedelta(minutes=20), now, timezone(timedelta(hours=-5))) == "today"
    assert time_words(now - timedelta(minutes=20), now, timezone(timedelta(hours=3))) == "today"


def test_a_short_day_is_a_day() -> None:
    helsinki = ZoneInfo("Europe/Helsinki")  # the clock goes forward in the night to 29 March 2026

    then, now = datetime(2026, 3, 28, 23, 59, tzinfo=helsinki), datetime(2026, 3, 30, 0, 1, tzinfo=helsinki)
    assert time_words(then, now, helsinki) == "2 days ago"


def test_a_naive_time_is_refused() -> None:
    aware, naive = datetime(2026, 5, 20, tzinfo=UTC), datetime(2026, 5, 20)

    for then, now in [(aware, naive), (naive, aware)]:
        with pytest.raises(ValueError, match="has no time zone"):
            time_words(then, now, UTC)

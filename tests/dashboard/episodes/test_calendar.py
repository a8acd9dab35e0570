"""The calendar of episodes: a cell a day, darker where there are more, a link where there is one."""

from datetime import date, datetime, timedelta

import pytest
from django.test import Client

from dashboard.episodes.calendar import EpisodeCalendar, read_calendar
from dashboard.episodes.query_parameters import EpisodesQuery
from tests.conftest import Configure
from tests.dashboard.episodes.episode_rows import DAY, EPISODES, quoted, skipped, told
from tests.dashboard.helpers import Element, find_elements, get_page, visible_text

pytestmark = pytest.mark.django_db

# `now` is Wednesday 20 May 2026, 09:00 UTC.


def calendar(now: datetime, **query: date) -> EpisodeCalendar:
    return read_calendar(EpisodesQuery(**query), now=now)


def counted(shown: EpisodeCalendar) -> dict[date, int]:
    return {cell.day: cell.count for cell in shown.cells if cell.count}


def links(operator: Client, query: str = "") -> list[Element]:
    anchors = find_elements(get_page(operator, f"{EPISODES}?{query}"), "a")
    return [one for one in anchors if "day=" in one["href"] and "aria-label" in one.attributes]


def test_it_works(operator: Client, now: datetime) -> None:
    told("One.", now), told("Two.", now), told("Three.", now - DAY)
    skipped(now)
    shown = links(operator)
    assert [one["aria-label"] for one in shown] == ["Tuesday 19 May: 1 episode", "Wednesday 20 May: 2 episodes"]
    assert shown[0]["href"] == f"{EPISODES}?day=2026-05-19"
    levels = [one["class"].split()[1] for one in find_elements(get_page(operator, EPISODES), "rect", rx="4")]
    assert (levels.count("few"), levels.count("some"), levels.count("many")) == (1, 1, 0)


def test_it_shows_the_window_up_to_today(now: datetime) -> None:
    days = [cell.day for cell in calendar(now).cells]
    assert days[-1] == date(2026, 5, 20)
    assert days[0] == date(2026, 2, 16), "the Monday of the week in which the window begins: 19 February"
    assert days == sorted(set(days))
    assert [cell.day for cell in calendar(now).cells if cell.is_too_old] == [date(2026, 2, day) for day in (16, 17, 18)]


@pytest.mark.parametrize(("window", "weeks"), [(1, 1), (2, 1), (3, 2), (30, 5), (90, 14), (365, 27), (36_500, 27)])
def test_as_many_weeks_as_the_window_touches(now: datetime, configure: Configure, window: int, weeks: int) -> None:
    configure(memory__episodes_recall__max_age_days=window)
    assert calendar(now).weeks == weeks


def test_without_a_window_thirteen_weeks(now: datetime, configure: Configure) -> None:
    configure(memory__episodes_recall__mode="hybrid")
    told("One.", now), quoted("My sledge is red.", now), quoted("My boat leaks.", now - DAY), skipped(now)
    shown = calendar(now)
    assert shown.weeks == 13
    assert counted(shown) == {date(2026, 5, 19): 1, date(2026, 5, 20): 2}
    assert not any(cell.is_too_old for cell in shown.cells)


def test_chats_without_a_summary_count_only_where_they_are_recalled(now: datetime) -> None:
    quoted("My sledge is red.", now)
    assert counted(calendar(now)) == {}


def test_a_day_begins_in_the_operators_zone(now: datetime, configure: Configure) -> None:
    told("Late.", now.replace(hour=13) - DAY)
    assert counted(calendar(now)) == {date(2026, 5, 19): 1}
    configure(time_zone="Pacific/Auckland")
    assert counted(calendar(now)) == {date(2026, 5, 20): 1}


def test_an_hour_that_is_left_out_in_spring_loses_no_episode(configure: Configure) -> None:
    configure(time_zone="Europe/Helsinki", memory__episodes_recall__max_age_days=30)
    change = datetime.fromisoformat("2026-03-29T00:30:00+02:00")
    for hours in range(24):
        told(f"Number {hours}.", change + timedelta(hours=hours))
    shown = counted(calendar(change + timedelta(days=2)))
    assert shown == {date(2026, 3, 29): 23, date(2026, 3, 30): 1}, "that day has 23 hours"


@pytest.mark.parametrize(
    ("most", "steps"),
    [
        (0, ["none", "1", "2", "3 or more"]),
        (3, ["none", "1", "2", "3 or more"]),
        (9, ["none", "1 to 3", "4 to 6", "7 or more"]),
        (10, ["none", "1 to 3", "4 to 6", "7 or more"]),
        (4, ["none", "1", "2", "3 or more"]),
    ],
)
def test_what_the_colours_stand_for(now: datetime, most: int, steps: list[str]) -> None:
    for number in range(most):
        told(f"Number {number}.", now)
    assert [words for _, words in calendar(now).steps] == steps


@pytest.mark.parametrize("most", [3, 4, 5, 10, 11])
def test_each_day_has_the_colour_that_the_legend_says(now: datetime, most: int) -> None:
    for back in range(most + 1):
        for number in range(back):
            told(f"Number {number}.", now - back * DAY)
    shown = calendar(now)
    lowest = {name: int(words.split()[0]) for name, words in shown.steps if words != "none"}
    for cell in shown.cells:
        expected = [name for name, low in lowest.items() if cell.count >= low]
        assert cell.level == (expected[-1] if expected else "none"), (cell.count, shown.steps)


def test_earlier_weeks_and_back(operator: Client, now: datetime) -> None:
    assert "Earlier weeks" not in visible_text(get_page(operator, EPISODES))
    told("Long ago.", now - 120 * DAY)
    (earlier,) = [one for one in find_elements(get_page(operator, EPISODES), "a") if "until=" in one["href"]]
    assert earlier["href"] == f"{EPISODES}?until=2026-02-15"
    (cell,) = links(operator, "until=2026-02-15")
    assert cell["aria-label"] == "Tuesday 20 January: 1 episode, too old to be recalled"
    assert cell["href"] == f"{EPISODES}?day=2026-01-20&until=2026-02-15", "the weeks stay"
    text = visible_text(get_page(operator, f"{EPISODES}?until=2026-02-15"))
    assert "Later weeks Today" in text
    assert "Earlier weeks" not in text


def test_a_day_of_another_time_brings_its_weeks(now: datetime) -> None:
    assert calendar(now, day=date(2026, 1, 20)).last == date(2026, 1, 25)
    assert calendar(now, day=date(2026, 5, 4)).last == date(2026, 5, 20), "what is on today's calendar stays there"
    assert calendar(now, until=date(2030, 1, 1)).last == date(2026, 5, 20)


def test_the_chosen_day_is_marked_and_chosen_off_again(operator: Client, now: datetime) -> None:
    told("One.", now)
    anchors = find_elements(get_page(operator, f"{EPISODES}?day=2026-05-20"), "a", aria_current="date")
    assert [one["href"] for one in anchors] == [EPISODES]


def test_months_stand_above_their_weeks(now: datetime) -> None:
    assert [label.words for label in calendar(now).months] == ["Feb", "Mar", "Apr", "May"]
    assert [label.words for label in calendar(now, until=date(2026, 5, 3)).months] == ["Feb", "Mar", "Apr"], (
        "no room for January above one week"
    )

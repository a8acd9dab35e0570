"""English dates, read on Wednesday 12 June 2024 unless a test says otherwise."""

from datetime import date

import pytest

from tests.memory.recall.hybrid.dates.reading import read


def test_it_works() -> None:
    assert read("What did we plan on 13 October 2023, and what in May?") == ["2023-10-13", "2024-05-01..2024-05-31"]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("13 October 2023", "2023-10-13"),
        ("13 October, 2023", "2023-10-13"),
        ("on 13 October, 2023?", "2023-10-13"),
        ("October 13, 2023", "2023-10-13"),
        ("October 13 2023", "2023-10-13"),
        ("October 13th, 2023", "2023-10-13"),
        ("Oct 13th", "2023-10-13"),
        ("Oct. 13", "2023-10-13"),
        ("on October 13", "2023-10-13"),
        ("october 13", "2023-10-13"),
        ("OCTOBER 13", "2023-10-13"),
        ("the 13th of October", "2023-10-13"),
        ("October the 13th", "2023-10-13"),
        ("the 1st of May", "2024-05-01"),
        ("the weekend of June 8", "2024-06-08"),
        ("since June 8", "2024-06-08..2024-06-12"),
        ("in the week of June 8th, 2023", "2023-06-08"),
        ("May 13", "2024-05-13"),
        ("May 13, 2022", "2022-05-13"),
        ("may 13th", "2024-05-13"),
        ("on may 13", "2024-05-13"),
        ("on 13 may", "2024-05-13"),
        ("13 may 2022", "2022-05-13"),
        ("12 June", "2024-06-12"),
        ("13 June", "2023-06-13"),
        ("3-7 May", "2024-05-03..2024-05-07"),
        ("3 - 7 May 2023", "2023-05-03..2023-05-07"),
        ("May 3–7, 2023", "2023-05-03..2023-05-07"),
        ("from 3 to 7 May", "2024-05-03..2024-05-07"),
        ("10-15 June", "2024-06-10..2024-06-12"),
        ("2023-10-13", "2023-10-13"),
        ("2023-10-13T18:00:00Z", "2023-10-13"),
        ("2023/10/13", "2023-10-13"),
        ("on 2023-10-13.", "2023-10-13"),
        ("13.10.2023", "2023-10-13"),
        ("13-10-2023", "2023-10-13"),
        ("13/10/2023", "2023-10-13"),
        ("10/13/2023", "2023-10-13"),
        ("10/13/23", "2023-10-13"),
        ("what did you say on 03/04/2023", "2023-03-04"),
        ("what did you say on 03.04.2023", "2023-04-03"),
        ("Monday, October 16, 2023", "2023-10-16"),
        ("on Monday, 16 October 2023", "2023-10-16"),
        ("on Monday the 16th of October", "2023-10-16"),
    ],
)
def test_days(message: str, expected: str) -> None:
    assert read(message) == [expected]


def test_a_date_with_one_reading_says_how_the_others_are_written() -> None:
    assert read("what happened between 03/04/2023 and 13/04/2023") == ["2023-04-03", "2023-04-13"]
    assert read("what happened between 04/03/2023 and 04/13/2023") == ["2023-04-03", "2023-04-13"]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("in May", "2024-05-01..2024-05-31"),
        ("in may we went hiking", "2024-05-01..2024-05-31"),
        ("in march", "2024-03-01..2024-03-31"),
        ("in June", "2024-06-01..2024-06-12"),
        ("in July", "2023-07-01..2023-07-31"),
        ("during October", "2023-10-01..2023-10-31"),
        ("in early February", "2024-02-01..2024-02-29"),
        ("in mid-May", "2024-05-01..2024-05-31"),
        ("at the end of April", "2024-04-01..2024-04-30"),
        ("last May", "2024-05-01..2024-05-31"),
        ("last June", "2023-06-01..2023-06-30"),
        ("last October", "2023-10-01..2023-10-31"),
        ("this May", "2024-05-01..2024-05-31"),
        ("in October 2023", "2023-10-01..2023-10-31"),
        ("October 2023", "2023-10-01..2023-10-31"),
        ("Oct 2023", "2023-10-01..2023-10-31"),
        ("in May of 2022", "2022-05-01..2022-05-31"),
        ("in May last year", "2023-05-01..2023-05-31"),
        ("in May of last year", "2023-05-01..2023-05-31"),
        ("last year in May", "2023-05-01..2023-05-31"),
        ("in 2023", "2023-01-01..2023-12-31"),
        ("in 2024", "2024-01-01..2024-06-12"),
        ("since May", "2024-05-01..2024-06-12"),
        ("since 3 May", "2024-05-03..2024-06-12"),
    ],
)
def test_months_and_years(message: str, expected: str) -> None:
    assert read(message) == [expected]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("today", "2024-06-12"),
        ("What did I say this morning?", "2024-06-12"),
        ("tonight", "2024-06-12"),
        ("yesterday", "2024-06-11"),
        ("Yesterday's plan", "2024-06-11"),
        ("last night", "2024-06-11"),
        ("the day before yesterday", "2024-06-10"),
        ("3 days ago", "2024-06-09"),
        ("three days ago", "2024-06-09"),
        ("a day ago", "2024-06-11"),
        ("a couple of days ago", "2024-06-10"),
        ("a few days ago", "2024-06-07..2024-06-10"),
        ("several weeks ago", "2024-05-08..2024-05-29"),
        ("the week before last", "2024-05-27..2024-06-02"),
        ("the weekend before last", "2024-06-01..2024-06-02"),
        ("in May this year", "2024-05-01..2024-05-31"),
        ("a week ago", "2024-06-04..2024-06-06"),
        ("two weeks ago", "2024-05-28..2024-05-30"),
        ("2 weeks ago", "2024-05-28..2024-05-30"),
        ("a month ago", "2024-05-01..2024-05-31"),
        ("three months ago", "2024-03-01..2024-03-31"),
        ("six months ago", "2023-12-01..2023-12-31"),
        ("two years ago", "2022-01-01..2022-12-31"),
        ("last week", "2024-06-03..2024-06-09"),
        ("this week", "2024-06-10..2024-06-12"),
        ("last month", "2024-05-01..2024-05-31"),
        ("this month", "2024-06-01..2024-06-12"),
        ("last year", "2023-01-01..2023-12-31"),
        ("last weekend", "2024-06-08..2024-06-09"),
        ("the last three days", "2024-06-09..2024-06-12"),
        ("in the past two weeks", "2024-05-29..2024-06-12"),
        ("since yesterday", "2024-06-11..2024-06-12"),
        ("since last week", "2024-06-03..2024-06-12"),
        ("on Monday", "2024-06-10"),
        ("on Wednesday", "2024-06-05"),
        ("last Friday", "2024-06-07"),
        ("last Tuesday", "2024-06-11"),
        ("this Tuesday", "2024-06-11"),
        ("since Monday", "2024-06-10..2024-06-12"),
        ("on Tuesday of last week", "2024-06-04"),
        ("Tuesday last week", "2024-06-04"),
        ("this summer", "2024-06-01..2024-06-12"),
        ("this spring", "2024-03-01..2024-05-31"),
        ("last summer", "2023-06-01..2023-08-31"),
        ("last winter", "2023-12-01..2024-02-29"),
        ("last fall", "2023-09-01..2023-11-30"),
        ("in the summer of 2022", "2022-06-01..2022-08-31"),
        ("in fall 2022", "2022-09-01..2022-11-30"),
    ],
)
def test_days_told_from_today(message: str, expected: str) -> None:
    assert read(message) == [expected]


@pytest.mark.parametrize(
    "message",
    [
        "",
        "May I ask you something?",
        "I may go, and you may 13 times ask",
        "the city I live in may be too loud",
        "March on, soldiers! The march was long, we march 5 abreast",
        "May sat on the second bench, and will fall asleep in a second",
        "in the fall he broke his leg",
        "my sister April, and June, and August are coming",
        "Mr March and Mrs May",
        "a mar of 5, the sun, a dec, an oct, the sat nav, on and on",
        "I have 13. October is a month",
        "next Monday",
        "on Monday next week",
        "until yesterday, by May 13",
        "on Mondays",
        "every Monday",
        "next May 13",
        "every 13 May",
        "next week, next month and next year",
        "tomorrow and the day after tomorrow",
        "in two weeks",
        "at the last minute, for the last time",
        "the last week of the holidays",
        "the last day",
        "this time last, at last",
        "31 February",
        "February 30, 2024",
        "29 February 2023",
        "2023-02-31",
        "31.02.2023",
        "13/13/2023",
        "2024-13-01",
        "0 May",
        "32 May",
        "13 October 2024",
        "2024-06-13",
        "in 2025",
        "in July 2024",
        "this Friday",
        "this December",
        "version 1.2.2023.4, 10.13.20.23, v1.2.2023 and 3.10.",
        "24/7, 1/2, 3/4 and 9-5",
        "Python 3.10. Is it good?",
        "call 2023-10-1345 or 12-34-5678-90",
        "2023 people paid 1999 dollars",
        "0 days ago",
        "99999 days ago",
        "9999 years ago",
        "two hours ago",
        "Spring Boot in Spring, Winter is coming",
        "second to none, 5 seconds ago",
        "a Friday in the park, Black Friday, Monday blues",
        "7-3 May",
    ],
)
def test_what_is_no_day_that_has_been(message: str) -> None:
    assert read(message) == []


@pytest.mark.parametrize(
    ("message", "today", "expected"),
    [
        ("yesterday", date(2024, 1, 1), ["2023-12-31"]),
        ("yesterday", date(2024, 3, 1), ["2024-02-29"]),
        ("the day before yesterday", date(2023, 3, 1), ["2023-02-27"]),
        ("last month", date(2024, 1, 31), ["2023-12-01..2023-12-31"]),
        ("last month", date(2024, 3, 31), ["2024-02-01..2024-02-29"]),
        ("two months ago", date(2024, 1, 15), ["2023-11-01..2023-11-30"]),
        ("this month", date(2024, 3, 1), ["2024-03-01"]),
        ("last year", date(2024, 1, 1), ["2023-01-01..2023-12-31"]),
        ("last week", date(2024, 1, 1), ["2023-12-25..2023-12-31"]),
        ("last week", date(2024, 1, 7), ["2023-12-25..2023-12-31"]),
        ("last weekend", date(2024, 6, 9), ["2024-06-01..2024-06-02"]),
        ("last weekend", date(2024, 6, 10), ["2024-06-08..2024-06-09"]),
        ("this weekend", date(2024, 6, 8), ["2024-06-08"]),
        ("this weekend", date(2024, 6, 7), []),
        ("last Sunday", date(2024, 6, 9), ["2024-06-02"]),
        ("on Sunday", date(2024, 6, 10), ["2024-06-09"]),
        ("in December", date(2024, 12, 1), ["2024-12-01"]),
        ("in December", date(2024, 11, 30), ["2023-12-01..2023-12-31"]),
        ("31 December", date(2024, 1, 1), ["2023-12-31"]),
        ("1 January", date(2024, 1, 1), ["2024-01-01"]),
        ("29 February", date(2024, 2, 28), ["2020-02-29"]),
        ("29 February", date(2024, 2, 29), ["2024-02-29"]),
        ("29 February", date(2023, 6, 1), ["2020-02-29"]),
        ("29 February", date(1903, 6, 1), ["1896-02-29"]),
        ("last winter", date(2024, 2, 29), ["2022-12-01..2023-02-28"]),
        ("last winter", date(2024, 3, 1), ["2023-12-01..2024-02-29"]),
        ("this winter", date(2024, 1, 10), ["2023-12-01..2024-01-10"]),
        ("this winter", date(2024, 11, 10), []),
        ("this summer", date(2024, 10, 1), ["2024-06-01..2024-08-31"]),
        ("this summer", date(2024, 5, 31), []),
        ("last summer", date(2024, 9, 1), ["2024-06-01..2024-08-31"]),
        ("last summer", date(2024, 8, 31), ["2023-06-01..2023-08-31"]),
    ],
)
def test_edges_of_months_and_years(message: str, today: date, expected: list[str]) -> None:
    assert read(message, today) == expected


def test_ranges_keep_their_order_and_come_once() -> None:
    assert read("yesterday, in May, on 11 June and yesterday") == ["2024-06-11", "2024-05-01..2024-05-31"]


def test_the_first_eight_count() -> None:
    assert read(" ".join(f"{day} May," for day in range(1, 20))) == [f"2024-05-0{day}" for day in range(1, 9)]

"""Tables of words and phrases become a grammar, in any language."""

from datetime import date

import pytest

from memory.recall.hybrid.dates.grammar import Grammar
from memory.recall.hybrid.dates.languages import GRAMMARS
from memory.recall.hybrid.dates.tokens import folded, tokens_of
from tests.memory.recall.hybrid.dates.reading import read

LATIN = Grammar(
    "latin",
    """
    month: ianuarius februarius
        martius|martio
    n: unus|una duo
    unit: dies hebdomas
    last: proximus
    """,
    """
    ago: ante {n} [totos] {unit}
    relative relative=1: heri|hesterno die
    """,
)


def found(text: str) -> tuple[str, dict[str, int], int] | None:
    phrase = LATIN.longest(tokens_of(text), 0)
    return (phrase.kind, dict(phrase.values), phrase.end) if phrase else None


def test_it_works() -> None:
    assert found("13 Martius 2023") == ("day", {"day": 13, "month": 3, "year": 2023}, 3)


def test_the_place_of_a_word_is_its_value() -> None:
    assert found("ante duo dies") == ("ago", {"n": 2, "unit": 0}, 3)
    assert found("ante una hebdomas") == ("ago", {"n": 1, "unit": 1}, 3)


def test_a_number_may_stand_for_a_word_of_numbers() -> None:
    assert found("ante 12 dies") == ("ago", {"n": 12, "unit": 0}, 3)


def test_a_part_may_be_missing() -> None:
    assert found("ante duo totos dies") == ("ago", {"n": 2, "unit": 0}, 4)


def test_a_phrase_may_set_a_value() -> None:
    assert found("hesterno die") == ("relative", {"relative": 1}, 2)


def test_the_longest_phrase_is_found() -> None:
    assert found("13 Martius") == ("day", {"day": 13, "month": 3}, 2)
    assert found("13 Martius , ante") == ("day", {"day": 13, "month": 3}, 2)


def test_a_phrase_that_breaks_off_is_none() -> None:
    assert found("ante duo") is None
    assert found("heri ante") is None
    assert found("") is None


def test_beginnings_say_what_may_follow() -> None:
    beginnings = LATIN.beginnings()
    assert beginnings["ante"] == {"unus", "una", "duo", "0"}
    assert "ante" not in beginnings["heri"]
    assert "martio" in beginnings["0"]


@pytest.mark.parametrize(("word", "expected"), [("Août", "aout"), ("İKİ", "iki"), ("Źdźbło", "zdzblo"), ("Май", "май")])
def test_words_lose_case_and_accents(word: str, expected: str) -> None:
    assert folded(word) == expected


@pytest.mark.parametrize("grammar", GRAMMARS, ids=lambda grammar: grammar.name)
def test_every_language_has_twelve_months_and_seven_weekdays(grammar: Grammar) -> None:
    tokens = {word: tokens_of(f"13 {word} 2023") for word in grammar.words("name")}
    months = {phrase.values["month"] for each in tokens.values() if (phrase := grammar.longest(each, 0))}
    assert months == set(range(1, 13))
    assert len(grammar.words("weekday")) >= 7
    assert len(grammar.words("common")) >= 10


def test_a_lone_surrogate_is_read_over() -> None:
    assert read("\ud83c on 13 May \udfff") == ["2024-05-13"]


@pytest.mark.parametrize("today", [date.min, date.max])
@pytest.mark.parametrize(
    "message",
    ["yesterday", "2 weeks ago", "last month", "last year", "last winter", "13 October", "29 February", "this week"],
)
def test_the_ends_of_the_calendar_raise_nothing(message: str, today: date) -> None:
    assert len(read(message, today)) <= 1

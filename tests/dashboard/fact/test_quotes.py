"""A value in the words it was said in: pieces of text, the value's marked."""

import pytest

from dashboard.fact.quotes import QUOTE_CHARS, Quote, find_quote
from memory.events import ChatCompleted, Message


def chat(*said: str, new: list[int] | None = None) -> ChatCompleted:
    return ChatCompleted(messages=[Message(role="user", content=words) for words in said], new_messages=new)


def found(value: str, *said: str) -> Quote:
    result = find_quote(chat(*said), value)
    assert result is not None
    return result


def marks(result: Quote) -> list[str]:
    return [piece.text for piece in result.pieces if piece.is_marked]


def text(result: Quote) -> str:
    return "".join(piece.text for piece in result.pieces)


def test_it_works() -> None:
    result = found("Beans", "My dog's name is Beans, she is a beagle.")
    assert [(piece.text, piece.is_marked) for piece in result.pieces] == [
        ("My dog's name is ", False),
        ("Beans", True),
        (", she is a beagle.", False),
    ]
    assert result.is_literal


@pytest.mark.parametrize(
    ("value", "said", "marked"),
    [
        ("beans", "BEANS and Beans", ["BEANS", "Beans"]),
        ("Käse", "wir lieben KÄSE", ["KÄSE"]),
        ("green tea", "I like green\n  tea", ["green tea"]),
        ("Al", "Al is always late", ["Al"]),
        ("Al", "always", []),
        ("beans", "a beanstalk", ["beans"]),
        ("犬", "私の犬は", ["犬"]),
        ("C++", "I write C++.", ["C++"]),
        ("a.c", "abc a.c", ["a.c"]),
        ("🐶", "my 🐶!", ["🐶"]),
        ("(x", "what (x means", ["(x"]),
        ("\u202eBeans", "Be\u200bans", ["Beans"]),
    ],
)
def test_the_whole_value_is_marked_wherever_it_stands(value: str, said: str, marked: list[str]) -> None:
    assert marks(found(value, said)) == marked


def test_words_of_the_value_are_marked_where_the_whole_is_not_there() -> None:
    result = found("coffee black, no sugar", "I take my Coffee black and without any sugar, no milk")
    assert marks(result) == ["Coffee", "black", "sugar"]
    assert not result.is_literal
    assert result.has_marks


def test_words_that_say_nothing_are_not_marked() -> None:
    result = found("the one with you", "one for the road with you")
    assert marks(result) == ["one"]


def test_what_was_worked_out_is_quoted_without_marks() -> None:
    result = found("vegetarian", "I never eat meat")
    assert text(result) == "I never eat meat"
    assert not result.has_marks


def test_the_new_words_come_before_earlier_ones() -> None:
    result = find_quote(chat("Beans first", "Beans then", new=[1]), "Beans")
    assert result is not None
    assert text(result) == "Beans then"
    earlier = find_quote(chat("Beans first", "nothing", new=[1]), "Beans")
    assert earlier is not None
    assert text(earlier) == "Beans first", "better than words that do not hold it"


def test_only_the_operator_is_quoted() -> None:
    messages = [Message(role="assistant", content="Beans!"), Message(role="system", content="Beans")]
    assert find_quote(ChatCompleted(messages=messages, reply="Beans"), "Beans") is None
    picture = [Message(role="user", content=[{"type": "image_url"}])]
    assert find_quote(ChatCompleted(messages=picture), "Beans") is None


def test_a_long_message_is_cut_around_the_mark() -> None:
    result = found("Beans", "before " * 100 + "Beans " + "after " * 100)
    assert marks(result) == ["Beans"]
    assert text(result).startswith("…before ")
    assert text(result).endswith("…")
    assert len(text(result)) <= QUOTE_CHARS + 2
    assert not text(result).startswith("…efore")


def test_a_long_value_in_a_long_word_is_cut_too() -> None:
    result = found("x" * 500, "y" * 300 + "x" * 500 + "z" * 300)
    assert len(text(result)) <= QUOTE_CHARS + 2
    assert set(marks(result)[0]) == {"x"}


def test_a_blank_value_marks_nothing() -> None:
    assert marks(found(" ", "some words")) == []

"""Sentences and their hashes: what is the same statement, and what is another (decision 25)."""

import pytest

from memory.text import sentences
from tests.growth import LINEAR_AT_MOST, growth, of_unit

PORTLAND = "I live in Portland."


def said(text: str) -> list[str]:
    return [text[one.start : one.end] for one in sentences.split(text)]


def test_it_works() -> None:
    assert said("Hi! My cat is Zoé. v1.2 costs 3.5 dollars?\nOk") == [
        "Hi!",
        "My cat is Zoé.",
        "v1.2 costs 3.5 dollars?",
        "Ok",
    ]


@pytest.mark.parametrize(
    "again",
    [
        "i live in PORTLAND",
        "I live  in\tPortland .",
        "> **I live in Portland.**",
        "“I live in Portland.”",
        "I live in Portland. (edited)",
        "[2026-05-20 09:00] I live in Portland.",
        "2026-05-20T09:00:00Z I live in Portland.",
        "User: I live in Portland.",
        "I live in Portland.\n\n[Current time: 09:00]",
        "I live in Portland.\r\n\r\n(sent on Monday, 09:00)",
    ],
)
def test_marks_case_and_spacing_make_no_difference(again: str) -> None:
    assert sentences.identity(again) == sentences.identity(PORTLAND)


@pytest.mark.parametrize(
    "other",
    [
        "I live in Portland?",
        "I live in Portland, Maine.",
        "I live in Port land.",
        "I don't live in Portland.",
        "I live in Portland. [not any more]",
        "I live in Portland (Maine).",
    ],
)
def test_other_words_do(other: str) -> None:
    assert sentences.identity(other) != sentences.identity(PORTLAND)


@pytest.mark.parametrize(("one", "other"), [("I know C.", "I know C++."), ("C", "C#"), ("I feel 😀", "I feel 😢")])
def test_signs_that_make_another_word(one: str, other: str) -> None:
    assert sentences.identity(one) != sentences.identity(other)


@pytest.mark.parametrize(
    ("one", "other"), [("a == b", "a != b"), ("if (a<=b)", "if (a>=b)"), ("x += 1", "x -= 1"), ("a && b", "a || b")]
)
def test_operators_between_words_of_code(one: str, other: str) -> None:
    assert sentences.identity(one) != sentences.identity(other)


@pytest.mark.parametrize("marked", ["==a== b", "a **b**", "> a b", "- a b", "a -- b", "__a__ b", "a\n===\nb", "=> a b"])
def test_marks_that_are_no_operators(marked: str) -> None:
    assert sentences.identity(marked) == sentences.identity("a b")


def test_text_without_words_has_no_identity() -> None:
    assert sentences.identity("?! ...") == ""


@pytest.mark.parametrize("end", ["\u2028", "\u2029", "\x85", "\v", "\f", "\r", "\r\n"])
def test_every_kind_of_line_end_ends_a_sentence(end: str) -> None:
    text = f"My name is Bob{end}I live in Rome"
    assert said(text) == ["My name is Bob", "I live in Rome"]


def test_scripts_without_blanks() -> None:
    assert said("我叫王芳。我住在上海！今天好吗？") == ["我叫王芳。", "我住在上海！", "今天好吗？"]
    assert sentences.words_of("我住在上海！") == ("我", "住", "在", "上", "海")


def test_a_part_of_a_sentence_is_found_in_its_text() -> None:
    text = "So: *I* live in Portland what should I cook?"
    (sentence,) = sentences.split(text)
    found = sentences.locate(text, sentence, 1, 5)
    assert found is not None
    assert text[slice(*found)] == "I* live in Portland"


@pytest.mark.parametrize("shape", ["word ", "[", "(a", "?", ". ", 'a?"', "12:00\n", "[1", "> ", "我", "user:\n"])
def test_long_text_is_split_in_linear_time(shape: str) -> None:
    assert growth(sentences.split, of_unit(shape), size=20_000) <= LINEAR_AT_MOST


def test_words_under_many_marks_are_read_in_linear_time() -> None:
    assert growth(sentences.words_of, lambda chars: "a" + "\u0301\u0323" * (chars // 2), size=8_000) <= LINEAR_AT_MOST

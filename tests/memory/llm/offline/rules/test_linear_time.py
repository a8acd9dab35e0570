"""The offline rules read any text in time that is linear in its length."""

import pytest

from memory.llm.offline.rules import Turn, facts_in
from tests.growth import LINEAR_AT_MOST, growth, of_unit

CHARS = (4_000, 20_000)
"""The short length shows code that is far from linear before the long one would take for ever."""


def read(text: str) -> None:
    facts_in([Turn("operator", text, True)], [])


@pytest.mark.parametrize(
    ("unit", "end"),
    [("ha", "x"), ("oh, ", "x"), ("lol ", "x"), ("😂", "x"), ("Tom said in the a ", "?")],
    ids=lambda part: repr(part[:12]),
)
def test_a_repeated_word_costs_no_more_time(unit: str, end: str) -> None:
    """In one sentence, up to the longest that is read."""
    assert growth(read, lambda chars: "\n".join([unit * (chars // len(unit)) + end] * 100), size=95) < LINEAR_AT_MOST


@pytest.mark.parametrize(
    ("start", "unit", "end"),
    [
        ("", " ", ""),
        ("", "a", ""),
        ("", "\n", ""),
        ("", "I live in ", ""),
        ("", "I live in Oslo. ", ""),
        ("", "“", ""),
        ("", "“”", ""),
        ("", " '", ""),
        ("", " 'a", ""),
        ("", '"a', ""),
        ("", "my dog ", ""),
        ("", "my dog Beans, ", ""),
        ("", "A", ""),
        ("I am a ", "very ", "nurse."),
        ("", "```\n", ""),
        ("", "I like my coffee black, no sugar, no milk, ", ""),
        ("", "I am a big fan of nuts and " * 14 + ". ", ""),
        ("", "Tom said ", ""),
        ("said Tom", ".", "x"),
        ("", "Tom: I live\n", ""),
        ("", "- Tom\n", ""),
        ("", "Sorry, no wait. ", ""),
        ("", "é'", ""),
        ("", "ich wohne in ", ""),
        ("", "Ich mag Tee und ", ""),
        ("", "j'ai un chat, ", ""),
        ("", "me gusta el ", ""),
        ("", "mój pies ", ""),
        ("", "у меня ", ""),
        ("", "kedimin adı ", ""),
        ("", "私は", ""),
        ("", "アレルギー、", ""),
        ("", "我喜欢", ""),
        ("", "我家的狗叫。", ""),
    ],
    ids=lambda part: repr(part[:12]),
)
def test_long_text_is_read_in_linear_time(start: str, unit: str, end: str) -> None:
    for chars in CHARS:
        assert growth(read, of_unit(unit, before=start, after=end), size=chars) < LINEAR_AT_MOST

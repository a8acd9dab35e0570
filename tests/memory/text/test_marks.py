"""Unicode's normal forms of any text, in linear time."""

import random
import unicodedata
from collections.abc import Callable
from typing import get_args

import pytest

from memory.text import lines, normalising
from memory.text.marks import Form, normalised
from tests.growth import LINEAR_AT_MOST, growth

ALL = [chr(number) for number in range(0x110000)]
MARKS = [one for one in ALL if unicodedata.combining(unicodedata.normalize("NFKD", one)[0])]
every_form = pytest.mark.parametrize("form", get_args(Form))


@every_form
def test_it_works(form: Form) -> None:
    assert normalised("Cafe\u0301", form) == "Café"


@every_form
@pytest.mark.parametrize("seed", range(20))
def test_any_run_of_marks_comes_out_as_from_the_standard_library(form: Form, seed: int) -> None:
    picked = random.Random(seed)  # noqa: S311 (no secret)
    letters = picked.choices([*MARKS, *"aeéİ가ㄱᅡᆨ"], k=2_000)
    for length in (1, 15, 16, 17, 200):
        texts = ["".join(letters[start : start + length]) for start in range(0, len(letters), length)]
        assert [normalised(text, form) for text in texts] == [unicodedata.normalize(form, text) for text in texts]


@pytest.mark.parametrize(
    "marks", ["\u0316\u0300", "\u0300\u0316", "\u0f73", "\uff9e\u0301", "\u0344\u0316", "a\u0301", "\U0001f468\u200d"]
)
@pytest.mark.parametrize("read", [lines.one_line, normalising.message_hash, normalising.is_secret])
def test_marks_in_any_order_take_linear_time(read: Callable[[str], object], marks: str) -> None:
    read("a" + marks * 100)  # what is made once
    assert growth(read, lambda chars: "a" + marks * (chars // len(marks)), size=4_000) < LINEAR_AT_MOST

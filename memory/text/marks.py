"""Unicode's normal forms in linear time, whatever the text. Standard library only.

Python puts combining marks in order by inserting each where it belongs, which takes quadratic time where thousands
follow one letter in the wrong order. Here a run of marks is sorted first; what comes out is the same.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import Literal

Form = Literal["NFC", "NFKC"]

_DECOMPOSED: dict[Form, Literal["NFD", "NFKD"]] = {"NFC": "NFD", "NFKC": "NFKD"}
_FEW = 16
_CODE_POINTS = range(0x300, 0x20000)  # all marks; what is above are ideographs, tags and private use


def normalised(text: str, form: Form) -> str:
    """`text` in this normal form of Unicode."""
    if unicodedata.is_normalized(form, text):
        return text
    decomposed = _DECOMPOSED[form]
    sorted_runs = _runs_of_marks(decomposed).sub(lambda run: _sorted(run[0], decomposed), text)
    return unicodedata.normalize(form, sorted_runs)


def _sorted(run: str, decomposed: Literal["NFD", "NFKD"]) -> str:
    """A run of marks in the order that Unicode gives them; marks of one class stay as they stood."""
    marks = "".join(unicodedata.normalize(decomposed, mark) for mark in run)
    return "".join(sorted(marks, key=unicodedata.combining))


@cache
def _runs_of_marks(decomposed: Literal["NFD", "NFKD"]) -> re.Pattern[str]:
    """Matches runs of many characters that join the letter before them, or that stand for such. Made when needed."""
    return re.compile(f"[{''.join(_marks(decomposed))}]{{{_FEW},}}")


def _marks(decomposed: Literal["NFD", "NFKD"]) -> Iterator[str]:
    for character in map(chr, _CODE_POINTS):
        if unicodedata.combining(unicodedata.normalize(decomposed, character)[0]):
            yield character

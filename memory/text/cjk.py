r"""Chinese and Japanese in a full-text index: neither puts blanks between words, so pairs of characters are indexed.

Every pair of neighbours of a run is a word of the index, and the run's last character is one: a search for a word from
the middle of a sentence asks for the pairs in it, one for a single character for what begins with it. Pure.
"""

import re
import unicodedata

CHARACTERS = (
    r"\u3005-\u3007\u3021-\u3029\u3031-\u3035\u303b\u303c"  # marks of repetition, numerals
    r"\u3041-\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"  # kana
    r"\u3105-\u312f\u31a0-\u31bf"  # bopomofo
    r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # ideographs
)
"""The inside of a character class, for Python and for PostgreSQL. An index that is there depends on it."""

MAX_CHARS = 40_000
"""How many of these characters are indexed of one text, its last: PostgreSQL takes a megabyte of words a row."""

_RUN = re.compile(f"([{CHARACTERS}]+)")
_OTHERS = re.compile(f"[^{CHARACTERS}]+")
_PAIR = re.compile("([^ ]{2})")
_FIRST = re.compile("(^| )[^ ]")


def has_cjk(text: str) -> bool:
    """Whether there is such a character in a text."""
    return _RUN.search(text) is not None


def split_runs(word: str) -> list[str]:
    """A word cut between scripts: "iPhone15手机" -> ["iPhone15", "手机"]."""
    return [piece for piece in _RUN.split(word) if piece]


def search_words(text: str) -> str:
    """A text as it is indexed: as it is, but for runs of these characters, whose pairs come behind the rest.

    Changing what comes out needs a migration that indexes again. Linear in the length.
    """
    if not has_cjk(text):
        return text
    runs = unicodedata.normalize("NFC", _OTHERS.sub(" ", text)[-MAX_CHARS:])
    shifted = _FIRST.sub(r"\1", runs)
    return " ".join([_RUN.sub(" ", text), _PAIR.sub(r"\1 ", runs), _PAIR.sub(r"\1 ", shifted)])


def pairs(run: str) -> list[str]:
    """The words of the index that a run is found by: its pairs; itself where it is one character."""
    run = unicodedata.normalize("NFC", run)
    return [run[place : place + 2] for place in range(len(run) - 1)] or [run]

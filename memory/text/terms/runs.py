"""A text cut into runs of letters and digits of one way of writing."""

import re
from functools import lru_cache
from typing import Literal

from memory.text.cjk import CHARACTERS
from memory.text.sentences import MARKS

Script = Literal["latin", "cyrillic", "arabic", "cjk", "hangul", "thai", "other"]

_HANGUL = r"\uac00-\ud7a3"
_THAI = r"\u0e01-\u0e3a\u0e40-\u0e4e"
_LETTER = rf"[^\W_{CHARACTERS}{_HANGUL}{_THAI}][{MARKS}]*"
_RUN = re.compile(rf"(?:{_LETTER})+(?:'(?:{_LETTER})+)*|[{CHARACTERS}]+|[{_HANGUL}]+|[{_THAI}]+")
_ASCII_RUN = re.compile(r"[a-z0-9]+(?:'[a-z0-9]+)*")
_SCRIPTS: tuple[tuple[Script, re.Pattern[str]], ...] = (
    ("latin", re.compile(r"[0-9a-z\u00aa-\u024f\u1e00-\u1eff\ufb00-\ufb06\uff10-\uff5a]")),
    ("cyrillic", re.compile(r"[\u0400-\u052f]")),
    ("arabic", re.compile(r"[\u0600-\u06ff\u0750-\u077f]")),
    ("cjk", re.compile(f"[{CHARACTERS}]")),
    ("hangul", re.compile(f"[{_HANGUL}]")),
    ("thai", re.compile(f"[{_THAI}]")),
)


def runs(text: str) -> list[str]:
    """The words of a text in small letters, apostrophes inside them: "don't call me@x.org" -> don't, call, me, x, org.

    Where no blanks stand between words, the whole stretch of one script. Linear in the length.
    """
    return (_ASCII_RUN if text.isascii() else _RUN).findall(text)


def script_of(run: str) -> Script:
    """How a run is written, by its first character; digits count as Latin letters."""
    return _script_of_character(run[0])


@lru_cache(4_096)
def _script_of_character(character: str) -> Script:
    return next((script for script, letters in _SCRIPTS if letters.match(character)), "other")

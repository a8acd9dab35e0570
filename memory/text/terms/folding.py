"""Text in small letters, and words without their accents: what is typed with and without them is to meet."""

import re
import unicodedata

from memory.text.lines import one_line
from memory.text.marks import normalised

_ACCENTS = re.compile(
    r"[\u0300-\u036f"  # of Latin, Greek and Cyrillic letters
    r"\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"  # Hebrew points
    r"\u0610-\u061a\u0640\u064b-\u065f\u0670]+"  # Arabic vowels and hamzas, and the stroke that lengthens a word
)
_PLAIN = str.maketrans(
    {"ı": "i", "ł": "l", "ø": "o", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe", "þ": "th", "ى": "ي", "ی": "ي", "ک": "ك"}
)
_APOSTROPHES = "\u2018\u2019\u02bc\u00b4\uff07"


def small(text: str, *, language: str) -> str:
    """The text in NFC and small letters, on one line, without invisible characters, every apostrophe straight.

    `language` matters for Turkish, where the small I has no dot. Linear in the length.
    """
    if text.isascii():
        return (text.replace("I", "ı") if language == "tr" else text).lower()
    line = one_line(text).replace("İ", "i")
    if language == "tr":
        line = line.replace("I", "ı")
    for apostrophe in _APOSTROPHES:
        line = line.replace(apostrophe, "'")
    return line.casefold()


def compatible(run: str) -> str:
    """Letters and digits of a run in NFKC and small letters: "ｃａｆｅ" -> "cafe", "ｶﾞ" -> "ガ", "m²" -> "m2"."""
    return normalised(run, "NFKC").casefold()


def folded(word: str) -> str:
    """A word in small letters without accents, points and strokes: "café" -> "cafe", "łódź" -> "lodz".

    Only of scripts in which the letters alone can be read; the vowel signs of Indian scripts stay.
    """
    if word.isascii():
        return word
    bare = _ACCENTS.sub("", unicodedata.normalize("NFD", word))
    return unicodedata.normalize("NFC", bare.translate(_PLAIN))

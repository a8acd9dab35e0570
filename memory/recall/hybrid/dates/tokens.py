"""A message as tokens: words without case and accents, numbers, dates in figures, and the marks between them. Pure."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Literal, NamedTuple

# Hyphens and apostrophes only part words, but for a hyphen before a number ("3-7 May") and a few words ("week-end").
_TOKEN = re.compile(
    r"""
      (?P<figures> (?<! [\w.:/-] ) (?: \d{4} ([-/.]) \d{1,2} \2 \d{1,2} (?= T\d | (?! [\w/-] | [.:]\d ) )
                                     | \d{1,2} ([-/.]) \d{1,2} \3 (?: \d{4} | \d{2} ) (?! [\w/-] | [.:]\d )
                                     | \d{1,2} \. \d{1,2} \. (?! \d ) ) )
    | (?P<number> \d+ )
    | (?P<word> [^\W\d_]+ (?: - (?: feira | end | hier ) \b )? )
    | (?P<mark> [-–—] (?= \s? \d ) | [^\w\s'’ʼ_–—-] )
    """,  # noqa: RUF001
    re.VERBOSE | re.IGNORECASE,
)
_PLAIN = str.maketrans({"ł": "l", "ı": "i", "–": "-", "—": "-"})  # noqa: RUF001
_LONGEST_WORD = 24
"""Longer words are no dates; nobody has to fold them."""


class Token(NamedTuple):
    kind: Literal["figures", "number", "word", "mark"]
    text: str
    """Of words without case and accents."""
    start: int
    is_lower_case: bool = False


def tokens_of(message: str) -> list[Token]:
    """The tokens of a message, in NFC, in their order. Linear in its length."""
    return list(_tokens(message))


def _tokens(message: str) -> Iterator[Token]:
    for match in _TOKEN.finditer(message):
        text, start = match[0], match.start()
        if match["word"]:
            yield Token("word", folded(text), start, text[0].islower())
        elif match["number"]:
            yield Token("number", text, start)
        elif match["figures"]:
            yield Token("figures", text, start)
        else:
            yield Token("mark", text.translate(_PLAIN), start)


def folded(word: str) -> str:
    """A word without case and accents: "Août" -> "aout"."""
    if word.isascii() or len(word) > _LONGEST_WORD:
        return word.lower()
    letters = unicodedata.normalize("NFKD", word.lower().translate(_PLAIN))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))

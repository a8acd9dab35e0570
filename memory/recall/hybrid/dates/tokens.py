"""A message as tokens: words without case and accents, numbers, dates in figures, and the marks between them. Pure."""

import re
import unicodedata
from typing import Literal, NamedTuple

# Hyphens and apostrophes only part words, but for a hyphen before a number ("3-7 May") and a few words ("week-end").
_TOKEN = re.compile(
    r"""
      (?P<word> [^\W\d_]+ (?: - (?: feira | end | hier ) \b )? )
    | (?P<figures> (?<! [\w.:/-] ) (?: \d{4} ([-/.]) \d{1,2} \3 \d{1,2} (?= T\d | (?! [\w/-] | [.:]\d ) )
                                     | \d{1,2} ([-/.]) \d{1,2} \4 (?: \d{4} | \d{2} ) (?! [\w/-] | [.:]\d )
                                     | \d{1,2} \. \d{1,2} \. (?! \d ) ) )
    | (?P<number> \d+ )
    | (?P<mark> [-–—] (?= \s? \d ) | [^\w\s'’ʼ_–—-] )
    """,
    re.VERBOSE,
)
_HYPHENS = str.maketrans("–—", "--")
_LATIN = range(0xC0, 0x250)
_PLAIN: dict[int, str | None] = {
    **{number: unicodedata.normalize("NFD", chr(number))[0] for number in _LATIN},
    **str.maketrans({"ł": "l", "ı": "i", "º": "o", "ё": "е", "\u0307": None}),
}
"""Latin letters without their accents. The dot is what is left of a small İ."""


class Token(NamedTuple):
    kind: Literal["figures", "number", "word", "mark"]
    text: str
    """Of words without case and accents."""
    start: int
    is_lower_case: bool = False


def tokens_of(message: str) -> list[Token]:
    """The tokens of a message, in NFC, in their order. Linear in its length."""
    return [_token(match) for match in _TOKEN.finditer(message)]


def _token(found: re.Match[str]) -> Token:
    text, start = found[0], found.start()
    match found.lastgroup:
        case "word":
            return Token("word", folded(text), start, text[0].islower())
        case "mark":
            return Token("mark", text.translate(_HYPHENS), start)
        case "number":
            return Token("number", text, start)
        case _:
            return Token("figures", text, start)


def folded(word: str) -> str:
    """A word in NFC without case and accents: "Août" -> "aout"."""
    return word.lower() if word.isascii() else word.lower().translate(_PLAIN)

"""A stand-in for the words of a text: lower case, without the commonest English ones, no stemmer."""

import re
import unicodedata

_WORD = re.compile(r"[^\W_]+")
_STOP = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "been",
        "but",
        "by",
        "can",
        "could",
        "did",
        "do",
        "does",
        "for",
        "from",
        "had",
        "has",
        "have",
        "he",
        "her",
        "his",
        "how",
        "i",
        "if",
        "in",
        "is",
        "it",
        "its",
        "me",
        "my",
        "of",
        "on",
        "or",
        "our",
        "she",
        "should",
        "so",
        "that",
        "the",
        "their",
        "them",
        "there",
        "they",
        "this",
        "to",
        "was",
        "we",
        "were",
        "what",
        "when",
        "where",
        "which",
        "who",
        "why",
        "will",
        "with",
        "would",
        "you",
        "your",
        "s",
        "t",
        "m",
        "re",
        "ve",
        "ll",
        "d",
        "not",
        "no",
    ]
)


def language_of(text: str) -> str:
    """The language whose rules a text's words go by."""
    return "en"


def terms(text: str, *, language: str) -> list[str]:
    """The words of a text, in their order."""
    words = _WORD.findall(unicodedata.normalize("NFC", text).lower())
    return [word for word in words if word not in _STOP]

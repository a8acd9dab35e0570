"""When a learned fact is the one that was expected, or one that is forbidden. Pure.

Texts are compared in one normal form: NFKC, case folded, everything but letters and digits as a space.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from fnmatch import fnmatchcase

_ENOUGH_F1 = 0.6


def normalised(text: str) -> str:
    """The form in which texts are compared; "" where there is no letter and no digit."""
    return re.sub(r"\W+", " ", unicodedata.normalize("NFKC", text).casefold()).strip()


def value_matches(value: str, accepted: Iterable[str]) -> bool:
    """Whether one of the accepted values begins a word of `value`, or shares most of its words (token F1 of 0.6)."""
    words = normalised(value)
    return any(_matches(words, normalised(other)) for other in accepted)


def _matches(words: str, expected: str) -> bool:
    return bool(expected) and f" {expected}" in f" {words}" or _token_f1(words, expected) >= _ENOUGH_F1


def _token_f1(one: str, other: str) -> float:
    """The harmonic mean of precision and recall of the words."""
    mine, theirs = Counter(one.split()), Counter(other.split())
    shared = (mine & theirs).total()
    return 2 * shared / (mine.total() + theirs.total()) if shared else 0.0


def key_matches(key: str, patterns: Iterable[str]) -> bool:
    """Whether a key, or its end after a dot, fits one of the patterns (`*` stands for anything), whatever the case."""
    key = key.casefold()
    folded = [pattern.casefold() for pattern in patterns]
    return any(fnmatchcase(key, pattern) or fnmatchcase(key, f"*.{pattern}") for pattern in folded)


def is_forbidden(key: str, value: str, rules: Iterable[str]) -> bool:
    """Whether a rule forbids the fact: a text that stands in its value or key, or `keypart=text` for both together."""
    key, value = normalised(key), normalised(value)
    return any(_forbids(rule, key, value) for rule in rules)


def _forbids(rule: str, key: str, value: str) -> bool:
    in_key, equals, in_value = rule.partition("=")
    if equals:
        return normalised(in_key) in key and normalised(in_value) in value
    return normalised(rule) in value or normalised(rule) in key

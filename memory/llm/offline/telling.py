"""How much a sentence tells about the chat it is from: the weights of its words over the root of their number. Pure.

There is no store to count words in, so what is rare is told from the conversation and the word itself: a word in few
of the sentences counts more than one in many, names, numbers and long words more than short ones, and the words of
everyday hardly at all.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator

from memory.llm.offline.everyday_words import EVERYDAY_WORDS
from memory.text import cjk

_EVERYDAY_WEIGHT = 0.05
_KANA_WEIGHT = 0.2  # hiragana is mostly grammar
_PAIR_WEIGHT = 0.5
_NAME_BONUS = 0.4
_LONG_CHARS = 10
_MAX_WORDS = 60

_WORD = re.compile(r"[^\W_]+(?:['\N{RIGHT SINGLE QUOTATION MARK}-][^\W_]+)*")
_HIRAGANA = re.compile(r"[\u3041-\u309f]{2}")
# Thai, Lao, Burmese and Khmer set no blanks between words either; their marks are no word characters to Python.
_WITHOUT_BLANKS = re.compile(rf"[{cjk.CHARACTERS}]+|[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]+")


class Rarity:
    """The words of a conversation, and in how many of its sentences each stands."""

    def __init__(self, sentences: Iterable[str]) -> None:
        self._counts: Counter[str] = Counter()
        self._sentences = 0
        for sentence in sentences:
            self._sentences += 1
            self._counts.update({word.casefold() for word in _words(sentence)})

    def telling(self, sentence: str) -> float:
        """How much a sentence tells, 0 or more: for each word once, its weight; over the root of its words' number."""
        words = list(_words(sentence))
        weights: dict[str, float] = {}
        for place, word in enumerate(words):
            weight = _weight(word, begins=place == 0) * self._idf(word.casefold())
            weights[word.casefold()] = max(weight, weights.get(word.casefold(), 0.0))
        return sum(weights.values()) / math.sqrt(max(len(words), 1))

    def _idf(self, word: str) -> float:
        """The inverse frequency of a word among the sentences, ln 2 or more."""
        return math.log(1 + (self._sentences + 1) / (self._counts[word] + 1))


def _words(sentence: str) -> Iterator[str]:
    """The words of a sentence as written, `_MAX_WORDS` at most; pairs of characters where no blanks are set."""
    found = [*_WORD.findall(_WITHOUT_BLANKS.sub(" ", sentence))]
    for run in _WITHOUT_BLANKS.findall(sentence):
        found += cjk.pairs(run)
    return iter(found[:_MAX_WORDS])


def _weight(word: str, *, begins: bool) -> float:
    """How telling a word is by itself, 0.05 to 1.4. `begins`: it is the first of its sentence, capital or not."""
    if _WITHOUT_BLANKS.match(word):
        return _KANA_WEIGHT if _HIRAGANA.match(word) else _PAIR_WEIGHT
    if word.casefold().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'") in EVERYDAY_WORDS:
        return _EVERYDAY_WEIGHT
    weight = min(len(word), _LONG_CHARS) / _LONG_CHARS
    is_name = any(letter.isupper() for letter in (word[1:] if begins else word))
    return weight + _NAME_BONUS if is_name or word[0].isdigit() else weight

"""How well each of many short texts answers to a message's words: BM25. Pure."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from memory.ranking import Scores

_K1 = 1.2
_B = 0.75


@dataclass(frozen=True)
class WordMatch:
    """A message's words in n texts.

    `scores` (n,): BM25, divided by the best text's; all 0 where no word is found. `together`, in 0..1: how much of the
    message, its words weighed by their rarity, the text has that holds the most of it.
    """

    scores: Scores
    together: float


class WordIndex:
    """The words of n texts, for one language's rules."""

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        lengths = np.array([len(words) for words in texts], dtype=np.float64)
        average = float(lengths.mean()) if lengths.any() else 1.0
        self._lengths: Scores = 1 - _B + _B * lengths / average
        self._occurrences = _occurrences(texts)

    def match(self, words: Iterable[str]) -> WordMatch:
        """Compare a message's words with every text. A word that no text has counts as rarer than any other."""
        scores, found = np.zeros(self._lengths.size), np.zeros(self._lengths.size)
        asked = 0.0
        for word in dict.fromkeys(words):  # in their order: sums of floats hang on it
            times = self._occurrences.get(word, {})
            idf = math.log(1 + (scores.size - len(times) + 0.5) / (len(times) + 0.5))
            asked += idf
            places = np.fromiter(times, dtype=np.intp, count=len(times))
            counts = np.fromiter(times.values(), dtype=np.float64, count=len(times))
            scores[places] += idf * counts * (_K1 + 1) / (counts + _K1 * self._lengths[places])
            found[places] += idf
        best = float(scores.max(initial=0.0))
        if best <= 0.0:
            return WordMatch(scores, 0.0)
        return WordMatch(scores / best, float(found.max()) / asked)


def _occurrences(texts: Iterable[Iterable[str]]) -> Mapping[str, Mapping[int, int]]:
    """{word: {place of a text that has it: how often}}."""
    occurrences: dict[str, dict[int, int]] = {}
    for place, words in enumerate(texts):
        for word in words:
            times = occurrences.setdefault(word, {})
            times[place] = times.get(place, 0) + 1
    return occurrences

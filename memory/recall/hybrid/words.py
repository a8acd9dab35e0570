"""How well a message's words are found in what was said: BM25 over word windows, conversations and pairs of words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from memory.ranking import Flags, Ints, Scores
from memory.recall.hybrid.segments import Counts, Hashes, Segment, Standing, turns_of
from memory.units import WORD_WINDOW_TURNS

K1 = 1.2
B = 0.75
MAX_WORDS = 64
"""The words of a message that are looked for: its rarest, where it has more."""

Found = Sequence[Standing]
"""Where a word stands in each segment."""


class Words(NamedTuple):
    """For each chat (n,): BM25 of its best word window, the turn that window begins with, the idf it matches, BM25 of
    its whole conversation, and of that over pairs of neighbouring words.

    `weights`: the idf of each of the message's words, hashed; `highest`: of a word that only one window has.
    """

    window: Scores
    turn: Ints
    matched: Scores
    conversation: Scores
    pairs: Scores
    highest: float
    weights: Mapping[int, float]

    def coverage(self, candidates: Flags) -> float:
        """The share of the message's idf that the best window of all these chats (n,) matches."""
        if not self.window[candidates].any():
            return 0.0
        return float(self.share()[candidates][self.window[candidates].argmax()])

    def share(self) -> Scores:
        """(n,) the part of the message's idf that each chat's best window matches."""
        total = sum(self.weights.values())
        return self.matched / total if total else np.zeros_like(self.matched)

    def mass(self) -> Scores:
        """(n,) how many rare words that is: the idf each chat's best window matches, over the highest idf."""
        return self.matched / self.highest if self.highest else np.zeros_like(self.matched)


@dataclass(frozen=True)
class Corpus:
    """All segments, and to which of m conversations each of their n chats belongs: `conversations` (n,)."""

    segments: Sequence[Segment]
    conversations: Ints
    count: int

    @property
    def owners(self) -> list[Ints]:
        """For each segment the conversations of its chats."""
        stops = np.cumsum([segment.size for segment in self.segments])
        return np.split(self.conversations, stops[:-1])


def idf(found: float, count: int) -> float:
    """The weight of a word that `found` of `count` units have: ln(1 + (N - df + .5) / (df + .5))."""
    return float(np.log1p((count - found + 0.5) / (found + 0.5)))


def match(corpus: Corpus, message: Hashes) -> Words:
    """What is found of a message's words (in order, hashed)."""
    known = _rarest({word: [segment.index.find(word) for segment in corpus.segments] for word in message.tolist()})
    order = [word for word in message.tolist() if word in known]
    windows = _Windows.of(corpus)
    weights = {word: windows.add(found) for word, found in known.items()}
    window, turn, matched = windows.best_by_chat()
    return Words(
        window=window,
        turn=turn,
        matched=matched,
        conversation=_by_conversation(
            corpus, [[part.turns for part in found] for found in known.values()], pairs=False
        ),
        pairs=_by_conversation(corpus, _pair_turns(known, order), pairs=True),
        highest=windows.highest,
        weights=weights,
    )


def _rarest(places: dict[int, Found]) -> dict[int, Found]:
    """The words that stand in the fewest places, `MAX_WORDS` of them, in the message's order."""
    by_number = sorted(places, key=lambda word: sum(part.turns.size for part in places[word]))
    kept = set(by_number[:MAX_WORDS])
    return {word: found for word, found in places.items() if word in kept}


@dataclass
class _Windows:
    """Scores (T,) of the word windows of each segment, added up word by word; `matched`: the idf they match."""

    segments: Sequence[Segment]
    scores: list[Scores]
    matched: list[Scores]
    norms: list[Scores]
    count: int
    highest: float

    @classmethod
    def of(cls, corpus: Corpus) -> "_Windows":
        every = np.concatenate([np.empty(0, np.float32), *(segment.window_words for segment in corpus.segments)])
        finite = every[np.isfinite(every)]
        average = max(float(finite.mean()), 1.0) if finite.size else 1.0
        norms = [K1 * (1 - B + B * segment.window_words.astype(np.float64) / average) for segment in corpus.segments]
        zeros = [np.zeros(norm.size) for norm in norms]
        highest = idf(1, finite.size) if finite.size else 0.0
        return cls(corpus.segments, zeros, [zero.copy() for zero in zeros], norms, finite.size, highest)

    def add(self, found: Found) -> float:
        """Count one word; returns its idf."""
        counts = [_window_counts(segment, part.turns) for segment, part in zip(self.segments, found, strict=True)]
        places = [np.flatnonzero(one) for one in counts]
        number = sum(place.size for place in places)
        weight = idf(number, self.count) if number else self.highest
        for index, at in enumerate(places):
            frequency = counts[index][at]
            self.scores[index][at] += weight * (K1 + 1) * frequency / (frequency + self.norms[index][at])
            self.matched[index][at] += weight
        return weight

    def best_by_chat(self) -> tuple[Scores, Ints, Scores]:
        """For each chat: the score of its best window, the turn that begins with, counted in the chat, and its idf."""
        parts = [
            _best(segment, scores, matched)
            for segment, scores, matched in zip(self.segments, self.scores, self.matched, strict=True)
        ]
        window, turn, found = (np.concatenate(column) for column in zip(*parts, strict=True))
        return window, turn, found


def _window_counts(segment: Segment, turns: Counts) -> npt.NDArray[np.int64]:
    """(T,) how often a word stands in the window that begins with each turn."""
    by_turn = np.bincount(turns, minlength=segment.turn_chats.size)
    counts = by_turn.copy()
    for ahead in range(1, WORD_WINDOW_TURNS):
        counts[:-ahead] += by_turn[ahead:]
    counts[np.isinf(segment.window_words)] = 0
    return counts


def _best(segment: Segment, scores: Scores, matched: Scores) -> tuple[Scores, Ints, Scores]:
    best, found = np.zeros(segment.size), np.zeros(segment.size)
    turn = np.zeros(segment.size, dtype=np.int64)
    at = np.flatnonzero(scores)
    if at.size:
        np.maximum.at(best, segment.turn_chats[at], scores[at])
        first = np.searchsorted(segment.turn_chats, np.arange(segment.size))
        at = at[scores[at] == best[segment.turn_chats[at]]][::-1]
        owners = segment.turn_chats[at]
        turn[owners] = at - first[owners]
        found[owners] = matched[at]
    return best, turn, found


def _pair_turns(known: Mapping[int, Found], order: Sequence[int]) -> list[list[Counts]]:
    """In which turns two of the message's words stand as neighbours, or with one between: by pair and segment."""
    keys = {word: [part.keys for part in found] for word, found in known.items()}
    pairs = dict.fromkeys([*pairwise(order), *zip(order, order[2:], strict=False)])
    return [
        [_neighbours(first, second) for first, second in zip(keys[left], keys[right], strict=True)]
        for left, right in pairs
        if left != right
    ]


def _neighbours(first: Ints, second: Ints) -> Counts:
    """The turns in which a word (its keys) has another one behind it, at once or after one word. Looks up the rarer."""
    if not first.size or not second.size:
        return np.empty(0, dtype=np.int32)
    rarer, other, step = (first, second, 1) if first.size <= second.size else (second, first, -1)
    found = [rarer[_are_among(rarer + step * distance, other)] for distance in (1, 2)]
    return turns_of(np.concatenate(found))


def _are_among(keys: Ints, known: Ints) -> Flags:
    """Which of these keys are known ones; the known ones (at least one) are in order."""
    places = np.searchsorted(known, keys)
    return np.asarray(known[np.minimum(places, known.size - 1)] == keys)


def _by_conversation(corpus: Corpus, turns: Sequence[Sequence[Counts]], *, pairs: bool) -> Scores:
    """(n,) BM25 of each chat's whole conversation, for words that stand in these turns, by word and segment.

    A conversation has about twice as many pairs as words.
    """
    lengths = _conversation_words(corpus) * (2 if pairs else 1)
    there = lengths > 0
    average = float(lengths[there].mean()) if there.any() else 1.0
    norms = K1 * (1 - B + B * lengths / average)
    scores = np.zeros(corpus.count)
    owners = corpus.owners
    for found in turns:
        counts = np.zeros(corpus.count)
        for segment, own, part in zip(corpus.segments, owners, found, strict=True):
            counts += np.bincount(own[segment.turn_chats[part[segment.is_new[part]]]], minlength=corpus.count)
        at = np.flatnonzero(counts)
        if at.size:
            weight = idf(at.size, int(there.sum()))
            scores[at] += weight * counts[at] * (K1 + 1) / (counts[at] + norms[at])
    return scores[corpus.conversations]


def _conversation_words(corpus: Corpus) -> Scores:
    """(m,) how many words each conversation has."""
    words = np.zeros(corpus.count)
    for segment, own in zip(corpus.segments, corpus.owners, strict=True):
        new = segment.turn_words * segment.is_new
        words += np.bincount(own[segment.turn_chats], weights=new, minlength=corpus.count)
    return words

"""How well a message's words are found in what was said: BM25 over word windows, conversations and pairs of words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from memory.ranking import Ints, Scores
from memory.recall.hybrid.segments import Counts, Hashes, Segment
from memory.units import WORD_WINDOW_TURNS

K1 = 1.2
B = 0.75
MAX_WORDS = 64
"""The words of a message that are looked for: its rarest, where it has more."""


class Words(NamedTuple):
    """For each chat (n,): BM25 of its best word window, the turn that window begins with, the idf it matches, BM25 of
    its whole conversation, and of that over pairs of neighbouring words.

    `coverage`: the share of the message's idf that the best window of all matches. `weights`: the idf of each of its
    words, hashed; `highest`: of a word that nobody has said.
    """

    window: Scores
    turn: Ints
    matched: Scores
    conversation: Scores
    pairs: Scores
    coverage: float
    highest: float
    weights: Mapping[int, float]

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
    known = _rarest({word: [segment.places_of(word) for segment in corpus.segments] for word in message.tolist()})
    order = [word for word in message.tolist() if word in known]
    windows = _Windows.of(corpus)
    weights = {word: windows.add(found) for word, found in known.items()}
    window, turn, matched = windows.best_by_chat()
    return Words(
        window=window,
        turn=turn,
        matched=matched,
        conversation=_by_conversation(corpus, list(known.values()), pairs=False),
        pairs=_by_conversation(corpus, _pair_places(known, order), pairs=True),
        coverage=windows.coverage,
        highest=windows.highest,
        weights=weights,
    )


def _rarest(places: dict[int, list[Counts]]) -> dict[int, list[Counts]]:
    """The words that stand in the fewest places, `MAX_WORDS` of them, in the message's order."""
    by_number = sorted(places, key=lambda word: sum(part.size for part in places[word]))
    kept = set(by_number[:MAX_WORDS])
    return {word: found for word, found in places.items() if word in kept}


@dataclass
class _Windows:
    """Scores (T,) of the word windows of each segment, added up word by word."""

    corpus: Corpus
    scores: list[Scores]
    matched: list[Scores]
    norms: list[Scores]
    count: int
    highest: float
    total: float = 0.0

    @classmethod
    def of(cls, corpus: Corpus) -> "_Windows":
        words = [segment.window_words.astype(np.float64) for segment in corpus.segments]
        every = np.concatenate([np.empty(0), *words])
        finite = every[np.isfinite(every)]
        average = max(float(finite.mean()), 1.0) if finite.size else 1.0
        norms = [K1 * (1 - B + B * lengths / average) for lengths in words]
        zeros = [np.zeros(lengths.size) for lengths in words]
        highest = idf(1, finite.size) if finite.size else 0.0
        return cls(corpus, zeros, [zero.copy() for zero in zeros], norms, finite.size, highest)

    def add(self, places: Sequence[Counts]) -> float:
        """Count one word, which stands at these places of each segment; returns its idf."""
        found = [_window_counts(segment, part) for segment, part in zip(self.corpus.segments, places, strict=True)]
        number = sum(int(np.count_nonzero(counts)) for counts in found)
        weight = idf(number, self.count) if number else self.highest
        self.total += weight
        for index, counts in enumerate(found):
            at = np.flatnonzero(counts)
            frequency = counts[at]
            self.scores[index][at] += weight * frequency * (K1 + 1) / (frequency + self.norms[index][at])
            self.matched[index][at] += weight
        return weight

    def best_by_chat(self) -> tuple[Scores, Ints, Scores]:
        """For each chat: the score of its best window, the turn that begins with, counted in the chat, and its idf."""
        parts = [
            _best(segment, scores, matched)
            for segment, scores, matched in zip(self.corpus.segments, self.scores, self.matched, strict=True)
        ]
        window, turn, found = (np.concatenate(column) for column in zip(*parts, strict=True))
        return window, turn, found

    @property
    def coverage(self) -> float:
        """The share of the message's idf that the best of all windows matches."""
        best = max(
            ((float(scores.max()), float(matched[scores.argmax()])) for scores, matched in self._parts if scores.size),
            default=(0.0, 0.0),
        )
        return best[1] / self.total if self.total and best[0] > 0 else 0.0

    @property
    def _parts(self) -> list[tuple[Scores, Scores]]:
        return list(zip(self.scores, self.matched, strict=True))


def _window_counts(segment: Segment, places: Counts) -> Scores:
    """(T,) how often a word stands in the window that begins with each turn."""
    if not places.size:
        return np.zeros(segment.turn_count)
    by_turn = np.bincount(segment.turns_at(places), minlength=segment.turn_count).astype(np.float64)
    counts = by_turn.copy()
    chats = segment.turn_chats
    for ahead in range(1, WORD_WINDOW_TURNS):
        if by_turn.size > ahead:
            counts[:-ahead] += np.where(chats[ahead:] == chats[:-ahead], by_turn[ahead:], 0.0)
    counts[~np.isfinite(segment.window_words)] = 0.0
    return counts


def _best(segment: Segment, scores: Scores, matched: Scores) -> tuple[Scores, Ints, Scores]:
    best, found = np.zeros(segment.size), np.zeros(segment.size)
    turn = np.zeros(segment.size, dtype=np.int64)
    chats, starts = np.unique(segment.turn_chats, return_index=True)
    if chats.size:
        best[chats] = np.maximum.reduceat(scores, starts)
        at = np.flatnonzero((scores > 0) & (scores == best[segment.turn_chats]))[::-1]
        owners = segment.turn_chats[at]
        first = np.zeros(segment.size, dtype=np.int64)
        first[chats] = starts
        turn[owners] = at - first[owners]
        found[owners] = matched[at]
    return best, turn, found


def _pair_places(known: dict[int, list[Counts]], order: Sequence[int]) -> list[list[Counts]]:
    """Where pairs of the message's words stand as neighbours, or with one word between: for each pair, by segment."""
    pairs = dict.fromkeys([*pairwise(order), *zip(order, order[2:], strict=False)])
    return [
        [_neighbours(first, second) for first, second in zip(known[left], known[right], strict=True)]
        for left, right in pairs
        if left != right
    ]


def _neighbours(first: Counts, second: Counts) -> Counts:
    """The places of `first` that have one of `second` one or two places behind them."""
    if not first.size or not second.size:
        return first[:0]
    following = np.searchsorted(second, first, side="right")
    distance = second[np.minimum(following, second.size - 1)] - first
    near: Counts = first[(distance == 1) | (distance == 2)]
    return near


def _by_conversation(corpus: Corpus, places: Sequence[Sequence[Counts]], *, pairs: bool) -> Scores:
    """(n,) BM25 of each chat's whole conversation. A conversation has about twice as many pairs as words."""
    lengths = _conversation_words(corpus) * (2 if pairs else 1)
    there = lengths > 0
    average = float(lengths[there].mean()) if there.any() else 1.0
    norms = K1 * (1 - B + B * lengths / average)
    scores = np.zeros(corpus.count)
    conversations = corpus.owners
    for found in places:
        counts = np.zeros(corpus.count)
        for segment, owners, part in zip(corpus.segments, conversations, found, strict=True):
            turns = segment.turns_at(part)
            new = turns[segment.is_new[turns]] if part.size else turns
            counts += np.bincount(owners[segment.turn_chats[new]], minlength=corpus.count)
        at = np.flatnonzero(counts)
        if at.size:
            weight = idf(at.size, int(there.sum()))
            scores[at] += weight * counts[at] * (K1 + 1) / (counts[at] + norms[at])
    return scores[corpus.conversations]


def _conversation_words(corpus: Corpus) -> Scores:
    """(m,) how many words each conversation has."""
    words = np.zeros(corpus.count)
    for segment, owners in zip(corpus.segments, corpus.owners, strict=True):
        lengths = np.diff(segment.turn_starts) * segment.is_new
        words += np.bincount(owners[segment.turn_chats], weights=lengths, minlength=corpus.count)
    return words

"""How well a message's words are found in what was said: BM25 over word windows, conversations and pairs of words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from memory.ranking import Flags, Indices, Ints, Scores
from memory.recall.hybrid.segments import Counts, Hashes, Offsets, Segment, Standing, turns_of
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


class WordWindows(NamedTuple):
    """How many word windows there are, and how many words one has on average."""

    number: int
    average: float


@dataclass(frozen=True)
class Corpus:
    """All segments, and to which of m conversations each of their n chats belongs: `conversations` (n,)."""

    segments: Sequence[Segment]
    conversations: Ints
    count: int

    @cached_property
    def owners(self) -> list[Ints]:
        """For each segment the conversations of its chats."""
        stops = np.cumsum([segment.size for segment in self.segments])
        return np.split(self.conversations, stops[:-1])

    @cached_property
    def word_windows(self) -> WordWindows:
        """The word windows of all segments."""
        lengths = [segment.window_words(segment.window_begins) for segment in self.segments]
        count = sum(one.size for one in lengths)
        total = sum(float(one.sum(dtype=np.float64)) for one in lengths)
        return WordWindows(count, max(total / count, 1.0) if count else 1.0)

    @cached_property
    def conversation_words(self) -> Scores:
        """(m,) how many words each conversation has."""
        words = np.zeros(self.count)
        for segment, own in zip(self.segments, self.owners, strict=True):
            new = segment.turn_words * segment.is_new(np.arange(segment.turn_words.size))
            words += np.bincount(own[segment.turn_chats], weights=new, minlength=self.count)
        return words


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
    known: WordWindows
    scores: list[Scores]
    matched: list[Scores]

    @classmethod
    def of(cls, corpus: Corpus) -> "_Windows":
        scores, matched = ([np.zeros(one.turn_chats.size) for one in corpus.segments] for _ in range(2))
        return cls(corpus.segments, corpus.word_windows, scores, matched)

    @property
    def highest(self) -> float:
        """The idf of a word that only one window has."""
        return idf(1, self.known.number) if self.known.number else 0.0

    def add(self, found: Found) -> float:
        """Count one word; returns its idf."""
        counted = [_count_windows(segment, part.turns) for segment, part in zip(self.segments, found, strict=True)]
        number = sum(at.size for at, _ in counted)
        weight = idf(number, self.known.number) if number else self.highest
        for index, (at, times) in enumerate(counted):
            lengths = self.segments[index].window_words(at) / self.known.average
            self.scores[index][at] += weight * (K1 + 1) * times / (times + K1 * (1 - B + B * lengths))
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


def _count_windows(segment: Segment, turns: Counts) -> tuple[Indices, Offsets]:
    """The turns with which the windows begin that have a word, and how often they do: (k,), (k,).

    `turns`: where it stands, in order. The two empty turns behind each chat begin no window: there a window that would
    begin before a chat's first turn falls, and where one that would begin before all turns is wrapped around to.
    """
    begins = np.flatnonzero(np.append(True, turns[1:] != turns[:-1])) if turns.size else np.empty(0, np.intp)
    distinct = turns[begins]
    times, is_near = np.zeros(segment.turn_chats.size, np.uint16), np.zeros(segment.turn_chats.size, np.bool_)
    times[distinct] = np.diff(begins, append=turns.size)
    for before in range(WORD_WINDOW_TURNS):
        is_near[distinct - before] = True
    near = np.flatnonzero(is_near)
    at = near[segment.begins_window(near)]
    return at, sum((times[at + behind] for behind in range(WORD_WINDOW_TURNS)), np.zeros(at.size, np.uint16))


def _best(segment: Segment, scores: Scores, matched: Scores) -> tuple[Scores, Ints, Scores]:
    best, found = np.zeros(segment.size), np.zeros(segment.size)
    turn = np.zeros(segment.size, dtype=np.int64)
    at = np.flatnonzero(scores)
    if at.size:
        owners, values = segment.turn_chats[at], scores[at]
        begins = np.flatnonzero(np.diff(owners, prepend=-1))
        best[owners[begins]] = np.maximum.reduceat(values, begins)
        first = np.flatnonzero(values == best[owners])[::-1]  # of several the first, since it is written last
        turn[owners[first]] = at[first] - segment.turn_starts[owners[first]]
        found[owners[first]] = matched[at[first]]
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
    lengths = corpus.conversation_words * (2 if pairs else 1)
    there = lengths > 0
    average = float(lengths[there].mean()) if there.any() else 1.0
    norms = K1 * (1 - B + B * lengths / average)
    scores = np.zeros(corpus.count)
    owners = corpus.owners
    for found in turns:
        counts = np.zeros(corpus.count)
        for segment, own, part in zip(corpus.segments, owners, found, strict=True):
            counts += np.bincount(own[segment.turn_chats[part[segment.is_new(part)]]], minlength=corpus.count)
        at = np.flatnonzero(counts)
        if at.size:
            weight = idf(at.size, int(there.sum()))
            scores[at] += weight * counts[at] * (K1 + 1) / (counts[at] + norms[at])
    return scores[corpus.conversations]

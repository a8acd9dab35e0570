"""The form in which units are searched: vectors, and where each word stands, for many chats in a few arrays.

Segments are values: a change makes new ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from memory.ranking import Flags, Indices, Ints, Matrix
from memory.units import WORD_WINDOW_TURNS, PackedVectors

Counts = npt.NDArray[np.int32]
Offsets = npt.NDArray[np.uint16]
Hashes = npt.NDArray[np.uint32]
Bits = npt.NDArray[np.uint8]

_SCAN_WINDOWS = 1024
"""So many windows are turned into float32 at a time: few enough to stay in the processor's cache."""

_VERSION_BITS = 20
_OFFSET_BITS = 16
_PADDING = WORD_WINDOW_TURNS - 1
_NEW, _BEGINS = np.uint8(1), np.uint8(2)


class StoredUnits(NamedTuple):
    """The units of one episode, as read. `vectors` (windows, d) are empty where another embedder made them."""

    episode_id: int
    version: int
    audit_id: int
    created_us: int
    conversation: int
    vectors: PackedVectors
    turn_lengths: Counts
    terms: Hashes
    context: int


class Standing(NamedTuple):
    """Where a word stands: in which turns, in order, and at which place of each."""

    turns: Counts
    offsets: Offsets

    @property
    def keys(self) -> Ints:
        """Turn and place in one number each, in order."""
        return (self.turns.astype(np.int64) << _OFFSET_BITS) + self.offsets


def turns_of(keys: Ints) -> Counts:
    """The turns of such keys."""
    return (keys >> _OFFSET_BITS).astype(np.int32)


class Index(NamedTuple):
    """Where all words stand. `vocabulary` (V,) sorted; number v has `turns[starts[v]:starts[v + 1]]`, and `offsets`."""

    vocabulary: Hashes
    starts: Counts
    turns: Counts
    offsets: Offsets

    def find(self, word: int) -> Standing:
        """Where one word stands; nowhere, if it is not known."""
        number = int(np.searchsorted(self.vocabulary, np.uint32(word)))
        if number == self.vocabulary.size or self.vocabulary[number] != word:
            return Standing(self.turns[:0], self.offsets[:0])
        place = slice(self.starts[number], self.starts[number + 1])
        return Standing(self.turns[place], self.offsets[place])


@dataclass(frozen=True)
class Segment:
    """Units of n chats with W windows and T turns; two empty turns follow each chat, so that no window joins two.

    `columns` (5, n): episode ids, versions, chat ids, times in microseconds, conversations. `window_starts` (n + 1,)
    says which windows are a chat's, `mean_lengths` (n,) how long the mean of their vectors is. `turn_chats` (T,): whose
    turn it is; `turn_words` how many words it has; `turn_flags` two bits, for `is_new` and `begins_window`.
    """

    columns: Ints
    is_there: Flags
    numbers: npt.NDArray[np.int8]
    scales: Matrix
    window_starts: Counts
    mean_lengths: Matrix
    turn_chats: Counts
    turn_words: Offsets
    turn_flags: Bits
    index: Index

    @property
    def size(self) -> int:
        """How many chats it has, those that were removed included."""
        return int(self.columns.shape[1])

    def is_new(self, at: Indices | Counts) -> Flags:
        """(k,) which of these turns (k,) are no repetition of an earlier chat's, nor of a chat that was removed."""
        return (self.turn_flags[at] & _NEW) > 0

    def begins_window(self, at: Indices) -> Flags:
        """(k,) with which of these turns (k,) a word window begins."""
        return (self.turn_flags[at] & _BEGINS) > 0

    @property
    def window_begins(self) -> Indices:
        """The turns with which a word window begins, in order."""
        return np.flatnonzero(self.turn_flags & _BEGINS)

    def window_words(self, at: Indices) -> Matrix:
        """(k,) how many words the word windows have that begin with these turns (k,)."""
        words = self.turn_words[at].astype(np.float32)
        for behind in range(1, WORD_WINDOW_TURNS):
            words += self.turn_words[at + behind]
        return words

    @cached_property
    def turn_starts(self) -> Counts:
        """(n,) each chat's first turn."""
        return np.searchsorted(self.turn_chats, np.arange(self.size)).astype(np.int32)

    @property
    def nbytes(self) -> int:
        """Bytes of its arrays."""
        arrays = [*vars(self).values(), *self.index]
        return sum(value.nbytes for value in arrays if isinstance(value, np.ndarray))

    @property
    def window_counts(self) -> Counts:
        """(n,) how many windows each chat has."""
        return np.diff(self.window_starts)

    @property
    def window_is_there(self) -> Flags:
        """(W,) which windows are of chats that were not removed."""
        return np.repeat(self.is_there, self.window_counts)

    def cosines(self, vector: Matrix) -> Matrix:
        """(W,) the cosine of a unit vector (d,) with each window."""
        if not self.numbers.size:
            return np.zeros(self.scales.size, dtype=np.float32)
        parts = [
            np.vecdot(self.numbers[start : start + _SCAN_WINDOWS].astype(np.float32), vector)
            for start in range(0, len(self.numbers), _SCAN_WINDOWS)
        ]
        cosines: Matrix = np.concatenate(parts) * self.scales
        return cosines

    @property
    def keys(self) -> Ints:
        """(n,) episode and version in one number each: another vector, another key."""
        return pack_keys(self.columns[0], self.columns[1])

    def without(self, present: Ints) -> "Segment":
        """The segment without the episodes whose keys are not `present`."""
        is_there = self.is_there & np.isin(self.keys, present)
        if np.array_equal(is_there, self.is_there):
            return self
        turn_is_there = is_there[self.turn_chats]
        return replace(self, is_there=is_there, turn_flags=self.turn_flags * turn_is_there)

    def followed_by(self, other: "Segment") -> "Segment":
        """This segment and another one, of vectors of the same length, as one."""
        return Segment(
            columns=np.concatenate([self.columns, other.columns], axis=1),
            is_there=np.concatenate([self.is_there, other.is_there]),
            numbers=np.concatenate([self.numbers, other.numbers]),
            scales=np.concatenate([self.scales, other.scales]),
            window_starts=np.concatenate([self.window_starts, other.window_starts[1:] + self.window_starts[-1]]),
            mean_lengths=np.concatenate([self.mean_lengths, other.mean_lengths]),
            turn_chats=np.concatenate([self.turn_chats, other.turn_chats + np.int32(self.size)]),
            turn_words=np.concatenate([self.turn_words, other.turn_words]),
            turn_flags=np.concatenate([self.turn_flags, other.turn_flags]),
            index=_joined(self.index, other.index, turns=self.turn_chats.size),
        )


def pack_keys(ids: Ints, versions: Ints) -> Ints:
    """Episode ids and versions in one number each."""
    return (ids << _VERSION_BITS) + versions


def unpack_ids(keys: Ints) -> Ints:
    """The episode ids of such numbers."""
    return keys >> _VERSION_BITS


def segment_of(stored: Sequence[StoredUnits], dimensions: int) -> Segment:
    """A segment of these units. Vectors of another length are left out."""
    vectors = [one.vectors if one.vectors.numbers.shape[1] == dimensions else _none(dimensions) for one in stored]
    turn_words = np.concatenate([np.empty(0, np.int32), *(np.pad(one.turn_lengths, (0, _PADDING)) for one in stored)])
    turns = [one.turn_lengths.size + _PADDING for one in stored]
    terms = np.concatenate([np.empty(0, np.uint32), *(one.terms for one in stored)])
    return Segment(
        columns=np.array([one[:5] for one in stored], dtype=np.int64).reshape(-1, 5).T,
        is_there=np.ones(len(stored), dtype=np.bool_),
        numbers=np.concatenate([np.empty((0, dimensions), np.int8), *(one.numbers for one in vectors)]),
        scales=np.concatenate([np.empty(0, np.float32), *(one.scales for one in vectors)]),
        window_starts=_starts([one.scales.size for one in vectors]),
        mean_lengths=np.array([_mean_length(one) for one in vectors], dtype=np.float32),
        turn_chats=np.repeat(np.arange(len(stored), dtype=np.int32), turns),
        turn_words=turn_words.astype(np.uint16),
        turn_flags=np.concatenate([np.empty(0, np.uint8), *(_turn_flags(one) for one in stored)]),
        index=_index_of(terms, turn_words),
    )


def _none(dimensions: int) -> PackedVectors:
    return PackedVectors(np.empty((0, dimensions), dtype=np.int8), np.empty(0, dtype=np.float32))


def _starts(lengths: Sequence[int]) -> Counts:
    return np.array(list(accumulate(lengths, initial=0)), dtype=np.int32)


def _mean_length(vectors: PackedVectors) -> float:
    """The length of the mean of some unit vectors; 1 where there are none, or where they cancel out."""
    if not vectors.scales.size:
        return 1.0
    mean = (vectors.scales @ vectors.numbers.astype(np.float32)) / vectors.scales.size
    return float(np.linalg.norm(mean)) or 1.0


def _is_new(stored: StoredUnits) -> Flags:
    turns = np.arange(stored.turn_lengths.size + _PADDING)
    return (turns >= stored.context) & (turns < stored.turn_lengths.size)


def _turn_flags(stored: StoredUnits) -> Bits:
    return _is_new(stored) * _NEW + _begins_window(stored) * _BEGINS


def _begins_window(stored: StoredUnits) -> Flags:
    """With which turns a window begins: none that would have no new turn, or be shorter than the chat allows."""
    count = stored.turn_lengths.size
    begins = np.zeros(count + _PADDING, dtype=np.bool_)
    first = max(0, stored.context - WORD_WINDOW_TURNS + 1)
    begins[first : max(min(1, count), count - WORD_WINDOW_TURNS + 1)] = True
    return begins


def _index_of(terms: Hashes, turn_words: Counts) -> Index:
    """The index of words in order (P,), of which each turn (T,) has so many."""
    order = np.argsort(terms, kind="stable")
    turns = np.repeat(np.arange(turn_words.size, dtype=np.int32), turn_words)
    offsets = np.arange(terms.size) - np.repeat(np.cumsum(turn_words) - turn_words, turn_words)
    vocabulary, counts = np.unique(terms, return_counts=True)
    return Index(vocabulary, _starts(counts.tolist()), turns[order], offsets[order].astype(np.uint16))


def _joined(first: Index, second: Index, *, turns: int) -> Index:
    """Two indexes as one; the second one's turns come behind the `turns` of the first."""
    vocabulary = np.union1d(first.vocabulary, second.vocabulary)
    counts = np.zeros((2, vocabulary.size), dtype=np.int64)
    for number, index in enumerate((first, second)):
        counts[number, np.searchsorted(vocabulary, index.vocabulary)] = np.diff(index.starts)
    starts = np.concatenate([[0], np.cumsum(counts.sum(axis=0))])
    merged = Index(
        vocabulary,
        starts.astype(np.int32),
        np.empty(starts[-1], dtype=np.int32),
        np.empty(starts[-1], dtype=np.uint16),
    )
    for index, begin, own, moved in (
        (first, starts[:-1], counts[0], 0),
        (second, starts[:-1] + counts[0], counts[1], turns),
    ):
        places = np.repeat(begin - (np.cumsum(own) - own), own) + np.arange(index.turns.size)
        merged.turns[places] = index.turns + np.int32(moved)
        merged.offsets[places] = index.offsets
    return merged

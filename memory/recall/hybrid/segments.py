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

from memory.ranking import Flags, Ints, Matrix
from memory.units import WORD_WINDOW_TURNS, PackedVectors

Counts = npt.NDArray[np.int32]
Hashes = npt.NDArray[np.uint32]

_SCAN_WINDOWS = 8192
"""So many windows are turned into float32 at a time: few enough to stay in the processor's cache."""


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


@dataclass(frozen=True)
class Segment:
    """Units of n chats with W windows, T turns and P words.

    `columns` (5, n): episode ids, versions, chat ids, times in microseconds, conversations. `window_starts` (n + 1,)
    and `turn_starts` (T + 1,) say which windows are a chat's and which words a turn's; `turn_chats` (T,) whose turn it
    is. `is_new` (T,): not a repetition of an earlier chat's turn. `window_words` (T,): how many words the word window
    has that begins with a turn, infinite where none does. `vocabulary` (V,) sorted; the words with the number v stand
    at `places[place_starts[v]:place_starts[v + 1]]`, in order.
    """

    columns: Ints
    is_there: Flags
    numbers: npt.NDArray[np.int8]
    scales: Matrix
    window_starts: Counts
    turn_starts: Counts
    turn_chats: Counts
    is_new: Flags
    window_words: Matrix
    vocabulary: Hashes
    place_starts: Counts
    places: Counts

    @property
    def size(self) -> int:
        """How many chats it has, those that were removed included."""
        return int(self.columns.shape[1])

    @property
    def turn_count(self) -> int:
        """How many turns it has."""
        return self.turn_chats.size

    @property
    def nbytes(self) -> int:
        """Bytes of its arrays."""
        return sum(value.nbytes for value in vars(self).values() if isinstance(value, np.ndarray))

    @cached_property
    def window_counts(self) -> Counts:
        """(n,) how many windows each chat has."""
        return np.diff(self.window_starts)

    @cached_property
    def mean_lengths(self) -> Matrix:
        """(n,) the length of the mean of each chat's window vectors; 1 where it has none."""
        lengths = np.ones(self.size, dtype=np.float32)
        for chat in np.flatnonzero(self.window_counts):
            start, stop = self.window_starts[chat], self.window_starts[chat + 1]
            mean = (self.numbers[start:stop] * self.scales[start:stop, np.newaxis]).mean(axis=0)
            lengths[chat] = max(float(np.linalg.norm(mean)), 1e-6)
        return lengths

    def cosines(self, vector: Matrix) -> Matrix:
        """(W,) the cosine of a unit vector (d,) with each window."""
        if not self.numbers.size:
            return np.zeros(self.scales.size, dtype=np.float32)
        parts = [
            self.numbers[start : start + _SCAN_WINDOWS].astype(np.float32) @ vector
            for start in range(0, len(self.numbers), _SCAN_WINDOWS)
        ]
        cosines: Matrix = np.concatenate(parts) * self.scales
        return cosines

    def places_of(self, word: int) -> Counts:
        """Where a word stands, in order; empty where it is not known."""
        number = int(np.searchsorted(self.vocabulary, np.uint32(word)))
        if number == self.vocabulary.size or self.vocabulary[number] != word:
            return self.places[:0]
        return self.places[self.place_starts[number] : self.place_starts[number + 1]]

    def turns_at(self, places: Counts) -> Ints:
        """The turns in which these places are."""
        return np.searchsorted(self.turn_starts, places, side="right") - 1

    def without(self, keys: Ints) -> "Segment":
        """The segment without the episodes that have none of these keys (see `keys`)."""
        is_there = self.is_there & np.isin(self.keys, keys)
        if np.array_equal(is_there, self.is_there):
            return self
        turn_is_there = is_there[self.turn_chats]
        words = np.where(turn_is_there, self.window_words, np.inf).astype(np.float32)
        return replace(self, is_there=is_there, is_new=self.is_new & turn_is_there, window_words=words)

    def followed_by(self, other: "Segment") -> "Segment":
        """This segment and another one, of vectors of the same length, as one."""
        vocabulary, place_starts, places = _inverted(np.concatenate([self._terms(), other._terms()]))
        return Segment(
            columns=np.concatenate([self.columns, other.columns], axis=1),
            is_there=np.concatenate([self.is_there, other.is_there]),
            numbers=np.concatenate([self.numbers, other.numbers]),
            scales=np.concatenate([self.scales, other.scales]),
            window_starts=_joined_starts(self.window_starts, other.window_starts),
            turn_starts=_joined_starts(self.turn_starts, other.turn_starts),
            turn_chats=np.concatenate([self.turn_chats, other.turn_chats + np.int32(self.size)]),
            is_new=np.concatenate([self.is_new, other.is_new]),
            window_words=np.concatenate([self.window_words, other.window_words]),
            vocabulary=vocabulary,
            place_starts=place_starts,
            places=places,
        )

    def _terms(self) -> Hashes:
        """(P,) the words in order."""
        terms = np.empty(self.places.size, dtype=np.uint32)
        terms[self.places] = np.repeat(self.vocabulary, np.diff(self.place_starts))
        return terms

    @property
    def keys(self) -> Ints:
        """(n,) episode and version in one number each: another vector, another key."""
        return pack_keys(self.columns[0], self.columns[1])


_VERSION_BITS = 20


def pack_keys(ids: Ints, versions: Ints) -> Ints:
    """Episode ids and versions in one number each."""
    return (ids << _VERSION_BITS) + versions


def unpack_ids(keys: Ints) -> Ints:
    """The episode ids of such numbers."""
    return keys >> _VERSION_BITS


def segment_of(stored: Sequence[StoredUnits], dimensions: int) -> Segment:
    """A segment of these units. Vectors of another length are left out."""
    vectors = [one.vectors if one.vectors.numbers.shape[1] == dimensions else _none(dimensions) for one in stored]
    lengths = np.concatenate([np.empty(0, np.int32), *(one.turn_lengths for one in stored)]).astype(np.int32)
    chats = np.repeat(np.arange(len(stored), dtype=np.int32), [one.turn_lengths.size for one in stored])
    terms = np.concatenate([np.empty(0, np.uint32), *(one.terms for one in stored)])
    vocabulary, place_starts, places = _inverted(terms)
    return Segment(
        columns=np.array([one[:2] + one[2:5] for one in stored], dtype=np.int64).reshape(-1, 5).T,
        is_there=np.ones(len(stored), dtype=np.bool_),
        numbers=np.concatenate([np.empty((0, dimensions), np.int8), *(one.numbers for one in vectors)]),
        scales=np.concatenate([np.empty(0, np.float32), *(one.scales for one in vectors)]),
        window_starts=_starts([one.scales.size for one in vectors]),
        turn_starts=_starts(lengths.tolist()),
        turn_chats=chats,
        is_new=np.concatenate([np.empty(0, np.bool_), *(_is_new(one) for one in stored)]),
        window_words=np.concatenate([np.empty(0, np.float32), *(_window_words(one) for one in stored)]),
        vocabulary=vocabulary,
        place_starts=place_starts,
        places=places,
    )


def _none(dimensions: int) -> PackedVectors:
    return PackedVectors(np.empty((0, dimensions), dtype=np.int8), np.empty(0, dtype=np.float32))


def _starts(lengths: Sequence[int]) -> Counts:
    return np.array(list(accumulate(lengths, initial=0)), dtype=np.int32)


def _joined_starts(first: Counts, second: Counts) -> Counts:
    return np.concatenate([first, second[1:] + first[-1]])


def _is_new(stored: StoredUnits) -> Flags:
    return np.arange(stored.turn_lengths.size) >= stored.context


def _window_words(stored: StoredUnits) -> Matrix:
    """(turns,) the words of the window that begins with each turn; infinite where it would have no new turn, or be
    shorter than the chat allows."""
    count = stored.turn_lengths.size
    words = np.full(count, np.inf, dtype=np.float32)
    for start in range(max(0, stored.context - WORD_WINDOW_TURNS + 1), max(1, count - WORD_WINDOW_TURNS + 1)):
        if start < count:
            words[start] = stored.turn_lengths[start : start + WORD_WINDOW_TURNS].sum()
    return words


def _inverted(terms: Hashes) -> tuple[Hashes, Counts, Counts]:
    """Vocabulary, its starts and the places, of words in order (P,)."""
    places = np.argsort(terms, kind="stable").astype(np.int32)
    vocabulary, counts = np.unique(terms, return_counts=True)
    return vocabulary, _starts(counts.tolist()), places

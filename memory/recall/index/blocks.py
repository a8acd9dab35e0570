"""The matrix: episodes in blocks of a few thousand. They are values: a change gives new blocks, old ones stay."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from memory.ranking import Indices, Ints, Matrix, Scores

Array: TypeAlias = npt.NDArray[np.generic]
Counts: TypeAlias = npt.NDArray[np.int32]

_BLOCK_BYTES = 1 << 24  # in less, the system has no large pages to give, and a scan takes a tenth longer
_BLOCK_ROWS = 8192
_FIRST_ROOM = 64
_GROWTH = 1.125
_GONE_SHARE = 64  # a block is packed anew when one in so many of its places is of no use any more
_FEW = 16
_GONE_US = -(2**62)
_VERSION_BITS = 20


class Columns(NamedTuple):
    """Episodes, each a place in columns (n,): unit `vectors` (n, d), and `recall_logs`, log1p of the recall counts.

    `versions`: `embedded_again` of the row that the vector was read from.
    """

    ids: Ints
    audit_ids: Ints
    created_us: Ints
    versions: Counts
    recalls: Counts
    recall_logs: Scores
    vectors: Matrix

    def take(self, places: Indices) -> "Columns":
        """The episodes at these places, in memory of their own."""
        return Columns._make([column[places] for column in self])

    @property
    def arrays(self) -> tuple[Array, ...]:
        """All columns, whatever is in them."""
        return (self.ids, self.audit_ids, self.created_us, self.versions, self.recalls, self.recall_logs, self.vectors)


class Span(NamedTuple):
    """How far ids and times of episodes reach. Where one is gone, from 0 and from before all times."""

    lowest_id: int
    highest_id: int
    oldest_us: int
    newest_us: int

    @classmethod
    def of(cls, columns: Columns) -> "Span":
        """That of these, of which there is at least one."""
        ids, created_us = columns.ids, columns.created_us
        return cls(int(ids.min()), int(ids.max()), int(created_us.min()), int(created_us.max()))

    def and_of(self, more: Columns) -> "Span":
        """That of these as well."""
        ids, created_us = more.ids.tolist(), more.created_us.tolist()  # mostly one: quicker so than in arrays
        return Span(
            min(self.lowest_id, *ids),
            max(self.highest_id, *ids),
            min(self.oldest_us, *created_us),
            max(self.newest_us, *created_us),
        )


@dataclass(frozen=True)
class Block:
    """The first `size` places of columns with some `room`.

    Only the newest block made of a room may write into its free part, which no older one can see. A place whose
    episode is gone has the id 0 and a time before all times, so that it is outside of every window.
    """

    room: Columns
    size: int

    @classmethod
    def of(cls, columns: Columns) -> "Block":
        """A block without free room."""
        return cls(columns, columns.ids.size)

    @cached_property
    def columns(self) -> Columns:
        """The places in use."""
        return Columns._make([column[: self.size] for column in self.room])

    @property
    def nbytes(self) -> int:
        """Bytes of all it holds, free room included."""
        return sum(column.nbytes for column in self.room)

    @cached_property
    def most_recall_log(self) -> float:
        """The highest of `recall_logs`."""
        return float(self.columns.recall_logs.max())

    @cached_property
    def span(self) -> Span:
        """How far its ids and times reach."""
        return Span.of(self.columns)

    def grown(self, more: Columns, *, most: int) -> "Block":
        """This block with more episodes behind its own, in place where there is room; `most` it will ever hold."""
        size = self.size + more.ids.size
        room = self.room if self.room.ids.size >= size else self._more_room(size, most)
        for column, news in zip(room.arrays, more.arrays, strict=True):
            column[self.size : size] = news
        return Block(room, size)._with_span(self.span.and_of(more))

    def _with_span(self, span: Span) -> "Block":
        """This block, whose span is known, so that nobody looks for it."""
        self.__dict__["span"] = span
        return self

    def _more_room(self, size: int, most: int) -> Columns:
        capacity = max(size, min(most, max(_FIRST_ROOM, int(size * _GROWTH))))
        room = Columns._make([np.empty((capacity, *column.shape[1:]), dtype=column.dtype) for column in self.room])
        for column, own in zip(room.arrays, self.columns.arrays, strict=True):
            column[: self.size] = own
        return room

    def without(self, ids: Ints) -> "Block":
        """This block with these episodes gone; itself where it has none of them."""
        places = np.flatnonzero(np.isin(self.columns.ids, ids))
        if not places.size:
            return self
        own_ids, created_us = self.room.ids.copy(), self.room.created_us.copy()
        own_ids[places], created_us[places] = 0, _GONE_US
        return Block(self.room._replace(ids=own_ids, created_us=created_us), self.size)

    def recounted(self, ids: Sequence[int], counts: Mapping[int, int]) -> "Block":
        """This block with the counts of these episodes, sorted by id; itself where it has none of them."""
        near = ids[bisect_left(ids, self.span.lowest_id) : bisect_right(ids, self.span.highest_id)]
        if not near:
            return self
        places = _places(self.columns.ids, near)
        recalls, recall_logs = self.room.recalls.copy(), self.room.recall_logs.copy()
        recalls[places] = [counts[id_] for id_ in self.columns.ids[places].tolist()]
        recall_logs[places] = np.log1p(recalls[places])
        return Block(self.room._replace(recalls=recalls, recall_logs=recall_logs), self.size)._with_span(self.span)


Blocks: TypeAlias = tuple[Block, ...]
"""Newest first, as far as episodes came in the order of their times. Only the first takes new ones."""


def _places(ids: Ints, wanted: Sequence[int]) -> Indices:
    """Where these stand, at least one; for a few of them in a quarter of the time that `np.isin` takes."""
    if len(wanted) > _FEW:
        return np.flatnonzero(np.isin(ids, wanted))
    is_wanted = ids == wanted[0]
    for id_ in wanted[1:]:
        is_wanted |= ids == id_
    return np.flatnonzero(is_wanted)


def most_rows(dimensions: int) -> int:
    """The most episodes in a block of this many dimensions."""
    return max(1, min(_BLOCK_ROWS, _BLOCK_BYTES // (4 * dimensions)))


def added(blocks: Blocks, more: Columns, *, most: int) -> Blocks:
    """The blocks with more episodes: the first one takes them until it holds `most`, then new ones come before it."""
    start = 0
    while start < more.ids.size:
        room = most - blocks[0].size if blocks else 0
        stop = min(more.ids.size, start + (room if room > 0 else most))
        some = more if stop - start == more.ids.size else Columns._make([column[start:stop] for column in more])
        if room > 0:
            blocks = (blocks[0].grown(some, most=most), *blocks[1:])
        else:
            blocks = (Block.of(Columns._make([column.copy() for column in some])), *blocks)
        start = stop
    return blocks


def without(blocks: Blocks, ids: Ints) -> Blocks:
    """The blocks with these episodes gone."""
    return tuple(block.without(ids) for block in blocks) if ids.size else blocks


def recounted(blocks: Blocks, counts: Mapping[int, int]) -> Blocks:
    """The blocks with these recall counts; ids they do not have are passed over."""
    ids = sorted(counts)
    return tuple(block.recounted(ids, counts) for block in blocks) if ids else blocks


def tidied(blocks: Blocks, oldest_us: int, *, most: int) -> Blocks:
    """The blocks packed anew where enough places hold nothing since `oldest_us`; small neighbours become one.

    The first block stays by itself: it may have free room.
    """
    kept: list[Block] = []
    for block in blocks:
        packed = _packed(block, oldest_us)
        if packed is not block and len(kept) > 1 and kept[-1].size + packed.size <= most:
            kept[-1] = _joined(kept[-1], packed)
        elif packed.size:
            kept.append(packed)
    return tuple(kept)


def _packed(block: Block, oldest_us: int) -> Block:
    if block.span.oldest_us >= oldest_us:
        return block
    places = np.flatnonzero(block.columns.created_us >= oldest_us)
    is_worth_it = (block.size - places.size) * _GONE_SHARE > block.size
    return Block.of(block.columns.take(places)) if is_worth_it else block


def _joined(one: Block, other: Block) -> Block:
    """Both in memory of their own, without free room."""
    pairs = zip(one.columns, other.columns, strict=True)
    return Block.of(Columns._make([np.concatenate([first, second]) for first, second in pairs]))


def key_of(ids: Ints, versions: Ints | Counts) -> Ints:
    """One number for each vector, of its episode's id and its version: (n,), (n,) -> (n,)."""
    return (ids << _VERSION_BITS) + versions


def id_of(keys: Ints) -> Ints:
    """The ids in such numbers."""
    return keys >> _VERSION_BITS


def keys_of(blocks: Iterable[Block]) -> Ints:
    """The keys of all vectors there are."""
    keys = [key_of(block.columns.ids, block.columns.versions)[block.columns.ids > 0] for block in blocks]
    return np.concatenate([np.empty(0, dtype=np.int64), *keys])

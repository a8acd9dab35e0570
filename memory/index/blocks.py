"""The matrix: episodes in blocks of a few thousand. They are values: a change gives new blocks, old ones stay."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from memory.ranking import Ints, Matrix, Scores

Counts: TypeAlias = npt.NDArray[np.int32]

_BLOCK_BYTES = 1 << 24  # in less, the system has no large pages to give, and a scan takes a tenth longer
_BLOCK_ROWS = 8192
_FIRST_ROOM = 64
_GROWTH = 1.125
_GONE_SHARE = 64  # a block is packed anew when one in so many of its places is of no use any more
_GONE = -(2**62)
_VERSION_BITS = 20


class Columns(NamedTuple):
    """Episodes in columns of shape (n,). A vector is known by its episode's id and `versions`, `embedded_again`."""

    ids: Ints
    audit_ids: Ints
    created_us: Ints
    recalls: Counts
    versions: Counts


@dataclass(frozen=True)
class Block:
    """Episodes in columns of shape (n,) and their unit `vectors` (n, d).

    `room` (at least n, d) is the buffer that `vectors` is the beginning of. Only the newest block made of it may
    write into its free part, which no older one can see.
    A place whose episode is gone has the id 0 and a time before all times, so that it is outside of every window.
    """

    ids: Ints
    audit_ids: Ints
    created_us: Ints
    recalls: Counts
    versions: Counts
    vectors: Matrix
    room: Matrix

    @classmethod
    def of(cls, columns: Columns, vectors: Matrix) -> "Block":
        """A block without free room."""
        return cls(*columns, vectors, vectors)

    @property
    def columns(self) -> Columns:
        """All but the vectors."""
        return Columns(self.ids, self.audit_ids, self.created_us, self.recalls, self.versions)

    def __len__(self) -> int:
        return self.ids.size

    @property
    def nbytes(self) -> int:
        """Bytes of all it holds, free room included."""
        return self.room.nbytes + self.recall_logs.nbytes + sum(column.nbytes for column in self.columns)

    @cached_property
    def recall_logs(self) -> Scores:
        """log1p of the recall counts, (n,): what recall weights are made of."""
        return np.log1p(self.recalls)

    @cached_property
    def most_recall_log(self) -> float:
        """The highest of `recall_logs`."""
        return float(self.recall_logs.max())

    @cached_property
    def newest_us(self) -> int:
        """When the newest episode was created."""
        return int(self.created_us.max())

    @cached_property
    def oldest_us(self) -> int:
        """When the oldest was created; before all times where one is gone."""
        return int(self.created_us.min())

    @cached_property
    def id_range(self) -> tuple[int, int]:
        """The lowest and the highest id."""
        return int(self.ids.min()), int(self.ids.max())

    def take(self, places: Ints) -> "Block":
        """The episodes at these places, in memory of their own."""
        return Block.of(Columns._make([column[places] for column in self.columns]), self.vectors[places])

    def grown(self, more: "Block", *, most: int) -> "Block":
        """This block with more episodes behind its own, in place where there is room; `most` it will ever hold."""
        size = len(self) + len(more)
        room = self.room if len(self.room) >= size else self._more_room(size, most)
        room[len(self) : size] = more.vectors
        return Block(*_end_to_end(self, more), vectors=room[:size], room=room)

    def _more_room(self, size: int, most: int) -> Matrix:
        capacity = max(size, min(most, max(_FIRST_ROOM, int(size * _GROWTH))))
        room = np.empty((capacity, self.room.shape[1]), dtype=np.float32)
        room[: len(self)] = self.vectors
        return room

    def without(self, ids: Ints) -> "Block":
        """This block with these episodes gone; itself where it has none of them."""
        places = np.flatnonzero(np.isin(self.ids, ids))
        if not places.size:
            return self
        own_ids, created_us = self.ids.copy(), self.created_us.copy()
        own_ids[places], created_us[places] = 0, _GONE
        return replace(self, ids=own_ids, created_us=created_us)

    def recounted(self, ids: Sequence[int], counts: Mapping[int, int]) -> "Block":
        """This block with the counts of these episodes, sorted by id; itself where it has none of them."""
        lowest, highest = self.id_range
        near = ids[bisect_left(ids, lowest) : bisect_right(ids, highest)]
        places = np.flatnonzero(np.isin(self.ids, near)) if near else ()
        if not len(places):
            return self
        recalls = self.recalls.copy()
        recalls[places] = [counts[id_] for id_ in self.ids[places].tolist()]
        return replace(self, recalls=recalls)


Blocks: TypeAlias = tuple[Block, ...]
"""Newest first, as far as episodes came in the order of their times. Only the first takes new ones."""


def most_rows(dimensions: int) -> int:
    """The most episodes in a block of this many dimensions."""
    return max(1, min(_BLOCK_ROWS, _BLOCK_BYTES // (4 * dimensions)))


def added(blocks: Blocks, more: Block, *, most: int) -> Blocks:
    """The blocks with more episodes: the first one takes them until it holds `most`, then new ones come before it."""
    start = 0
    while start < len(more):
        room = most - len(blocks[0]) if blocks else 0
        stop = min(len(more), start + (room if room > 0 else most))
        some = more.take(np.arange(start, stop))
        blocks = (blocks[0].grown(some, most=most), *blocks[1:]) if room > 0 else (some, *blocks)
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
        if packed is not block and len(kept) > 1 and len(kept[-1]) + len(packed) <= most:
            kept[-1] = _joined(kept[-1], packed)
        elif len(packed):
            kept.append(packed)
    return tuple(kept)


def _packed(block: Block, oldest_us: int) -> Block:
    if block.oldest_us >= oldest_us:
        return block
    places = np.flatnonzero(block.created_us >= oldest_us)
    return block if (len(block) - places.size) * _GONE_SHARE <= len(block) else block.take(places)


def _joined(one: Block, other: Block) -> Block:
    """Both in memory of their own, without free room."""
    return Block.of(_end_to_end(one, other), np.concatenate([one.vectors, other.vectors]))


def _end_to_end(one: Block, other: Block) -> Columns:
    return Columns(
        ids=np.concatenate([one.ids, other.ids]),
        audit_ids=np.concatenate([one.audit_ids, other.audit_ids]),
        created_us=np.concatenate([one.created_us, other.created_us]),
        recalls=np.concatenate([one.recalls, other.recalls]),
        versions=np.concatenate([one.versions, other.versions]),
    )


def key_of(ids: Ints, versions: Ints | Counts) -> Ints:
    """One number for each vector, of its episode's id and its version: (n,), (n,) -> (n,)."""
    return (ids << _VERSION_BITS) + versions


def id_of(keys: Ints) -> Ints:
    """The ids in such numbers."""
    return keys >> _VERSION_BITS


def keys_of(blocks: Iterable[Block]) -> Ints:
    """The keys of all vectors there are."""
    keys = [key_of(block.ids, block.versions)[block.ids > 0] for block in blocks]
    return np.concatenate([np.empty(0, dtype=np.int64), *keys])

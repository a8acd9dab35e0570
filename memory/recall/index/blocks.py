"""The matrix: episodes in blocks of a few thousand rows. Blocks are values: a change makes new ones, old ones stay."""

import mmap
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from memory.ranking import Indices, Ints, Matrix, Scores

Array: TypeAlias = npt.NDArray[np.generic]
Counts: TypeAlias = npt.NDArray[np.int32]

_MAX_BLOCK_BYTES = 1 << 24  # smaller blocks get no huge pages from the system, and a scan takes a tenth longer
_MAX_BLOCK_ROWS = 8192
_LARGE_BYTES = 1 << 22
_MIN_CAPACITY = 64
_GROWTH_FACTOR = 1.125
_COMPACTION_DIVISOR = 64  # a block is compacted once more than one in 64 of its positions is unused
_FEW_IDS = 16
_REMOVED_US = -(2**62)
_VERSION_BITS = 20


class Columns(NamedTuple):
    """Episodes in columns (n,), one position each: unit `vectors` (n, d); `recall_logs`, log1p of the recall counts.

    `versions`: the `embedded_again` counter of the row when its vector was read.
    """

    ids: Ints
    audit_ids: Ints
    created_us: Ints
    versions: Counts
    recalls: Counts
    recall_logs: Scores
    vectors: Matrix

    def take(self, positions: Indices) -> "Columns":
        """A copy of the episodes at these positions."""
        return Columns._make([column[positions] for column in self])

    @property
    def arrays(self) -> tuple[Array, ...]:
        """All columns, as arrays of any type."""
        return (self.ids, self.audit_ids, self.created_us, self.versions, self.recalls, self.recall_logs, self.vectors)


class Span(NamedTuple):
    """The range of ids and times. It starts at id 0 and before all times where an episode was removed."""

    lowest_id: int
    highest_id: int
    oldest_us: int
    newest_us: int

    @classmethod
    def of(cls, columns: Columns) -> "Span":
        """The range of these episodes, at least one."""
        ids, created_us = columns.ids, columns.created_us
        return cls(int(ids.min()), int(ids.max()), int(created_us.min()), int(created_us.max()))

    def extended(self, more: Columns) -> "Span":
        """The range of this one and more episodes together."""
        ids, created_us = more.ids.tolist(), more.created_us.tolist()  # mostly one row, where lists beat arrays
        return Span(
            min(self.lowest_id, *ids),
            max(self.highest_id, *ids),
            min(self.oldest_us, *created_us),
            max(self.newest_us, *created_us),
        )


@dataclass(frozen=True)
class Block:
    """The first `size` positions of a `buffer`, which may have free space behind them.

    Blocks can share a buffer. Only the newest of them may write into the free space, which older ones cannot see. A
    removed episode keeps its position with id 0 and a time before all times, so that no window holds it.
    """

    buffer: Columns
    size: int

    @classmethod
    def of(cls, columns: Columns) -> "Block":
        """A block without free space."""
        return cls(columns, columns.ids.size)

    @cached_property
    def columns(self) -> Columns:
        """The positions in use."""
        return Columns._make([column[: self.size] for column in self.buffer])

    @property
    def nbytes(self) -> int:
        """Bytes of its buffer, free space included."""
        return sum(column.nbytes for column in self.buffer)

    @cached_property
    def max_recall_log(self) -> float:
        """The highest of `recall_logs`."""
        return float(self.columns.recall_logs.max())

    @cached_property
    def span(self) -> Span:
        """The range of its ids and times."""
        return Span.of(self.columns)

    def extended(self, more: Columns, *, max_rows: int) -> "Block":
        """This block with more episodes behind its own, written in place where there is space; `max_rows` at most."""
        size = self.size + more.ids.size
        buffer = self.buffer if self.buffer.ids.size >= size else self._larger_buffer(size, max_rows)
        for column, added in zip(buffer.arrays, more.arrays, strict=True):
            column[self.size : size] = added
        return Block(buffer, size)._with_span(self.span.extended(more))

    def _with_span(self, span: Span) -> "Block":
        """This block with its span already cached, which saves a pass over its columns."""
        self.__dict__["span"] = span
        return self

    def _larger_buffer(self, size: int, max_rows: int) -> Columns:
        capacity = max(size, min(max_rows, max(_MIN_CAPACITY, int(size * _GROWTH_FACTOR))))
        return _copied(self.columns, capacity)

    def remove(self, ids: Ints) -> "Block":
        """This block without these episodes; itself where it holds none of them."""
        positions = np.flatnonzero(np.isin(self.columns.ids, ids))
        if not positions.size:
            return self
        own_ids, created_us = self.buffer.ids.copy(), self.buffer.created_us.copy()
        own_ids[positions], created_us[positions] = 0, _REMOVED_US
        return Block(self.buffer._replace(ids=own_ids, created_us=created_us), self.size)

    def with_recall_counts(self, ids: Sequence[int], counts: Mapping[int, int]) -> "Block":
        """This block with the new recall counts of `ids` (sorted); itself where it holds none of them."""
        candidates = ids[bisect_left(ids, self.span.lowest_id) : bisect_right(ids, self.span.highest_id)]
        if not candidates:
            return self
        positions = _positions_of(self.columns.ids, candidates)
        recalls, recall_logs = self.buffer.recalls.copy(), self.buffer.recall_logs.copy()
        recalls[positions] = [counts[id_] for id_ in self.columns.ids[positions].tolist()]
        recall_logs[positions] = np.log1p(recalls[positions])
        return Block(self.buffer._replace(recalls=recalls, recall_logs=recall_logs), self.size)._with_span(self.span)


def _copied(columns: Columns, capacity: int) -> Columns:
    """A copy of some columns, with space for this many rows."""
    small = [np.empty(capacity, dtype=column.dtype) for column in columns[:-1]]
    copy = Columns._make([*small, _empty_matrix(capacity, columns.vectors.shape[1])])
    for column, own in zip(copy.arrays, columns.arrays, strict=True):
        column[: len(own)] = own
    return copy


def _empty_matrix(rows: int, dimensions: int) -> Matrix:
    """A new matrix, in memory of its own where it is large: what the allocator used before comes in small pages, and a
    scan of those takes half as long again."""
    size = 4 * rows * dimensions
    if size < _LARGE_BYTES or not hasattr(mmap, "MADV_HUGEPAGE"):
        return np.empty((rows, dimensions), dtype=np.float32)
    memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    with suppress(OSError):  # a kernel without huge pages
        memory.madvise(mmap.MADV_HUGEPAGE)
    return np.frombuffer(memory, dtype=np.float32).reshape(rows, dimensions)


Blocks: TypeAlias = tuple[Block, ...]
"""Newest first, as far as episodes were added in the order of their times. Only the first block takes new ones."""


def _positions_of(ids: Ints, wanted: Sequence[int]) -> Indices:
    """The positions of `wanted`, at least one id. For a few ids this takes a quarter of the time of `np.isin`."""
    if len(wanted) > _FEW_IDS:
        return np.flatnonzero(np.isin(ids, wanted))
    is_wanted = ids == wanted[0]
    for id_ in wanted[1:]:
        is_wanted |= ids == id_
    return np.flatnonzero(is_wanted)


def max_rows_per_block(dimensions: int) -> int:
    """How many vectors of this many dimensions one block holds at most."""
    return max(1, min(_MAX_BLOCK_ROWS, _MAX_BLOCK_BYTES // (4 * dimensions)))


def append(blocks: Blocks, more: Columns, *, max_rows: int) -> Blocks:
    """The blocks with more episodes: the first block takes them up to `max_rows`, then new blocks are put before it."""
    start = 0
    while start < more.ids.size:
        free = max_rows - blocks[0].size if blocks else 0
        stop = min(more.ids.size, start + (free if free > 0 else max_rows))
        part = more if stop - start == more.ids.size else Columns._make([column[start:stop] for column in more])
        if free > 0:
            blocks = (blocks[0].extended(part, max_rows=max_rows), *blocks[1:])
        else:
            blocks = (Block.of(_copied(part, part.ids.size)), *blocks)
        start = stop
    return blocks


def remove(blocks: Blocks, ids: Ints) -> Blocks:
    """The blocks without these episodes."""
    return tuple(block.remove(ids) for block in blocks) if ids.size else blocks


def with_recall_counts(blocks: Blocks, counts: Mapping[int, int]) -> Blocks:
    """The blocks with these recall counts, by id. Unknown ids are ignored."""
    ids = sorted(counts)
    return tuple(block.with_recall_counts(ids, counts) for block in blocks) if ids else blocks


def compact(blocks: Blocks, oldest_us: int, *, max_rows: int) -> Blocks:
    """The blocks with less unused space: where enough episodes are older than `oldest_us`, a block is copied without
    them, and merged with its neighbour where both fit into one.

    Nothing is merged into the first block, which may have free space.
    """
    kept: list[Block] = []
    for block in blocks:
        compacted = _compacted(block, oldest_us)
        if compacted is not block and len(kept) > 1 and kept[-1].size + compacted.size <= max_rows:
            kept[-1] = _merged(kept[-1], compacted)
        elif compacted.size:
            kept.append(compacted)
    return tuple(kept)


def _compacted(block: Block, oldest_us: int) -> Block:
    if block.span.oldest_us >= oldest_us:
        return block
    positions = np.flatnonzero(block.columns.created_us >= oldest_us)
    is_worth_it = (block.size - positions.size) * _COMPACTION_DIVISOR > block.size
    return Block.of(block.columns.take(positions)) if is_worth_it else block


def _merged(one: Block, other: Block) -> Block:
    """One block with a copy of both, without free space."""
    pairs = zip(one.columns, other.columns, strict=True)
    return Block.of(Columns._make([np.concatenate([first, second]) for first, second in pairs]))


def count_since(blocks: Blocks, since_us: int) -> int:
    """How many episodes were created at that moment or later. Only blocks that reach past it are looked through."""
    return sum(
        block.size if block.span.oldest_us >= since_us else int(np.count_nonzero(block.columns.created_us >= since_us))
        for block in blocks
    )


def pack_keys(ids: Ints, versions: Ints | Counts) -> Ints:
    """One number for each vector, made of its episode's id and its version: (n,), (n,) -> (n,)."""
    return (ids << _VERSION_BITS) + versions


def unpack_ids(keys: Ints) -> Ints:
    """The ids in such keys: (n,) -> (n,)."""
    return keys >> _VERSION_BITS


def stored_keys(blocks: Iterable[Block]) -> Ints:
    """The keys of all vectors in the blocks."""
    keys = [pack_keys(block.columns.ids, block.columns.versions)[block.columns.ids > 0] for block in blocks]
    return np.concatenate([np.empty(0, dtype=np.int64), *keys])

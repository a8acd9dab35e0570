"""The matrix of this process, kept as fresh as the rows, whichever process changes them.

A snapshot is a value. Before a search uses the latest one, it reads two things in one statement: the revision row, and
the episodes that were recalled recently, since bumps do not move the revision. Where either shows a change, one thread
makes the next snapshot while others wait for it. Searches that are under way go on with the snapshot they have.
"""

import threading
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

import numpy as np
from django.db.backends.utils import CursorWrapper

from memory.recall.index import blocks, rows
from memory.recall.index.blocks import Blocks
from memory.recall.index.rows import IncomparableEpisode, LoadedBatch, Revision, Scope, State

RECALL_LOOKBACK = timedelta(hours=1)
"""How old a `last_recalled_at` may be when it becomes visible: a turn bumps at its end with the time of its beginning,
and the clocks of several hosts differ."""

MAX_INCOMPARABLE = 5
_CLOCK_SKEW_US = 3_600_000_000  # rows stay an hour past the window, so that threads with different clocks agree


class VectorSpace(NamedTuple):
    """Which vectors can be compared: those of one model and one length."""

    model: str
    dimensions: int


class Snapshot(NamedTuple):
    """All episodes of one vector space created since `since_us`, and what is needed to refresh them.

    `last_id`: the highest id that was read. `incomparable`: the newest episodes that cannot be compared.
    `other_lengths`: how many have a vector of its model, but of another length.
    `recalled`: the recall counts that were read last, at about `read_at`; the blocks have them.
    """

    space: VectorSpace
    since_us: int
    revision: Revision
    blocks: Blocks
    last_id: int
    incomparable: list[IncomparableEpisode]
    other_lengths: int
    read_at: datetime
    recalled: Mapping[int, int]

    @property
    def scope(self) -> Scope:
        """Which episodes it holds."""
        return Scope(self.space.model, self.space.dimensions, self.since_us)

    def covers(self, space: VectorSpace, since_us: int) -> bool:
        """Whether it holds every vector of this space since that moment."""
        return self.space == space and self.since_us <= since_us

    def is_current(self, state: State) -> bool:
        """Whether nothing changed in the database since it was made."""
        return self.revision.stamp == state.stamp and state.recalled.items() <= self.recalled.items()


class _Request(NamedTuple):
    """Which episodes a search needs, and its time."""

    space: VectorSpace
    since_us: int
    now: datetime


Purpose = Literal["recall", "question"]
"""Recall holds the episodes of its window; who asks memory a question looks at all there are."""

_lock = threading.Lock()
_latest: dict[Purpose, Snapshot] = {}


def current(
    cursor: CursorWrapper, space: VectorSpace, *, since_us: int, now: datetime, purpose: Purpose = "recall"
) -> Snapshot:
    """A snapshot as fresh as the rows. One query where nothing changed.

    Inside a transaction no snapshot is kept, since the transaction may be rolled back: after a change in it, all rows
    are read.
    """
    request = _Request(space, since_us, now)
    known = _latest.get(purpose)
    state = _read_state(cursor, known, now)
    if known is not None and known.covers(space, since_us) and known.is_current(state):
        return known
    if cursor.db.in_atomic_block:
        return _for_transaction(cursor, known, state, request)
    with _lock:
        if _latest.get(purpose) is not known:  # another thread made a snapshot while this one waited
            known = _latest.get(purpose)
            state = _read_state(cursor, known, now)
            if known is not None and known.covers(space, since_us) and known.is_current(state):
                return known
        _latest[purpose] = made = _next(cursor, known, state, request)
        return made


def forget() -> None:
    """Forget what this process has read. For one whose database was replaced: the new one repeats ids."""
    with _lock:
        _latest.clear()


def _read_state(cursor: CursorWrapper, known: Snapshot | None, now: datetime) -> State:
    read_at = now if known is None else min(known.read_at, now)
    return rows.state(cursor, read_at - RECALL_LOOKBACK)


def _for_transaction(cursor: CursorWrapper, known: Snapshot | None, state: State, request: _Request) -> Snapshot:
    """A snapshot of what this transaction sees."""
    if known is None or not known.covers(request.space, request.since_us) or known.revision.stamp != state.stamp:
        return _load_all(cursor, state, request)
    return known._replace(blocks=blocks.with_recall_counts(known.blocks, state.recalled))


def _next(cursor: CursorWrapper, known: Snapshot | None, state: State, request: _Request) -> Snapshot:
    """The snapshot after `known`. The revision is read before the rows: these may be newer than it, never older."""
    if known is None or not known.covers(request.space, request.since_us):
        return _load_all(cursor, state, request)
    if known.revision.stamp == state.stamp:
        return _at_state(known, known.revision, state, request)
    revision, added = rows.load_added(cursor, known.last_id, known.scope)
    grown = _with_batches(known, [added])
    if added.incomparable:
        grown = grown._replace(other_lengths=rows.count_of_other_lengths(cursor, known.scope))
    if known.revision.changed != revision.changed:
        grown = _with_present_vectors(cursor, grown)
    return _at_state(grown, revision, state, request)


def _load_all(cursor: CursorWrapper, state: State, request: _Request) -> Snapshot:
    """A snapshot with all rows read and parsed anew. The order matters: the revision first, then `last_id`."""
    revision = rows.revision()
    empty = Snapshot(
        space=request.space,
        since_us=request.since_us - _CLOCK_SKEW_US,
        revision=revision,
        blocks=(),
        last_id=rows.last_id(cursor),
        incomparable=rows.newest_incomparable(Scope(*request.space, request.since_us), MAX_INCOMPARABLE),
        other_lengths=0,
        read_at=request.now,
        recalled={},
    )
    full = _with_batches(empty, rows.load_all(empty.scope))
    return full._replace(
        blocks=blocks.with_recall_counts(full.blocks, state.recalled),
        other_lengths=rows.count_of_other_lengths(cursor, full.scope),
        recalled=state.recalled,
    )


def _with_present_vectors(cursor: CursorWrapper, known: Snapshot) -> Snapshot:
    """The snapshot with exactly the vectors that the model has now. Only vectors it does not hold yet are read."""
    present, held = rows.vector_keys(cursor, known.scope), blocks.stored_keys(known.blocks)
    kept = known._replace(
        blocks=blocks.remove(known.blocks, blocks.unpack_ids(np.setdiff1d(held, present))),
        last_id=max(known.last_id, int(blocks.unpack_ids(present).max(initial=0))),
        incomparable=rows.newest_incomparable(known.scope, MAX_INCOMPARABLE),
        other_lengths=rows.count_of_other_lengths(cursor, known.scope),
    )
    missing = blocks.unpack_ids(np.setdiff1d(present, held))
    return _with_batches(kept, rows.load_by_ids(cursor, missing, known.scope))


def _with_batches(known: Snapshot, batches: Iterable[LoadedBatch]) -> Snapshot:
    """The snapshot with more episodes."""
    grown, last_id, incomparable = known.blocks, known.last_id, known.incomparable
    max_rows = blocks.max_rows_per_block(known.space.dimensions)
    for batch in batches:
        grown = blocks.append(grown, batch.columns, max_rows=max_rows)
        last_id = max(last_id, batch.last_id)
        if batch.incomparable:
            incomparable = sorted({*incomparable, *batch.incomparable}, reverse=True)[:MAX_INCOMPARABLE]
    return known._replace(blocks=grown, last_id=last_id, incomparable=incomparable)


def _at_state(known: Snapshot, revision: Revision, state: State, request: _Request) -> Snapshot:
    """The snapshot with the recall counts of `state`, without rows that have left the window since."""
    since_us = max(known.since_us, request.since_us - _CLOCK_SKEW_US)
    changed = {id_: count for id_, count in state.recalled.items() if known.recalled.get(id_) != count}
    recounted = blocks.with_recall_counts(known.blocks, changed)
    return known._replace(
        since_us=since_us,
        revision=revision,
        blocks=blocks.compact(recounted, since_us, max_rows=blocks.max_rows_per_block(known.space.dimensions)),
        read_at=request.now,
        recalled=state.recalled,
    )


def matrix_bytes() -> tuple[int, int]:
    """How many bytes the matrix of this process takes, and how many episodes it holds."""
    held = [block for snapshot in _latest.values() for block in snapshot.blocks]
    return sum(block.nbytes for block in held), blocks.stored_keys(held).size

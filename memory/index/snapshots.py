"""The matrix of this process, kept as fresh as the rows, whichever process changes them.

A snapshot is a value. A search looks at two things before it uses the last one: the revision row, and the episodes
recalled lately (bumps do not move the revision). Where either tells of a change, one thread makes the next snapshot
while others wait for it; searches under way go on with theirs.
"""

import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import NamedTuple

import numpy as np

from memory.index import blocks, rows
from memory.index.blocks import Blocks
from memory.index.rows import Loaded, Revision, Stranger

RECALLS_REACH_BACK = timedelta(hours=1)
"""How far a bump's `last_recalled_at` may lie behind the moment it got visible: a turn is bumped at its end with the
time of its beginning, and the clocks of several hosts differ."""

STRANGERS = 5
_SLACK_US = 3_600_000_000  # rows stay an hour past the window, so that threads whose clocks differ agree


class Key(NamedTuple):
    """Which vectors can be compared."""

    model: str
    dimensions: int


@dataclass(frozen=True)
class Snapshot:
    """All episodes of one model and length that were created since `since_us`, and what it takes to go on from here.

    `last_id`: the highest id that was looked at. `strangers`: the newest episodes that cannot be compared.
    `recalled`: the recall counts that were read last, at about `read_at`, and are in the blocks.
    """

    key: Key
    since_us: int
    revision: Revision
    blocks: Blocks
    last_id: int
    strangers: list[Stranger]
    read_at: datetime
    recalled: Mapping[int, int] = field(default_factory=dict)

    def reaches(self, key: Key, since_us: int) -> bool:
        """Whether it holds everything of this kind since that moment."""
        return self.key == key and self.since_us <= since_us

    def is_as_of(self, seen: "_Seen") -> bool:
        """Whether it is what the database says now."""
        return self.revision == seen.revision and seen.recalled.items() <= self.recalled.items()


class _Seen(NamedTuple):
    """What a search looks at first."""

    revision: Revision
    recalled: Mapping[int, int]


def _look(known: Snapshot | None, now: datetime) -> _Seen:
    read_at = now if known is None else min(known.read_at, now)
    with rows.connection().cursor() as cursor:
        return _Seen(rows.revision(cursor), rows.recalls_since(cursor, read_at - RECALLS_REACH_BACK))


_lock = threading.Lock()
_last: Snapshot | None = None


def current(key: Key, *, since_us: int, now: datetime) -> Snapshot:
    """A snapshot as fresh as the rows are. Two queries where nothing changed.

    In a transaction nothing is kept, since it may be undone: after a change in it all rows are read.
    """
    global _last
    known = _last
    seen = _look(known, now)
    if known is not None and known.reaches(key, since_us) and known.is_as_of(seen):
        return known
    if rows.connection().in_atomic_block:
        return _within_transaction(known, seen, key, since_us, now)
    with _lock:
        known = _last
        seen = _look(known, now)  # again: while this thread waited, another may have gone further
        if known is None or not known.reaches(key, since_us) or not known.is_as_of(seen):
            known = _last = _next(known, seen, key, since_us, now)
        return known


def _within_transaction(known: Snapshot | None, seen: _Seen, key: Key, since_us: int, now: datetime) -> Snapshot:
    if known is None or not known.reaches(key, since_us) or known.revision != seen.revision:
        return _loaded(seen, key, since_us, now)
    return replace(known, blocks=blocks.recounted(known.blocks, seen.recalled))


def _next(known: Snapshot | None, seen: _Seen, key: Key, since_us: int, now: datetime) -> Snapshot:
    if known is None or not known.reaches(key, since_us):
        return _loaded(seen, key, since_us, now)
    if known.revision.changed != seen.revision.changed:
        known = _with_same_vectors(known)
    elif known.revision.added != seen.revision.added:
        known = _with(known, rows.after(known.last_id, *key))
    return _tidied(known, seen, since_us, now)


def _loaded(seen: _Seen, key: Key, since_us: int, now: datetime) -> Snapshot:
    """All rows, read and parsed."""
    empty = Snapshot(
        key=key,
        since_us=since_us - _SLACK_US,
        revision=seen.revision,
        blocks=(),
        last_id=rows.last_id(),
        strangers=rows.other_models(key.model, since_us, STRANGERS),
        read_at=now,
    )
    full = _with(empty, rows.of_model(key.model, empty.since_us, key.dimensions))
    return replace(full, blocks=blocks.recounted(full.blocks, seen.recalled), recalled=seen.recalled)


def _with_same_vectors(known: Snapshot) -> Snapshot:
    """The snapshot with exactly the vectors that the model has now: only those that came are read."""
    model, dimensions = known.key
    present, own = rows.keys_of_model(model, known.since_us), blocks.keys_of(known.blocks)
    kept = replace(
        known,
        blocks=blocks.without(known.blocks, blocks.id_of(np.setdiff1d(own, present))),
        last_id=max(known.last_id, int(blocks.id_of(present).max(initial=0))),
        strangers=rows.other_models(model, known.since_us, STRANGERS),
    )
    return _with(kept, rows.these(blocks.id_of(np.setdiff1d(present, own)), model, dimensions))


def _with(known: Snapshot, loaded: Iterable[Loaded]) -> Snapshot:
    own, last_id, strangers = known.blocks, known.last_id, known.strangers
    for some in loaded:
        young = np.flatnonzero(some.block.created_us >= known.since_us)
        own = blocks.added(own, some.block.take(young), most=blocks.most_rows(known.key.dimensions))
        last_id = max(last_id, some.last_id)
        strangers = sorted({*strangers, *some.strangers}, reverse=True)[:STRANGERS]
    return replace(known, blocks=own, last_id=last_id, strangers=strangers)


def _tidied(known: Snapshot, seen: _Seen, since_us: int, now: datetime) -> Snapshot:
    """The snapshot as of what was seen, without the rows that time has taken out of the window."""
    oldest_us = max(known.since_us, since_us - _SLACK_US)
    news = dict(seen.recalled.items() - known.recalled.items())
    return replace(
        known,
        since_us=oldest_us,
        revision=seen.revision,
        blocks=blocks.tidied(
            blocks.recounted(known.blocks, news), oldest_us, most=blocks.most_rows(known.key.dimensions)
        ),
        read_at=now,
        recalled=seen.recalled,
    )


def matrix_bytes() -> tuple[int, int]:
    """What the matrix of this process takes in memory, and how many episodes it is of."""
    own = _last.blocks if _last is not None else ()
    return sum(block.nbytes for block in own), blocks.keys_of(own).size

"""The matrix of this process, kept as fresh as the rows, whichever process changes them.

A snapshot is a value. A search looks at two things before it uses the last one: the revision row, and the episodes
recalled lately (bumps do not move the revision). Where either tells of a change, one thread makes the next snapshot
while others wait for it; searches under way go on with theirs.
"""

import threading
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

import numpy as np
from django.db.backends.utils import CursorWrapper

from memory.recall.index import blocks, rows
from memory.recall.index.blocks import Blocks
from memory.recall.index.rows import Loaded, Revision, Stranger

RECALLS_REACH_BACK = timedelta(hours=1)
"""How far a bump's `last_recalled_at` may lie behind the moment it got visible: a turn is bumped at its end with the
time of its beginning, and the clocks of several hosts differ."""

STRANGERS = 5
_SLACK_US = 3_600_000_000  # rows stay an hour past the window, so that threads whose clocks differ agree


class Key(NamedTuple):
    """Which vectors can be compared."""

    model: str
    dimensions: int


class Snapshot(NamedTuple):
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
    recalled: Mapping[int, int]

    @property
    def kind(self) -> tuple[str, int, int]:
        """Model, time and length of the vectors it holds."""
        return self.key.model, self.since_us, self.key.dimensions

    def reaches(self, key: Key, since_us: int) -> bool:
        """Whether it holds everything of this kind since that moment."""
        return self.key == key and self.since_us <= since_us

    def is_as_of(self, seen: "_Seen") -> bool:
        """Whether it is what the database says now."""
        return self.revision.stamp == seen.stamp and seen.recalled.items() <= self.recalled.items()


class _Seen(NamedTuple):
    """What a search looks at first."""

    stamp: int
    recalled: Mapping[int, int]


def _look(cursor: CursorWrapper, known: Snapshot | None, now: datetime) -> _Seen:
    read_at = now if known is None else min(known.read_at, now)
    return _Seen(rows.stamp(cursor), rows.recalls_since(cursor, read_at - RECALLS_REACH_BACK))


_lock = threading.Lock()
_last: Snapshot | None = None


def current(key: Key, *, since_us: int, now: datetime) -> Snapshot:
    """A snapshot as fresh as the rows are. Two queries where nothing changed.

    In a transaction nothing is kept, since it may be undone: after a change in it all rows are read.
    """
    global _last
    with rows.connection().cursor() as cursor:
        known = _last
        seen = _look(cursor, known, now)
        if known is not None and known.reaches(key, since_us) and known.is_as_of(seen):
            return known
        if cursor.db.in_atomic_block:
            return _within_transaction(cursor, known, seen, _Wish(key, since_us, now))
        with _lock:
            if _last is not known:  # while this thread waited, another went further
                known = _last
                seen = _look(cursor, known, now)
                if known is not None and known.reaches(key, since_us) and known.is_as_of(seen):
                    return known
            _last = _next(cursor, known, seen, _Wish(key, since_us, now))
            return _last


class _Wish(NamedTuple):
    """What a snapshot has to be of."""

    key: Key
    since_us: int
    now: datetime


def _within_transaction(cursor: CursorWrapper, known: Snapshot | None, seen: _Seen, wish: _Wish) -> Snapshot:
    if known is None or not known.reaches(wish.key, wish.since_us) or known.revision.stamp != seen.stamp:
        return _loaded(cursor, rows.revision(), seen, wish)
    return known._replace(blocks=blocks.recounted(known.blocks, seen.recalled))


def _next(cursor: CursorWrapper, known: Snapshot | None, seen: _Seen, wish: _Wish) -> Snapshot:
    """The snapshot after `known`. The revision is looked at first: what is read after it may be newer, never older."""
    if known is None or not known.reaches(wish.key, wish.since_us):
        return _loaded(cursor, rows.revision(), seen, wish)
    if known.revision.stamp == seen.stamp:
        return _as_of(known, known.revision, seen, wish)
    revision, news = rows.after(cursor, known.last_id, *known.kind)
    grown = _with(known, [news])
    if known.revision.changed != revision.changed:
        grown = _with_same_vectors(cursor, grown)
    return _as_of(grown, revision, seen, wish)


def _loaded(cursor: CursorWrapper, revision: Revision, seen: _Seen, wish: _Wish) -> Snapshot:
    """All rows, read and parsed."""
    empty = Snapshot(
        key=wish.key,
        since_us=wish.since_us - _SLACK_US,
        revision=revision,
        blocks=(),
        last_id=rows.last_id(cursor),
        strangers=rows.other_models(wish.key.model, wish.since_us, STRANGERS),
        read_at=wish.now,
        recalled={},
    )
    full = _with(empty, rows.of_model(*empty.kind))
    return full._replace(blocks=blocks.recounted(full.blocks, seen.recalled), recalled=seen.recalled)


def _with_same_vectors(cursor: CursorWrapper, known: Snapshot) -> Snapshot:
    """The snapshot with exactly the vectors that the model has now: only those that came are read."""
    model = known.key.model
    present, own = rows.keys_of_model(cursor, model, known.since_us), blocks.keys_of(known.blocks)
    kept = known._replace(
        blocks=blocks.without(known.blocks, blocks.id_of(np.setdiff1d(own, present))),
        last_id=max(known.last_id, int(blocks.id_of(present).max(initial=0))),
        strangers=rows.other_models(model, known.since_us, STRANGERS),
    )
    return _with(kept, rows.these(cursor, blocks.id_of(np.setdiff1d(present, own)), *known.kind))


def _with(known: Snapshot, loaded: Iterable[Loaded]) -> Snapshot:
    own, last_id, strangers = known.blocks, known.last_id, known.strangers
    for some in loaded:
        own = blocks.added(own, some.columns, most=blocks.most_rows(known.key.dimensions))
        last_id = max(last_id, some.last_id)
        if some.strangers:
            strangers = sorted({*strangers, *some.strangers}, reverse=True)[:STRANGERS]
    return known._replace(blocks=own, last_id=last_id, strangers=strangers)


def _as_of(known: Snapshot, revision: Revision, seen: _Seen, wish: _Wish) -> Snapshot:
    """The snapshot with what was seen, without the rows that time has taken out of the window."""
    since_us = max(known.since_us, wish.since_us - _SLACK_US)
    news = {id_: count for id_, count in seen.recalled.items() if known.recalled.get(id_) != count}
    own = blocks.recounted(known.blocks, news)
    return known._replace(
        since_us=since_us,
        revision=revision,
        blocks=blocks.tidied(own, since_us, most=blocks.most_rows(known.key.dimensions)),
        read_at=wish.now,
        recalled=seen.recalled,
    )


def matrix_bytes() -> tuple[int, int]:
    """What the matrix of this process takes in memory, and how many episodes it is of."""
    own = _last.blocks if _last is not None else ()
    return sum(block.nbytes for block in own), blocks.keys_of(own).size

"""What is searched in this process, kept as fresh as the rows by the same counters as the matrix of summaries.

A snapshot is a value: searches that are under way go on with the one they have. The units that were added since the
last one are a small segment behind the large one, until it is worth making them one.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from caesar import metrics
from memory.ranking import Flags, Indices, Ints, Matrix
from memory.recall.hybrid import rows
from memory.recall.hybrid.segments import Segment, StoredUnits, segment_of, unpack_ids
from memory.recall.hybrid.words import Corpus
from memory.recall.index import rows as episode_rows
from memory.recall.index.rows import Revision

_MERGE_DIVISOR = 8
_SMALL = 64


@dataclass(frozen=True)
class Snapshot:
    """The units of all episodes, with vectors where `model` made them in `dimensions` numbers."""

    model: str
    dimensions: int
    revision: Revision
    last_id: int
    segments: Sequence[Segment]
    """A large one, and a small one of what was added since."""

    general: Matrix
    """(m, d) the vectors of the general messages."""

    @cached_property
    def columns(self) -> Ints:
        """(5, n): episode ids, versions, chat ids, times in microseconds, conversations."""
        return np.concatenate([np.empty((5, 0), np.int64), *(segment.columns for segment in self.segments)], axis=1)

    @cached_property
    def is_there(self) -> Flags:
        """(n,) which of them were not removed."""
        return np.concatenate([np.empty(0, np.bool_), *(segment.is_there for segment in self.segments)])

    @cached_property
    def oldest_first(self) -> Indices:
        """(n,) all of them by age; those of the same moment with the lowest id last."""
        ids, _, _, times, _ = self.columns
        return np.lexsort((-ids, times))

    @cached_property
    def corpus(self) -> Corpus:
        """Its segments, with the conversation that each chat belongs to."""
        known, owners = np.unique(self.columns[4], return_inverse=True)
        return Corpus(self.segments, owners, known.size)

    @property
    def keys(self) -> Ints:
        """The keys of the units it holds."""
        held = [segment.keys[segment.is_there] for segment in self.segments]
        return np.concatenate([np.empty(0, np.int64), *held])


_lock = threading.Lock()
_latest: Snapshot | None = None


def current(model: str, dimensions: int) -> Snapshot:
    """A snapshot as fresh as the rows. One query where nothing changed.

    Inside a transaction none is kept, since it may be rolled back.
    """
    global _latest
    with episode_rows.connection().cursor() as cursor:
        stamp = episode_rows.stamp(cursor)
        in_transaction = cursor.db.in_atomic_block
    known = _latest
    if known is not None and _is_of(known, model, dimensions) and known.revision.stamp == stamp:
        return known
    if in_transaction:
        return _load_all(model, dimensions)
    with _lock:
        known = _latest
        if known is None or not _is_of(known, model, dimensions):
            _latest = _load_all(model, dimensions)
        else:
            _latest = _next(known)
        size_bytes, windows = memory_bytes()
        metrics.note_index("units", size_bytes=size_bytes, entries=windows)
        return _latest


def forget() -> None:
    """Let go of what this process holds."""
    global _latest
    with _lock:
        _latest = None


def memory_bytes() -> tuple[int, int]:
    """How many bytes this process holds, and how many windows they are of."""
    held = _latest.segments if _latest is not None else ()
    return sum(segment.nbytes for segment in held), sum(segment.scales.size for segment in held)


def _is_of(known: Snapshot, model: str, dimensions: int) -> bool:
    return (known.model, known.dimensions) == (model, dimensions)


def _load_all(model: str, dimensions: int) -> Snapshot:
    """A snapshot with all rows read anew. The revision is read first: the rows may be newer than it, never older."""
    revision = episode_rows.revision()
    stored = rows.load(model=model)
    last_id = stored[-1].episode_id if stored else 0
    segments = [segment_of(stored, dimensions)] if stored else []
    return Snapshot(model, dimensions, revision, last_id, segments, rows.general_vectors(model, dimensions))


def _next(known: Snapshot) -> Snapshot:
    """The snapshot after `known`."""
    revision = episode_rows.revision()
    if revision.stamp == known.revision.stamp:
        return known
    if known.revision.is_of_another_memory(revision):
        return _load_all(known.model, known.dimensions)
    if revision.changed != known.revision.changed:
        known = _with_present(known)
    added = rows.load(after=known.last_id, model=known.model)
    grown = _with(known, added)
    has_general = grown.general.size > 0 or not added
    return replace(
        grown,
        revision=revision,
        last_id=added[-1].episode_id if added else known.last_id,
        general=grown.general if has_general else rows.general_vectors(known.model, known.dimensions),
    )


def _with_present(known: Snapshot) -> Snapshot:
    """The snapshot with exactly the units that there are now, up to its last id."""
    present, held = rows.present_keys(), known.keys
    segments = [segment.without(present) for segment in known.segments]
    if any(np.count_nonzero(segment.is_there) * 2 < segment.size for segment in segments):
        return _load_all(known.model, known.dimensions)
    kept = replace(known, segments=segments)
    missing = unpack_ids(np.setdiff1d(present, held))
    changed = rows.load_by_ids(missing[missing <= known.last_id].tolist(), model=known.model)
    return _with(kept, changed)


def _with(known: Snapshot, added: Sequence[StoredUnits]) -> Snapshot:
    """The snapshot with more units: in its small segment, or all in one anew where that has grown too large."""
    if not added:
        return known
    more = segment_of(added, known.dimensions)
    if not known.segments:
        return replace(known, segments=[more])
    large, *small = known.segments
    grown = small[0].followed_by(more) if small else more
    if grown.size * _MERGE_DIVISOR > max(large.size, _SMALL):
        return replace(known, segments=[large.followed_by(grown)])
    return replace(known, segments=[large, grown])

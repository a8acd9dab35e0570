"""Which episodes fit a message: the exact answer of ADR-0034 §3 and §4 over the rows.

The float32 matrix only chooses which rows are read. The cosines and scores of hits are computed in float64 from the
vectors as they are stored.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import islice, zip_longest
from typing import NamedTuple

import numpy as np
from django.db.backends.utils import CursorWrapper

from memory import ranking
from memory.recall.index import blocks, rescoring, rows, scan, snapshots
from memory.recall.index.results import Query, SearchResult
from memory.recall.index.rows import StoredEpisode
from memory.recall.index.scan import Candidates, NearCandidate, ScanQuery, Shortlist
from memory.recall.index.snapshots import Snapshot, VectorSpace

NEAR_MISSES = 5
_MAX_ATTEMPTS = 3


def search(query: Query) -> SearchResult:
    """The `top_k` episodes by score among those of the window that are similar enough. Writes nothing.

    The window is `created_at >= now - max_age_days`, its edge included. It has no end: an episode from the future
    counts as age 0. A cosine that equals the threshold passes. Ties go to the newer, then to the lower id. Never
    found: empty summaries, excluded chats, vectors of another model or length, not finite or all zero. A query that
    cannot be compared, or a `top_k` below 1, finds nothing.

    The answer is that of one moment. Where rows or recall counts change while it is made, it is made again, at most
    twice; after that, each row counts as it was read last. Two queries; more after a change. Safe in threads.
    """
    vector = np.asarray(query.vector, dtype=np.float64)
    if query.top_k < 1 or vector.ndim != 1 or not ranking.is_comparable(vector):
        return SearchResult([], [], query.threshold.base)
    asked = scan_query(query, ranking.unit(vector))
    with rows.connection().cursor() as cursor:
        for _ in range(_MAX_ATTEMPTS):
            reading = _read(cursor, query, asked)
            if reading.is_of_one_moment:
                break
    return _result(query, reading)


def preload(model: str, *, max_age_days: int, now: datetime) -> int:
    """Read into memory what the first search would have to read; returns how many episodes that is.

    The vector length is that of the model's newest episode. 0 where there is none.
    """
    dimensions = rows.newest_dimensions(model)
    if not dimensions:
        return 0
    since_us = rows.to_microseconds(now - timedelta(days=max_age_days))
    with rows.connection().cursor() as cursor:
        snapshot = snapshots.current(cursor, VectorSpace(model, dimensions), since_us=since_us, now=now)
    return blocks.stored_keys(snapshot.blocks).size


def count(model: str, *, max_age_days: int, now: datetime) -> int:
    """How many episodes the search of a message compares it with. One query."""
    return rows.count_of_model(model, rows.to_microseconds(now - timedelta(days=max_age_days)))


def scan_query(query: Query, unit: ranking.Matrix) -> ScanQuery:
    """The query as the scan takes it, with the threshold among few. `unit`: its vector (d,) at unit length."""
    return ScanQuery(
        vector=unit,
        now_us=rows.to_microseconds(query.now),
        since_us=rows.to_microseconds(query.now - timedelta(days=query.max_age_days)),
        threshold=query.threshold.base,
        halflife_days=query.halflife_days,
        recall_weight_scale=query.recall_weight_scale,
        top_k=query.top_k,
        excluded_chats=np.array(sorted(query.excluded_chats), dtype=np.int64),
        cosine_error=ranking.float32_error(unit.size),
    )


class _Reading(NamedTuple):
    """What one attempt found in the matrix, and the rows of it.

    `is_of_one_moment`: no episode and no recall count changed between the matrix and the rows.
    """

    scanned: ScanQuery
    finalists: Candidates
    near_misses: list[NearCandidate]
    stored: Mapping[int, StoredEpisode]
    other_lengths: int
    is_of_one_moment: bool


def _read(cursor: CursorWrapper, query: Query, asked: ScanQuery) -> _Reading:
    space = VectorSpace(query.model, asked.vector.size)
    purpose: snapshots.Purpose = "question" if query.is_question else "recall"
    snapshot = snapshots.current(cursor, space, since_us=asked.since_us, now=query.now, purpose=purpose)
    episodes = blocks.count_since(snapshot.blocks, asked.since_us) if query.threshold.rise else 0
    scanned = replace(asked, threshold=query.threshold.among(episodes))
    shortlist = scan.shortlist(snapshot.blocks, scanned)
    near_misses = list(_near_misses(shortlist, snapshot, scanned))
    # Last, with the stamp of its own moment: whatever changed since the snapshot shows in it.
    missed = [item.id for item in near_misses]
    stored, stamps = rows.read_episodes(cursor, shortlist.finalists.ids.tolist(), without_vectors=missed)
    is_of_one_moment = stamps == {snapshot.revision.stamp} and _has_same_counts(shortlist.finalists, stored)
    return _Reading(scanned, shortlist.finalists, near_misses, stored, snapshot.other_lengths, is_of_one_moment)


def _has_same_counts(finalists: Candidates, stored: Mapping[int, StoredEpisode]) -> bool:
    """Whether the recall counts are still those of the matrix. Bumps do not move the revision."""
    counts = zip(finalists.ids.tolist(), finalists.recalls.tolist(), strict=True)
    return all(id_ in stored and stored[id_].recall_count == count for id_, count in counts)


def _near_misses(shortlist: Shortlist, snapshot: Snapshot, scanned: ScanQuery) -> Iterator[NearCandidate]:
    """The closest of each reason in turn, up to five."""
    excluded = set(scanned.excluded_chats.tolist())
    incomparable = [
        NearCandidate(episode.id, episode.audit_log_id, episode.created_us, "other_model")
        for episode in snapshot.incomparable
        if episode.created_us >= scanned.since_us and episode.audit_log_id not in excluded
    ]
    rounds = zip_longest(*shortlist.near_misses.values(), incomparable)
    return islice((item for one_round in rounds for item in one_round if item is not None), NEAR_MISSES)


def _result(query: Query, reading: _Reading) -> SearchResult:
    """Hits and near misses. Finalists that did not make it are near misses too, before those of the scan."""
    ranked = rescoring.rank(query, reading.scanned, reading.finalists, reading.stored)
    hits = [item.hit() for item in ranked[: query.top_k] if item.passes]
    misses = [item.near_miss() for item in ranked[len(hits) :] if item.cosine >= 0.0]
    near = [(item, reading.stored.get(item.id)) for item in reading.near_misses]
    misses += [rescoring.near_miss(item, row.summary) for item, row in near if row is not None and row.summary]
    return SearchResult(hits, misses[:NEAR_MISSES], reading.scanned.threshold, reading.other_lengths)

"""Which episodes fit a message: the exact answer of ADR-0034 §3 and §4 over the rows."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from itertools import islice, zip_longest

import numpy as np

from memory import ranking
from memory.recall.index import blocks, rescoring, rows, scan, snapshots
from memory.recall.index.results import Found, Query
from memory.recall.index.rows import Stored
from memory.recall.index.scan import Near, Picked, Shortlist, Wanted
from memory.recall.index.snapshots import Key, Snapshot

NEAR_MISSES = 5
_TRIES = 3


def search(query: Query) -> Found:
    """The `top_k` episodes by score among those of the window that are similar enough. Writes nothing.

    The window is `created_at >= now - max_age_days`, its edge included, and has no end: an episode from the future
    counts as age 0. A cosine that equals the threshold passes. Ties go to the newer, then to the lower id. Never
    found: empty summaries, other models, vectors of another length, not finite or all zero, chats of `left_out`.
    A query that cannot be compared, or a `top_k` below 1, finds nothing.

    Cosines and scores of hits are float64, of the vectors as they are stored; the float32 matrix only chooses which
    rows are read. The answer is that of one moment: where rows or recall counts changed between the first look and
    the last, it is made again (up to twice; then each row counts as it was read last).

    Near misses, up to five, the closest of each reason in turn: what passed but for `top_k` ("cap"), what passed but
    is of `left_out` ("same_conversation"), what came closest to the threshold ("below_threshold"), what passed but
    has left the window so lately that it is still in memory ("too_old"), the newest that cannot be compared
    ("other_model"). The first three are looked for among the episodes the scan compared: all of the window where
    fewer than `top_k` pass, else at least those that could have won. Their cosines are float32's.

    Four queries; more after a change. Safe in threads.
    """
    vector = np.asarray(query.vector, dtype=np.float64)
    if query.top_k < 1 or vector.ndim != 1 or not ranking.is_comparable(vector):
        return Found([], [])
    wanted = _wanted(query, ranking.unit(vector))
    for tries_left in reversed(range(_TRIES)):
        snapshot = snapshots.current(Key(query.model, vector.size), since_us=wanted.since_us, now=query.now)
        listed = scan.shortlist(snapshot.blocks, wanted)
        near = list(_near(listed, snapshot, wanted))
        summaries = rows.summaries([item.id for item in near])
        stored, stamps = rows.read(listed.finalists.ids.tolist())
        if not tries_left or (stamps == {snapshot.revision.stamp} and _same_counts(listed.finalists, stored)):
            break
    ranked = rescoring.ranked(query, wanted, listed.finalists, stored)
    hits = [item.hit() for item in ranked[: query.top_k] if item.passes]
    misses = [item.miss() for item in ranked[len(hits) :]]
    misses += [rescoring.miss(item, summaries[item.id]) for item in near if item.id in summaries]
    return Found(hits, misses[:NEAR_MISSES])


def load(model: str, *, max_age_days: int, now: datetime) -> int:
    """Read into memory what the first search would have to read; how many episodes that is.

    The length of its vectors is taken from the model's newest, 0 where there is none.
    """
    dimensions = rows.newest_length(model)
    if not dimensions:
        return 0
    since_us = rows.microseconds(now - timedelta(days=max_age_days))
    return blocks.keys_of(snapshots.current(Key(model, dimensions), since_us=since_us, now=now).blocks).size


def _wanted(query: Query, unit: ranking.Matrix) -> Wanted:
    return Wanted(
        vector=unit,
        now_us=rows.microseconds(query.now),
        since_us=rows.microseconds(query.now - timedelta(days=query.max_age_days)),
        threshold=query.threshold,
        halflife_days=query.halflife_days,
        recall_weight_scale=query.recall_weight_scale,
        top_k=query.top_k,
        left_out=np.array(sorted(query.left_out), dtype=np.int64),
        error=ranking.float32_error(unit.size),
    )


def _same_counts(finalists: Picked, stored: Mapping[int, Stored]) -> bool:
    counts = zip(finalists.ids.tolist(), finalists.recalls.tolist(), strict=True)
    return all(id_ in stored and stored[id_].recall_count == count for id_, count in counts)


def _near(listed: Shortlist, snapshot: Snapshot, wanted: Wanted) -> Iterator[Near]:
    """The closest of each reason in turn, up to five."""
    left_out = set(wanted.left_out.tolist())
    strangers = [
        Near(stranger.id, stranger.audit_log_id, stranger.created_us, "other_model")
        for stranger in snapshot.strangers
        if stranger.created_us >= wanted.since_us and stranger.audit_log_id not in left_out
    ]
    in_turn = (item for turn in zip_longest(*listed.near.values(), strangers) for item in turn if item is not None)
    return islice(in_turn, NEAR_MISSES)

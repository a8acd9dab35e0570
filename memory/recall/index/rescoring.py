"""The exact scores of the finalists: cosines and scores in float64, from the rows as they were read."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from memory import ranking
from memory.recall.index.results import ROUNDING_TOLERANCE, Hit, NearMiss, Query
from memory.recall.index.rows import StoredEpisode, to_datetime
from memory.recall.index.scan import Candidates, NearCandidate, ScanQuery


@dataclass(frozen=True)
class RescoredEpisode:
    """A finalist with its score and the score's parts in float64."""

    id: int
    created_us: int
    row: StoredEpisode
    cosine: float
    freshness: float
    recall_weight: float
    score: float
    passes: bool

    def hit(self) -> Hit:
        """The finalist as a hit."""
        return Hit(
            episode_id=self.id,
            audit_log_id=self.row.audit_log_id,
            summary=self.row.summary,
            created_at=to_datetime(self.created_us),
            recall_count=self.row.recall_count,
            cosine=self.cosine,
            freshness=self.freshness,
            recall_weight=self.recall_weight,
            score=self.score,
        )

    def near_miss(self) -> NearMiss:
        """The finalist as a near miss: it scored too low, or its exact cosine is below the threshold."""
        return NearMiss(
            episode_id=self.id,
            audit_log_id=self.row.audit_log_id,
            summary=self.row.summary,
            created_at=to_datetime(self.created_us),
            reason="cap" if self.passes else "below_threshold",
            cosine=self.cosine,
            score=self.score,
        )


def rank(
    query: Query, scanned: ScanQuery, finalists: Candidates, stored: Mapping[int, StoredEpisode]
) -> list[RescoredEpisode]:
    """The finalists, best first, those below the threshold last, without rows that are gone or not comparable now."""
    pairs = zip(finalists.ids.tolist(), finalists.created_us.tolist(), strict=True)
    present = [(id_, created_us, stored[id_]) for id_, created_us in pairs if _is_comparable(stored.get(id_), query)]
    rescored = list(_rescore(query, scanned, present))
    order = ranking.order(
        np.array([item.score if item.passes else -np.inf for item in rescored], dtype=np.float64),
        np.array([item.created_us for item in rescored], dtype=np.int64),
        np.array([item.id for item in rescored], dtype=np.int64),
    )
    return [rescored[position] for position in order.tolist()]


def _is_comparable(row: StoredEpisode | None, query: Query) -> bool:
    if row is None or row.vector is None or not row.summary:
        return False
    return row.model == query.model and row.vector.size == query.vector.size


def _rescore(
    query: Query, scanned: ScanQuery, present: Sequence[tuple[int, int, StoredEpisode]]
) -> Iterator[RescoredEpisode]:
    vectors = [row.vector for _, _, row in present if row.vector is not None]
    if not vectors:
        return
    cosines = ranking.cosine(np.asarray(query.vector, dtype=np.float64), np.stack(vectors))
    fresh = ranking.freshness(scanned.age_days(np.array([us for _, us, _ in present])), query.halflife_days)
    weights = ranking.recall_weight(np.array([row.recall_count for *_, row in present]), query.recall_weight_scale)
    passes = cosines >= scanned.threshold - ROUNDING_TOLERANCE
    columns = [column.tolist() for column in (cosines, fresh, weights, cosines * fresh * weights, passes)]
    for episode, *numbers in zip(present, *columns, strict=True):
        yield RescoredEpisode(*episode, *numbers)


def near_miss(candidate: NearCandidate, summary: str) -> NearMiss:
    """A near miss of the scan with its summary."""
    return NearMiss(
        episode_id=candidate.id,
        audit_log_id=candidate.audit_log_id,
        summary=summary,
        created_at=to_datetime(candidate.created_us),
        reason=candidate.reason,
        cosine=candidate.cosine,
        score=candidate.score,
    )

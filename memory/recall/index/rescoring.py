"""The last word on the finalists: cosines and scores in float64, of the rows as they were read."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from memory import ranking
from memory.recall.index.results import Hit, Miss, Query
from memory.recall.index.rows import Stored, moment
from memory.recall.index.scan import Near, Picked, Wanted

_ROUNDING = 1e-12
"""A cosine that is the threshold but for the rounding of float64 passes."""


@dataclass(frozen=True)
class Settled:
    """A finalist with its score and the parts of it in float64."""

    id: int
    created_us: int
    row: Stored
    cosine: float
    freshness: float
    recall_weight: float
    score: float
    passes: bool

    def hit(self) -> Hit:
        """It was found."""
        return Hit(
            episode_id=self.id,
            audit_log_id=self.row.audit_log_id,
            summary=self.row.summary,
            created_at=moment(self.created_us),
            recall_count=self.row.recall_count,
            cosine=self.cosine,
            freshness=self.freshness,
            recall_weight=self.recall_weight,
            score=self.score,
        )

    def miss(self) -> Miss:
        """It was not, after all."""
        return Miss(
            episode_id=self.id,
            audit_log_id=self.row.audit_log_id,
            summary=self.row.summary,
            created_at=moment(self.created_us),
            reason="cap" if self.passes else "below_threshold",
            cosine=self.cosine,
            score=self.score,
        )


def ranked(query: Query, wanted: Wanted, finalists: Picked, stored: Mapping[int, Stored]) -> list[Settled]:
    """The finalists, best first, those below the threshold last. Rows that are gone or changed are passed over."""
    pairs = zip(finalists.ids.tolist(), finalists.created_us.tolist(), strict=True)
    present = [(id_, created_us, stored[id_]) for id_, created_us in pairs if _is_comparable(stored.get(id_), query)]
    settled = list(_settled(query, wanted, present))
    order = ranking.order(
        np.array([item.score if item.passes else -np.inf for item in settled], dtype=np.float64),
        np.array([item.created_us for item in settled], dtype=np.int64),
        np.array([item.id for item in settled], dtype=np.int64),
    )
    return [settled[place] for place in order.tolist()]


def _is_comparable(row: Stored | None, query: Query) -> bool:
    if row is None or row.vector is None or not row.summary:
        return False
    return row.model == query.model and row.vector.size == query.vector.size


def _settled(query: Query, wanted: Wanted, present: Sequence[tuple[int, int, Stored]]) -> Iterator[Settled]:
    vectors = [row.vector for _, _, row in present if row.vector is not None]
    if not vectors:
        return
    cosines = ranking.cosine(np.asarray(query.vector, dtype=np.float64), np.stack(vectors))
    fresh = ranking.freshness(wanted.age_days(np.array([us for _, us, _ in present])), query.halflife_days)
    weights = ranking.recall_weight(np.array([row.recall_count for *_, row in present]), query.recall_weight_scale)
    passes = cosines >= query.threshold - _ROUNDING
    columns = [column.tolist() for column in (cosines, fresh, weights, cosines * fresh * weights, passes)]
    for episode, *numbers in zip(present, *columns, strict=True):
        yield Settled(*episode, *numbers)


def miss(near: Near, summary: str) -> Miss:
    """A near miss of the scan with its summary."""
    return Miss(
        episode_id=near.id,
        audit_log_id=near.audit_log_id,
        summary=summary,
        created_at=moment(near.created_us),
        reason=near.reason,
        cosine=near.cosine,
        score=near.score,
    )

"""The query of a search, and its result."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from memory import ranking
from memory.events import MissReason

ROUNDING_TOLERANCE = 1e-12
"""A cosine this far below the threshold still passes: that much may be lost in rounding to float64."""


@dataclass(frozen=True)
class Query:
    """One message, embedded, and the settings of ADR-0034 §7 that rank what fits it.

    `vector` (d,) of any length; `excluded_chats`: chats (`audit_log_id`) whose episodes are never returned.
    `is_question`: it is asked of memory, by somebody who looks at all there is.
    """

    vector: ranking.Matrix
    model: str
    now: datetime
    threshold: ranking.Threshold
    max_age_days: int
    halflife_days: float
    recall_weight_scale: float
    top_k: int
    excluded_chats: Collection[int] = ()
    is_question: bool = False


@dataclass(frozen=True)
class Hit:
    """One episode that fits, with score = cosine * freshness * recall_weight (ADR-0034 §4)."""

    episode_id: int
    audit_log_id: int
    summary: str
    created_at: datetime
    recall_count: int
    cosine: float
    freshness: float
    recall_weight: float
    score: float


@dataclass(frozen=True)
class NearMiss:
    """One episode that was considered and left out. `cosine` and `score` are None where it was not compared."""

    episode_id: int
    audit_log_id: int
    summary: str
    created_at: datetime
    reason: MissReason
    cosine: float | None = None
    score: float | None = None

    def short_by(self, threshold: float) -> float | None:
        """How far its cosine is below the threshold; None where that is not why it was left out."""
        return threshold - self.cosine if self.reason == "below_threshold" and self.cosine is not None else None


@dataclass(frozen=True)
class SearchResult:
    """The hits, best first, and up to five near misses, the closest of each reason in turn.

    The reasons:
    - "cap": it passed, but `top_k` others scored higher;
    - "same_conversation": it passed, but its chat is excluded;
    - "below_threshold": it came closest to the threshold;
    - "too_old": it passed, but left the window so recently that it is still in memory;
    - "other_model": among the newest episodes that cannot be compared.

    The first three are found among the episodes that the scan compared. These are all of the window where fewer than
    `top_k` pass, else at least those that could have won. The cosines of near misses are float32, and none is below 0.
    """

    hits: list[Hit]
    near_misses: list[NearMiss]
    threshold: float
    """The query's threshold among the episodes of the window."""
    other_lengths: int = 0
    """How many episodes of the window have a vector of the query's model, but of another length."""

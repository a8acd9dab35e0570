"""What is asked and what is answered."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from memory import ranking
from memory.events import MissReason


@dataclass(frozen=True)
class Query:
    """One message, embedded, and the settings of ADR-0034 §7 that rank what fits it.

    `vector` (d,) of any length; `left_out`: chats (`audit_log_id`) whose episodes are never returned.
    """

    vector: ranking.Matrix
    model: str
    now: datetime
    threshold: float
    max_age_days: int
    halflife_days: float
    recall_weight_scale: float
    top_k: int
    left_out: Collection[int] = ()


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
class Miss:
    """One episode that was considered and left out. `cosine` and `score` are None where it was not compared."""

    episode_id: int
    audit_log_id: int
    summary: str
    created_at: datetime
    reason: MissReason
    cosine: float | None = None
    score: float | None = None


@dataclass(frozen=True)
class Found:
    """The hits, best first, and up to five near misses (see `search` for which)."""

    hits: list[Hit]
    near_misses: list[Miss]

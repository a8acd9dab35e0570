"""ADR-0034 §3 and §4 in plain Python over the rows: what the index has to equal. And ways to make rows."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from django.db import transaction

from memory import events
from memory.index import Query
from memory.models import AuditRow, Embedded, EpisodeSummary, MemoryRevision

MODEL = "embed-small"
NOW = datetime(2026, 5, 20, 9, tzinfo=UTC)


@dataclass(frozen=True)
class Row:
    """What recall reads of one episode."""

    id: int
    audit_log_id: int
    summary: str
    embedding: Any
    model: str
    created_at: datetime
    recall_count: int


def query(vector: Sequence[float], **changes: Any) -> Query:
    """A query with the defaults of ADR-0034 §7."""
    defaults: dict[str, Any] = {
        "model": MODEL,
        "now": NOW,
        "threshold": 0.45,
        "max_age_days": 90,
        "halflife_days": 30.0,
        "recall_weight_scale": 0.25,
        "top_k": 3,
        "left_out": (),
    }
    return Query(vector=np.array(vector, dtype=np.float32), **(defaults | changes))


def rows() -> list[Row]:
    """All episodes as they stand."""
    names = list(Row.__dataclass_fields__)
    return [Row(**row) for row in EpisodeSummary.objects.order_by("id").values(*names)]


def cosine(one: Sequence[float], other: Sequence[float]) -> float | None:
    """The cosine of two vectors; None where there is none."""
    if len(one) != len(other) or not all(math.isfinite(number) for number in [*one, *other]):
        return None
    lengths = math.sqrt(math.fsum(a * a for a in one)) * math.sqrt(math.fsum(b * b for b in other))
    return math.fsum(a * b for a, b in zip(one, other, strict=True)) / lengths if lengths else None


def score(row: Row, wanted: Query) -> float | None:
    """The score of an episode; None where it must not be found."""
    similar = cosine(wanted.vector.tolist(), row.embedding)
    age_days = (wanted.now - row.created_at) / timedelta(days=1)
    if similar is None or not row.summary or row.model != wanted.model or row.audit_log_id in wanted.left_out:
        return None
    if age_days > wanted.max_age_days or similar < wanted.threshold - 1e-12:
        return None
    freshness = math.exp(-max(age_days, 0.0) / wanted.halflife_days)
    return similar * freshness * (1.0 + wanted.recall_weight_scale * math.log1p(row.recall_count))


def expected(wanted: Query, stored: Sequence[Row]) -> list[tuple[int, float]]:
    """(id, score) of the hits, best first: ties newer first, then by id."""
    scored = [(row, value) for row in stored if (value := score(row, wanted)) is not None]
    scored.sort(key=lambda pair: (-pair[1], NOW - pair[0].created_at, pair[0].id))
    return [(row.id, value) for row, value in scored[: wanted.top_k]]


def chat(created_at: datetime = NOW) -> AuditRow:
    """A chat that took place then."""
    return AuditRow.objects.record(events.ChatCompleted(occurred_at=created_at), now=NOW)


def add(vector: Sequence[float], *, age: timedelta = timedelta(0), model: str = MODEL, recalls: int = 0) -> int:
    """An episode of that age, written by the verb; its id."""
    source = chat(NOW - age)
    assert EpisodeSummary.objects.summarise(source, f"Chat {source.pk}.", Embedded(vector, model), now=NOW)
    if recalls:
        EpisodeSummary.objects.filter(audit_log=source).update(recall_count=recalls, last_recalled_at=NOW)
    return source.episode.pk


def take_step(kind: str, *arguments: Any, now: datetime) -> None:
    """Change the episodes by one of their verbs; a number chooses the episode."""
    episodes = [] if kind in ("add", "skip") else list(EpisodeSummary.objects.order_by("id"))
    episode = episodes[arguments[0] % len(episodes)] if episodes else None
    match kind:
        case "add":
            vector, age, model, recalls = arguments
            add(vector, age=age, model=model, recalls=recalls)
        case "skip":
            EpisodeSummary.objects.skip(chat(), reason="trivial", now=NOW)
        case "forget" if episode:
            episode.forget(now=NOW)
        case "embed_again" if episode:
            embedded = Embedded(arguments[1], arguments[2])
            EpisodeSummary.objects.embed_again(episode.pk, embedded, seen_summary=episode.summary)
        case "sweep" if episode:
            with transaction.atomic():
                AuditRow.objects.get_queryset().filter(pk=episode.audit_log_id).sweep_away()
                MemoryRevision.move("episodes_changed")
        case "bump" if episode:
            EpisodeSummary.objects.bump([episode.pk], now=now)

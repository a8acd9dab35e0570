"""The reference for recall: ADR-0034 §3 and §4 in plain Python, which the index must equal. And ways to make rows."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest
from django.db import transaction
from hypothesis import strategies as st

from memory import events
from memory.models import AuditQuerySet, AuditRow, Embedded, EpisodeSummary, MemoryRevision
from memory.ranking import Threshold
from memory.recall import index
from memory.recall.index import Query, SearchResult

MODEL = "embed-small"
NOW = datetime(2026, 5, 20, 9, tzinfo=UTC)
DAY = timedelta(days=1)
MOMENT = timedelta(microseconds=1)


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
        "excluded_chats": (),
    }
    asked = defaults | changes
    if not isinstance(asked["threshold"], Threshold):
        asked["threshold"] = Threshold(asked["threshold"])
    return Query(vector=np.array(vector, dtype=np.float32), **asked)


def rows() -> list[Row]:
    """All episodes as they are now."""
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
    if similar is None or not row.summary or row.model != wanted.model or row.audit_log_id in wanted.excluded_chats:
        return None
    if age_days > wanted.max_age_days or similar < wanted.threshold.base - 1e-12:
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


def add(
    vector: Sequence[float], *, age: timedelta = timedelta(0), model: str = MODEL, recalls: int = 0, summary: str = ""
) -> int:
    """An episode of that age, written by the verb; its id."""
    source = chat(NOW - age)
    summary = summary or f"Chat {source.pk}."
    assert EpisodeSummary.objects.summarise(source, summary, Embedded(vector, model), now=NOW)
    if recalls:
        EpisodeSummary.objects.filter(audit_log=source).update(recall_count=recalls, last_recalled_at=NOW)
    return source.episode.pk


def found_ids(found: SearchResult) -> list[int]:
    """The episodes found, in order."""
    return [hit.episode_id for hit in found.hits]


def assert_as_expected(wanted: Query) -> None:
    """The index finds what a plain reading of the rows does."""
    found = index.search(wanted)
    right = expected(wanted, rows())
    assert found_ids(found) == [id_ for id_, _ in right]
    assert [hit.score for hit in found.hits] == pytest.approx([value for _, value in right], abs=1e-6)
    for hit in found.hits:
        assert hit.score == pytest.approx(hit.cosine * hit.freshness * hit.recall_weight)
    assert not {miss.audit_log_id for miss in found.near_misses} & {hit.audit_log_id for hit in found.hits}
    assert len(found.near_misses) <= 5


# --- histories: plain values, so that they can be sent to other processes -----------------------------------------

Step = list[Any]
Chapter = dict[str, Any]
"""`steps`, the time they and the query happen at (`ahead_us` after NOW), and the rest of the query."""

NUMBERS = st.sampled_from([-2.0, -1.0, 0.0, 1.0, 2.0])
VECTORS = st.lists(NUMBERS, min_size=3, max_size=3) | st.lists(NUMBERS, min_size=2, max_size=4)
AGES = st.sampled_from([timedelta(0), DAY, -DAY, 30 * DAY, 91 * DAY, 400 * DAY]) | st.sampled_from(
    [90 * DAY + off * MOMENT for off in (-1, 0, 1)]
)
MODELS = st.sampled_from([MODEL, MODEL, MODEL, "embed-large"])
PLACES = st.integers(0, 30)


def steps() -> st.SearchStrategy[Step]:
    """One change; every second one adds an episode."""
    ages_us = AGES.map(lambda age: age // MOMENT)
    adding = st.tuples(st.just("add"), VECTORS, ages_us, MODELS, st.sampled_from([0, 1, 20]))
    others = (
        st.tuples(st.just("skip")),
        st.tuples(st.just("forget"), PLACES),
        st.tuples(st.just("embed_again"), PLACES, VECTORS, MODELS),
        st.tuples(st.just("sweep"), PLACES),
        st.tuples(st.just("bump"), PLACES, st.sampled_from([1, 2, 50])),
    )
    return (adding | st.one_of(*others)).map(list)


def chapters() -> st.SearchStrategy[Chapter]:
    """Some changes and a query."""
    return st.fixed_dictionaries(
        {
            "steps": st.lists(steps(), min_size=1, max_size=8),
            "vector": st.lists(st.sampled_from([-1.0, 0.0, 1.0, 2.0]), min_size=3, max_size=3),
            "threshold": st.sampled_from([-1.0, 0.0, 0.45, 0.5, 0.6, 1.0]),
            "top_k": st.integers(1, 4),
            "left_out": st.lists(PLACES, max_size=2),
            "ahead_us": st.sampled_from([timedelta(0), MOMENT, DAY, -30 * DAY, 60 * DAY]).map(lambda t: t // MOMENT),
            "halflife_days": st.sampled_from([0.001, 30.0, 36500.0]),
        }
    )


def histories() -> st.SearchStrategy[list[Chapter]]:
    """A few chapters."""
    return st.lists(chapters(), min_size=1, max_size=6)


def asked(chapter: Chapter) -> Query:
    """The query of a chapter; `left_out` are places in the list of episodes as it is now."""
    audit_ids = [row.audit_log_id for row in rows()]
    return query(
        chapter["vector"],
        threshold=chapter["threshold"],
        top_k=chapter["top_k"],
        excluded_chats=[audit_ids[place] for place in chapter["left_out"] if place < len(audit_ids)],
        now=NOW + chapter["ahead_us"] * MOMENT,
        halflife_days=chapter["halflife_days"],
    )


def take_steps(chapter: Chapter) -> None:
    """Make the changes of a chapter."""
    for step in chapter["steps"]:
        take_step(step, now=NOW + chapter["ahead_us"] * MOMENT)


def take_step(step: Step, *, now: datetime) -> None:
    """Make one change to the episodes; a number chooses the episode."""
    kind, *arguments = step
    if kind == "add":
        vector, age_us, model, recalls = arguments
        add(vector, age=age_us * MOMENT, model=model, recalls=recalls)
    elif kind == "skip":
        EpisodeSummary.objects.skip(chat(), reason="trivial", now=now)
    elif episodes := list(EpisodeSummary.objects.order_by("id")):
        _change(episodes[arguments[0] % len(episodes)], kind, *arguments[1:], now=now)


def _change(episode: EpisodeSummary, kind: str, *arguments: Any, now: datetime) -> None:
    match kind:
        case "forget":
            episode.forget(now=now)
        case "embed_again":
            embedded = Embedded(*arguments)
            EpisodeSummary.objects.embed_again(episode.pk, embedded, seen_summary=episode.summary)
        case "sweep":
            sweep(AuditRow.objects.get_queryset().filter(pk=episode.audit_log_id))
        case "bump":
            for _ in range(*arguments):
                EpisodeSummary.objects.bump([episode.pk], now=now)


def sweep(audit_rows: AuditQuerySet) -> None:
    """What retention does to old rows, whatever their age."""
    with transaction.atomic():
        audit_rows.sweep_away()
        MemoryRevision.move("episodes_changed")


def empty() -> None:
    """Delete all chats and episodes."""
    sweep(AuditRow.objects.get_queryset().all())

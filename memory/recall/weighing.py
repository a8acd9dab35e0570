"""The same message weighed under several settings at once: what a preview shows beside what a turn is given."""

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo
from typing import Literal

from caesar.conf import EpisodesRecallSettings
from memory import events, ranking
from memory.llm import Vectors
from memory.recall import index
from memory.recall.retrieval import message_vector, threshold
from memory.text import wording

WEIGHED_AT_MOST = 500
_DAY = timedelta(days=1)
_MARGIN = 0.1  # how far below the lowest threshold an episode is still weighed, and not only named
_ROUNDING = 1e-12  # as the index has it


@dataclass(frozen=True)
class Terms:
    """What episodes are weighed by: the settings, and the moment their age is counted at."""

    scale: EpisodesRecallSettings
    now: datetime


@dataclass(frozen=True)
class Weighed:
    """An episode that came near. `reason`: why it is left out, None where it goes in.

    Numbers are None where it was not weighed. "later": it took place after the moment that is asked about.
    """

    audit_log_id: int
    summary: str
    created_at: datetime
    when: str
    reason: events.MissReason | Literal["later"] | None
    cosine: float | None = None
    freshness: float | None = None
    recall_weight: float | None = None
    score: float | None = None
    short_by: float | None = None


@dataclass(frozen=True)
class Weighing:
    """What came near under each of the terms, those that go in first; or, for all of them, why nothing did."""

    by_terms: Sequence[Sequence[Weighed]]
    why_none: str = ""


def weigh(
    message: str,
    terms: Sequence[Terms],
    *,
    left_out: Collection[int],
    timeout_seconds: float,
    zone: tzinfo,
    now: datetime,
) -> Weighing:
    """What `message` brings back under each of the terms: what `recall` gives with them, and the parts of the others.

    Embedded once, and searched once, by the widest of the terms: what was found is then weighed by each. Only where
    that is more than `WEIGHED_AT_MOST` episodes, each is searched for by its own. Of terms in the past, episodes from
    after them are left out; recall counts are those of `now`. Writes nothing.
    """
    vectors = message_vector(message, timeout_seconds)
    if isinstance(vectors, str):
        return Weighing([()] * len(terms), why_none=vectors)
    widest = _widest(vectors, terms, left_out, now)
    found = index.search(widest)
    if len(found.hits) < widest.top_k:
        return Weighing([_weighed(found, own, zone, now) for own in terms])
    return Weighing([_weighed(index.search(_own(widest, own)), own, zone, now) for own in terms])


def _widest(vectors: Vectors, terms: Sequence[Terms], left_out: Collection[int], now: datetime) -> index.Query:
    """Everything that could matter under any of the terms, as of now, so that the index stays that of now."""
    scale = terms[0].scale
    return index.Query(
        vector=vectors.rows[0],
        model=vectors.model,
        now=now,
        threshold=min(threshold(own.scale) for own in terms) - _MARGIN,
        max_age_days=max(1, *(math.ceil((now - own.now) / _DAY) + own.scale.max_age_days for own in terms)),
        halflife_days=scale.halflife_days,
        recall_weight_scale=scale.recall_weight_scale,
        top_k=max(WEIGHED_AT_MOST, *(own.scale.top_k for own in terms)) + 1,
        left_out=left_out,
    )


def _own(widest: index.Query, own: Terms) -> index.Query:
    return replace(
        widest,
        now=own.now,
        threshold=threshold(own.scale),
        max_age_days=own.scale.max_age_days,
        halflife_days=own.scale.halflife_days,
        recall_weight_scale=own.scale.recall_weight_scale,
    )


def _weighed(found: index.Found, own: Terms, zone: tzinfo, now: datetime) -> list[Weighed]:
    """Best first: those that go in, those that were behind them, then the rest, the most similar first."""
    ties_in_order = sorted(found.hits, key=lambda hit: (-hit.created_at.timestamp(), hit.episode_id))
    weighed = [_settled(hit, own, zone, now) for hit in ties_in_order]
    passing = sorted((item for item in weighed if item.reason is None), key=lambda item: -(item.score or 0.0))
    others = [*(item for item in weighed if item.reason is not None), *_named(found, own, zone)]
    others.sort(key=lambda item: -math.inf if item.cosine is None else item.cosine, reverse=True)
    top_k = own.scale.top_k
    return [*passing[:top_k], *(replace(item, reason="cap") for item in passing[top_k:]), *others]


def _settled(hit: index.Hit, own: Terms, zone: tzinfo, now: datetime) -> Weighed:
    fresh = ranking.freshness((own.now - hit.created_at) / _DAY, own.scale.halflife_days)
    weight = ranking.recall_weight(hit.recall_count, own.scale.recall_weight_scale)
    lowest = threshold(own.scale)
    reason: events.MissReason | Literal["later"] | None = None
    if own.now < now and hit.created_at > own.now:
        reason = "later"
    elif hit.created_at < own.now - own.scale.max_age_days * _DAY:
        reason = "too_old"
    elif hit.cosine < lowest - _ROUNDING:
        reason = "below_threshold"
    return Weighed(
        audit_log_id=hit.audit_log_id,
        summary=hit.summary,
        created_at=hit.created_at,
        when=wording.time_words(hit.created_at, own.now, zone),
        reason=reason,
        cosine=hit.cosine,
        freshness=fresh,
        recall_weight=weight,
        score=hit.cosine * fresh * weight,
        short_by=lowest - hit.cosine if reason == "below_threshold" else None,
    )


def _named(found: index.Found, own: Terms, zone: tzinfo) -> Iterator[Weighed]:
    """Near misses of the search itself: known by name and cosine, not weighed."""
    for miss in found.near_misses:
        short_by = threshold(own.scale) - miss.cosine if miss.cosine is not None else None
        yield Weighed(
            audit_log_id=miss.audit_log_id,
            summary=miss.summary,
            created_at=miss.created_at,
            when=wording.time_words(miss.created_at, own.now, zone),
            reason=miss.reason,
            cosine=miss.cosine,
            short_by=short_by if miss.reason == "below_threshold" else None,
        )

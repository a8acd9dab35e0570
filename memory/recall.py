"""Which past conversations fit a message: embed it, search, and say why each came or just missed (ADR-0034 §3, §4).

`recall` is for a turn. `weigh` asks the same under several settings at once, for a preview.
"""

import logging
import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, tzinfo
from typing import Literal

from caesar.conf import EpisodesRecallSettings, Settings
from memory import events, index, ranking, text, transcript, wording
from memory.events import Message
from memory.llm import LLMError, Vectors, embedding
from memory.models import AuditRow

logger = logging.getLogger(__name__)

NEAR_MISSES = 5
WEIGHED_AT_MOST = 500
_DAY = timedelta(days=1)
_MARGIN = 0.1  # how far below the lowest threshold an episode is still weighed, and not only named
_ROUNDING = 1e-12  # as the index has it


@dataclass(frozen=True)
class Recalled:
    """The episodes of one prompt, best first, with what just missed, or why there are none."""

    served: list[events.ServedEpisode] = field(default_factory=list)
    episode_ids: list[int] = field(default_factory=list)
    near_misses: list[events.NearMiss] = field(default_factory=list)
    left_out: list[events.LeftOut] = field(default_factory=list)

    @property
    def block(self) -> str:
        """The episodes as a prompt says them; "" where there are none."""
        return wording.episodes_block((episode.when, episode.summary) for episode in self.served)


def without(reason: str) -> Recalled:
    """No episodes, and why."""
    return Recalled(left_out=[events.LeftOut(part="episodes", reason=reason)])


def off_because(tree: Settings) -> str:
    """Why these settings recall nothing at all; "" where they do."""
    if not tree.memory.episodes_recall.enabled:
        return "switched off: CAESAR_MEMORY__EPISODES_RECALL__ENABLED"
    return "" if tree.semantic.enabled else "switched off: CAESAR_SEMANTIC__ENABLED"


def load(tree: Settings, *, now: datetime) -> int:
    """Read now what the first `recall` by these settings would have to wait for; how many episodes that is."""
    return index.load(embedding.embedder_model(), max_age_days=tree.memory.episodes_recall.max_age_days, now=now)


def this_conversation(messages: Sequence[Message], *, conversation_id: str | None = None) -> frozenset[int]:
    """The chats of the conversation that is going on, which recall must not bring back (DESIGN 3.12): those whose
    operator messages are the beginning of these, and those with the same conversation id."""
    beginnings = text.fingerprints(transcript.operator_texts(messages))
    chats = AuditRow.objects.get_queryset().of_conversation(beginnings, conversation_id=conversation_id)
    return frozenset(chats.values_list("pk", flat=True))


def recall(
    message: str,
    *,
    scale: EpisodesRecallSettings,
    left_out: Collection[int],
    timeout_seconds: float,
    zone: tzinfo,
    now: datetime,
) -> Recalled:
    """The episodes that `message` brings back. Writes nothing.

    `left_out`: the chats (`audit_log_id`) of the conversation that is going on. Without a usable
    embedder there are none, one log line, and the reason (DESIGN 3.16).
    """
    vectors = _vectors(message, timeout_seconds)
    if isinstance(vectors, str):
        return without(vectors)
    query = index.Query(
        vector=vectors.rows[0],
        model=vectors.model,
        now=now,
        threshold=threshold(scale),
        max_age_days=scale.max_age_days,
        halflife_days=scale.halflife_days,
        recall_weight_scale=scale.recall_weight_scale,
        top_k=scale.top_k,
        left_out=left_out,
    )
    try:
        found = index.search(query)
    except (ValueError, TypeError, OverflowError) as error:  # a row that no verb of ours wrote
        logger.error("Turn without episodes: an episode's row cannot be read: %s", error)
        return without("an episode's row cannot be read; see the log")
    return _with_reasons(found, query, zone)


def _vectors(message: str, timeout_seconds: float) -> Vectors | str:
    """The message's vector, or why there is none."""
    if not message.strip():
        return "the message holds no words"
    try:
        return embedding.embed([message], timeout_seconds=timeout_seconds)
    except LLMError as error:
        logger.warning("Turn without episodes: %s", error)
        return str(error)


def threshold(scale: EpisodesRecallSettings) -> float:
    """The lowest cosine that counts as similar: as set, else the embedder's own (DESIGN 3.14)."""
    return embedding.default_threshold() if scale.similarity_threshold is None else scale.similarity_threshold


def _with_reasons(found: index.Found, query: index.Query, zone: tzinfo) -> Recalled:
    return Recalled(
        served=[_served(hit, query.now, zone) for hit in found.hits],
        episode_ids=[hit.episode_id for hit in found.hits],
        near_misses=[_near_miss(miss, query.threshold) for miss in found.near_misses[:NEAR_MISSES]],
    )


def _served(hit: index.Hit, now: datetime, zone: tzinfo) -> events.ServedEpisode:
    return events.ServedEpisode(
        audit_log_id=hit.audit_log_id,
        summary=hit.summary,
        when=wording.time_words(hit.created_at, now, zone),
        cosine=hit.cosine,
        freshness=hit.freshness,
        recall_weight=hit.recall_weight,
        score=hit.score,
    )


def _near_miss(miss: index.Miss, lowest: float) -> events.NearMiss:
    short_by = lowest - miss.cosine if miss.reason == "below_threshold" and miss.cosine is not None else None
    return events.NearMiss(
        audit_log_id=miss.audit_log_id,
        summary=miss.summary,
        reason=miss.reason,
        cosine=miss.cosine,
        score=miss.score,
        short_by=short_by,
    )


# --- the same question under other settings ---------------------------------------------------------------------------


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
    vectors = _vectors(message, timeout_seconds)
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

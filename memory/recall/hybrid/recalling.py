"""Recall by content for a turn: its search, put into the words of the prompt and the receipt."""

import math
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta, tzinfo

from caesar.conf import EpisodesRecallSettings
from memory import events
from memory.llm import Vectors
from memory.models import EpisodeSummary
from memory.recall.hybrid import quotation, search
from memory.recall.hybrid.quotation import Place
from memory.recall.hybrid.scoring import RECENCY_DAYS
from memory.recall.hybrid.search import Hit, Query, SearchResult, preload
from memory.recall.hybrid.snapshots import forget
from memory.recall.recalled import Recalled
from memory.text import wording

__all__ = ["forget", "preload", "query_of", "recall"]

_DAY = timedelta(days=1)


def query_of(
    message: str,
    vectors: Vectors,
    recall_settings: EpisodesRecallSettings,
    *,
    excluded_chats: Collection[int],
    zone: tzinfo,
    now: datetime,
) -> Query:
    """A turn's message with its vector, as it is searched for by these settings."""
    return Query(
        message=message,
        vector=vectors.rows[0],
        model=vectors.model,
        now=now,
        zone=zone,
        top_k=recall_settings.top_k,
        gate=recall_settings.gate,
        excluded_chats=excluded_chats,
    )


def recall(query: Query) -> Recalled:
    """The conversations that a message brings back, each with the words that fit. Two queries where nothing changed."""
    result = search.search(query)
    rows = _episodes([*result.hits, *result.near_misses])
    hits = [hit for hit in result.hits if hit.episode_id in rows]
    missed = [hit for hit in result.near_misses if hit.episode_id in rows]
    return Recalled(
        served=[_served(hit, rows[hit.episode_id], result, query) for hit in hits],
        episode_ids=[hit.episode_id for hit in hits],
        near_misses=[_near_miss(hit, rows[hit.episode_id], result) for hit in missed],
        content=events.ContentRecall(
            gate=result.gate,
            gate_threshold=result.gate_threshold,
            coverage=result.coverage,
            word_weight=result.word_weight,
        ),
    )


def _episodes(hits: Sequence[Hit]) -> Mapping[int, EpisodeSummary]:
    """{id: episode with its chat}, without those that were deleted since the search."""
    rows = EpisodeSummary.objects.filter(pk__in=[hit.episode_id for hit in hits], units__isnull=False)
    return rows.select_related("audit_log").defer("embedding").in_bulk()


def _served(hit: Hit, row: EpisodeSummary, result: SearchResult, query: Query) -> events.ServedEpisode:
    return events.ServedEpisode(
        audit_log_id=hit.audit_log_id,
        summary=_line(hit, row, result),
        when=wording.time_words(hit.created_at, query.now, query.zone),
        cosine=hit.cosine,
        freshness=math.exp(-max((query.now - hit.created_at) / _DAY, 0.0) / RECENCY_DAYS),
        recall_weight=1.0,
        score=hit.score,
        parts=_parts(hit, result),
    )


def _line(hit: Hit, row: EpisodeSummary, result: SearchResult) -> str:
    place = Place(hit.window, hit.turn, by_words=hit.by == "score" and result.word_weight > 0)
    return quotation.line(row.audit_log.completed, row.summary, place, result.weights)


def _near_miss(hit: Hit, row: EpisodeSummary, result: SearchResult) -> events.NearMiss:
    short_by = None
    if hit.reason == "gate" and result.gate is not None and result.gate_threshold is not None:
        short_by = result.gate_threshold - result.gate
    return events.NearMiss(
        audit_log_id=hit.audit_log_id,
        summary=row.summary or _line(hit, row, result),
        reason=hit.reason or "cap",
        cosine=hit.cosine,
        score=hit.score,
        short_by=short_by,
        parts=_parts(hit, result),
    )


def _parts(hit: Hit, result: SearchResult) -> events.ScoreParts:
    return events.ScoreParts(**hit.parts._asdict(), word_weight=result.word_weight, by=hit.by)

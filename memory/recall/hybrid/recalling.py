"""Recall by content for a turn: its search, put into the words of the prompt and the receipt."""

import logging
import math
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta, tzinfo
from functools import partial

from django.db.models import Count
from pydantic import ValidationError

from caesar.conf import EpisodesRecallSettings
from memory import events
from memory.llm import Vectors
from memory.models import EpisodeSummary, EpisodeUnits
from memory.recall.hybrid import quotation, search
from memory.recall.hybrid.quotation import Place
from memory.recall.hybrid.scoring import RECENCY_DAYS, gate_threshold
from memory.recall.hybrid.search import Hit, Query, SearchResult, preload
from memory.recall.hybrid.snapshots import forget
from memory.recall.outdated import NOTHING, Outdated, outdated
from memory.recall.recalled import Recalled
from memory.text import wording

__all__ = [
    "content",
    "episodes",
    "forget",
    "line",
    "measured_gate",
    "parts",
    "preload",
    "query_of",
    "recall",
    "short_by",
]
from memory.units import steps

logger = logging.getLogger(__name__)

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
    """The conversations that a message brings back, each with the words that fit. Three queries where nothing changed,
    two where nothing comes back."""
    result = search.search(query)
    rows = episodes([*result.hits, *result.near_misses])
    gone = outdated() if result.hits else NOTHING
    present = [hit for hit in result.hits if hit.episode_id in rows]
    lines = {hit.episode_id: line(hit, rows[hit.episode_id], result, gone) for hit in present}
    hits = [hit for hit in result.hits if lines.get(hit.episode_id)]
    missed = [hit for hit in result.near_misses if hit.episode_id in rows]
    return Recalled(
        served=[_served(hit, lines[hit.episode_id], result, query) for hit in hits],
        episode_ids=[hit.episode_id for hit in hits],
        near_misses=[_near_miss(hit, rows[hit.episode_id], result) for hit in missed],
        content=content(result),
    )


def measured_gate() -> float:
    """What the best conversation must reach where no setting says it, for the conversations there are. One query."""
    counted = EpisodeUnits.objects.aggregate(conversations=Count("conversation", distinct=True))
    return gate_threshold(counted["conversations"])


def content(result: SearchResult) -> events.ContentRecall:
    """How the message was searched for."""
    return events.ContentRecall(
        gate=result.gate,
        gate_threshold=result.gate_threshold,
        coverage=result.coverage,
        word_weight=result.word_weight,
    )


def episodes(hits: Sequence[Hit]) -> Mapping[int, EpisodeSummary]:
    """{id: episode with its chat}, without those that were deleted since the search."""
    rows = EpisodeSummary.objects.filter(pk__in=[hit.episode_id for hit in hits], units__isnull=False)
    return rows.select_related("audit_log").defer("embedding").in_bulk()


def _served(hit: Hit, told: str, result: SearchResult, query: Query) -> events.ServedEpisode:
    return events.ServedEpisode(
        audit_log_id=hit.audit_log_id,
        summary=told,
        when=wording.time_words(hit.created_at, query.now, query.zone),
        cosine=hit.cosine,
        freshness=math.exp(-max((query.now - hit.created_at) / _DAY, 0.0) / RECENCY_DAYS),
        recall_weight=1.0,
        score=hit.score,
        parts=parts(hit, result),
    )


def line(hit: Hit, row: EpisodeSummary, result: SearchResult, gone: Outdated = NOTHING) -> str:
    """What the prompt says of it: its summary where its chat cannot be read. "" where there is nothing to say.

    Nothing in it repeats a value that is `gone`.
    """
    place = Place(hit.window, hit.turn, by_words=hit.by == "score" and result.word_weight > 0)
    summary = gone.without(row.summary, said_at=hit.created_at)
    try:
        completed = row.audit_log.completed
        if row.embedded_again or steps.only_calls_tools(completed) or steps.is_poor(completed):
            completed = steps.last_answer(row.audit_log)  # a later answer of the turn may have replaced it
    except ValidationError as error:  # a row that no verb of ours wrote
        logger.error("Chat #%s cannot be quoted: its row cannot be read: %s", hit.audit_log_id, error)
        return summary
    is_outdated = partial(gone.is_in, said_at=hit.created_at)
    return quotation.line(completed, summary, place, result.weights, is_outdated)


def _near_miss(hit: Hit, row: EpisodeSummary, result: SearchResult) -> events.NearMiss:
    return events.NearMiss(
        audit_log_id=hit.audit_log_id,
        summary=row.summary or line(hit, row, result),
        reason=hit.reason or "cap",
        cosine=hit.cosine,
        score=hit.score,
        short_by=short_by(hit, result),
        parts=parts(hit, result),
    )


def short_by(hit: Hit, result: SearchResult) -> float | None:
    """How far the message fell short of the gate; None where that is not what left it out."""
    if hit.reason != "gate" or result.gate is None or result.gate_threshold is None:
        return None
    return result.gate_threshold - result.gate


def parts(hit: Hit, result: SearchResult) -> events.ScoreParts:
    """The parts of its score."""
    return events.ScoreParts(**hit.parts._asdict(), word_weight=result.word_weight, by=hit.by)

"""Which past conversations fit a turn's message, and why each was found or just missed (ADR-0034 §3, §4)."""

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo

from django.db import Error

from caesar import metrics
from caesar.conf import EpisodesRecallSettings, Settings
from memory import events
from memory.llm import LLMError, Vectors, embedding
from memory.models import EmbedderLength, OutgrownEpisodes
from memory.models.transactions import without_waiting
from memory.ranking import Threshold
from memory.recall import index
from memory.recall.hybrid import recalling
from memory.recall.hybrid.recalling import measured_gate
from memory.recall.outdated import NOTHING, outdated
from memory.recall.recalled import Recalled, nothing_recalled
from memory.text import wording

__all__ = [
    "Asked",
    "Recalled",
    "ask",
    "disabled_reason",
    "embed_message",
    "forget",
    "measured_gate",
    "nothing_recalled",
    "preload",
    "recall",
    "similarity_threshold",
]

logger = logging.getLogger(__name__)

MAX_NEAR_MISSES = 5


def disabled_reason(tree: Settings) -> str:
    """Why these settings switch recall off; "" where it is on."""
    if not tree.memory.episodes_recall.enabled:
        return "switched off: CAESAR_MEMORY__EPISODES_RECALL__ENABLED"
    return "" if tree.semantic.enabled else "switched off: CAESAR_SEMANTIC__ENABLED"


def preload(tree: Settings, *, now: datetime) -> int:
    """Read now what the first `recall` by these settings would have to read; returns how many episodes that is."""
    if tree.memory.episodes_recall.mode == "hybrid":
        recalling.preload(embedding.embedder_model())
    return index.preload(embedding.embedder_model(), max_age_days=tree.memory.episodes_recall.max_age_days, now=now)


def forget() -> None:
    """Let go of what this process holds, where another database takes the place of the one it was read from."""
    index.forget()
    recalling.forget()


@dataclass(frozen=True)
class Asked:
    """A message with its vector; or, as text, why there is none."""

    message: str
    vectors: Vectors | str


def ask(message: str, timeout_seconds: float) -> Asked:
    """Embed a message. Without a usable embedder the reason is kept, and one line is logged (decision 16)."""
    return Asked(message, embed_message(message, timeout_seconds))


def recall(
    asked: Asked,
    *,
    recall_settings: EpisodesRecallSettings,
    excluded_chats: Collection[int],
    zone: tzinfo,
    now: datetime,
) -> Recalled:
    """The episodes that a message brings back. Notes the embedder's length where that is news, else writes nothing.

    `excluded_chats`: the chats (`audit_log_id`) of the conversation that is going on. Without a vector the result holds
    the reason instead of episodes, and so it does where a row cannot be read.
    """
    vectors = asked.vectors
    if isinstance(vectors, str):
        return nothing_recalled(vectors)
    with metrics.timed("recall"):
        return _found(asked.message, vectors, recall_settings, excluded_chats, zone, now)


def _found(
    message: str,
    vectors: Vectors,
    recall_settings: EpisodesRecallSettings,
    excluded_chats: Collection[int],
    zone: tzinfo,
    now: datetime,
) -> Recalled:
    if recall_settings.mode == "hybrid":
        return recalling.recall(
            recalling.query_of(message, vectors, recall_settings, excluded_chats=excluded_chats, zone=zone, now=now)
        )
    query = _query(vectors, recall_settings, excluded_chats, now)
    try:
        result = index.search(query)
    except (ValueError, TypeError, OverflowError) as error:  # a row that no verb of ours wrote
        logger.error("Turn without episodes: an episode's row cannot be read: %s", error)
        return nothing_recalled("an episode's row cannot be read; see the log")
    return _recalled(result, query, zone)


def _query(
    vectors: Vectors, recall_settings: EpisodesRecallSettings, excluded_chats: Collection[int], now: datetime
) -> index.Query:
    return index.Query(
        vector=vectors.rows[0],
        model=vectors.model,
        now=now,
        threshold=similarity_threshold(recall_settings),
        max_age_days=recall_settings.max_age_days,
        halflife_days=recall_settings.halflife_days,
        recall_weight_scale=recall_settings.recall_weight_scale,
        top_k=recall_settings.top_k,
        excluded_chats=excluded_chats,
    )


def embed_message(message: str, timeout_seconds: float) -> Vectors | str:
    """The message's vector, or the reason why there is none."""
    if not message.strip():
        return "the message holds no words"
    try:
        return embedding.embed([message], timeout_seconds=timeout_seconds)
    except LLMError as error:
        logger.warning("Turn without episodes: %s", error)
        return str(error)


def similarity_threshold(recall_settings: EpisodesRecallSettings) -> Threshold:
    """The lowest cosine that counts as similar: the setting, which stays, else the embedder's default (decision 14)."""
    chosen = recall_settings.similarity_threshold
    return embedding.default_threshold() if chosen is None else Threshold(chosen)


def in_force(recall_settings: EpisodesRecallSettings, *, now: datetime) -> EpisodesRecallSettings:
    """The settings with the similarity threshold of this moment in them. One query where it depends on the store."""
    threshold = similarity_threshold(recall_settings)
    model, max_age_days = embedding.embedder_model(), recall_settings.max_age_days
    episodes = index.count(model, max_age_days=max_age_days, now=now) if threshold.rise else 0
    return recall_settings.model_copy(update={"similarity_threshold": threshold.among(episodes)})


def _recalled(result: index.SearchResult, query: index.Query, zone: tzinfo) -> Recalled:
    left_out = _outgrown(result, query)
    hits = without_outdated(result.hits)
    return Recalled(
        left_out=left_out,
        served=[_served(hit, query.now, zone) for hit in hits],
        episode_ids=[hit.episode_id for hit in hits],
        near_misses=[_near_miss(miss, result.threshold) for miss in result.near_misses[:MAX_NEAR_MISSES]],
    )


def without_outdated(hits: Sequence[index.Hit]) -> list[index.Hit]:
    """The hits, their summaries without what the operator corrected or deleted since; none of which nothing is left."""
    gone = outdated() if hits else NOTHING
    told = [replace(hit, summary=gone.without(hit.summary, said_at=hit.created_at)) for hit in hits]
    return [hit for hit in told if hit.summary]


def _outgrown(result: index.SearchResult, query: index.Query) -> list[events.LeftOut]:
    """Why episodes were passed over that this embedder ought to find; none where it finds what there is."""
    outgrown = _passed_over(result, query)
    if outgrown is None:
        return []
    logger.warning("%s", outgrown)
    if outgrown.dimensions is not None:
        _note_length(query)
    return [events.LeftOut(part="episodes", reason=str(outgrown))]


def _passed_over(result: index.SearchResult, query: index.Query) -> OutgrownEpisodes | None:
    """The episodes that cannot be compared, if trouble. Asks the database only where nothing else came near."""
    if result.other_lengths:
        return OutgrownEpisodes(query.model, query.vector.size, result.other_lengths)
    if result.hits or {miss.reason for miss in result.near_misses} != {"other_model"}:
        return None
    return OutgrownEpisodes.of_other_embedders(query.model, since=query.now - timedelta(days=query.max_age_days))


def _note_length(query: index.Query) -> None:
    """Note how long the embedder's vectors are, for pages and `/readyz`, where it is news."""
    try:
        with without_waiting(EmbedderLength):
            EmbedderLength.note(query.model, query.vector.size)
    except Error as error:  # a turn does not wait for it
        logger.warning("The embedder's length could not be noted: %s", error)


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


def _near_miss(near_miss: index.NearMiss, threshold: float) -> events.NearMiss:
    return events.NearMiss(
        audit_log_id=near_miss.audit_log_id,
        summary=near_miss.summary,
        reason=near_miss.reason,
        cosine=near_miss.cosine,
        score=near_miss.score,
        short_by=near_miss.short_by(threshold),
    )

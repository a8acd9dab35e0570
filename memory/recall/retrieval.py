"""Which past conversations fit a turn's message, and why each came or just missed (ADR-0034 §3, §4)."""

import logging
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime, tzinfo

from caesar.conf import EpisodesRecallSettings, Settings
from memory import events
from memory.conversation import Conversation
from memory.llm import LLMError, Vectors, embedding
from memory.models import AuditRow
from memory.recall import index
from memory.text import wording

logger = logging.getLogger(__name__)

NEAR_MISSES = 5


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


def chats_of(conversation: Conversation) -> frozenset[int]:
    """The chats of the conversation that is going on, which recall must not bring back (decision 12): those whose
    operator messages are the beginning of these, and those with the same conversation id."""
    chats = AuditRow.objects.get_queryset().of_conversation(conversation.fingerprints, conversation_id=conversation.id)
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
    embedder there are none, one log line, and the reason (decision 16).
    """
    vectors = message_vector(message, timeout_seconds)
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


def message_vector(message: str, timeout_seconds: float) -> Vectors | str:
    """The message's vector, or why there is none."""
    if not message.strip():
        return "the message holds no words"
    try:
        return embedding.embed([message], timeout_seconds=timeout_seconds)
    except LLMError as error:
        logger.warning("Turn without episodes: %s", error)
        return str(error)


def threshold(scale: EpisodesRecallSettings) -> float:
    """The lowest cosine that counts as similar: as set, else the embedder's own (decision 14)."""
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

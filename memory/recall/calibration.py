"""Which similarity threshold fits the operator's own chats: cosines of related and unrelated pairs, and their rates.

A related pair is the newest message of a chat and the chat's own summary. An unrelated pair is the same message and
the summary of another conversation. Nothing is written.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from django.db.models import QuerySet
from pydantic import ValidationError

from memory import ranking
from memory.conversation import Conversation
from memory.llm import LLMError, embedder_model, vector_from_json
from memory.llm.bulk_embedding import BATCH_SIZE, vectors_of
from memory.llm.embedding import Vector
from memory.models import EpisodeSummary
from memory.ranking import Scores

MAX_FALSE_POSITIVE_RATE = 0.01
"""How many unrelated pairs the best threshold may let pass, in 0..1. Few, since each message meets every episode."""

MIN_RELATED_PAIRS = 20
MIN_UNRELATED_PAIRS = 100
"""With fewer pairs the choice would be chance: one pair of 100 is 1 % already."""

UNRELATED_PER_MESSAGE = 10
"""How many summaries of other chats each message is paired with."""

BIN_WIDTH = 0.05

_SHUFFLE_SEED = 34
_THRESHOLDS = [hundredths / 100 for hundredths in range(101)]


@dataclass(frozen=True)
class Sample:
    """One chat: its newest message, its summary, and the summary's vector, None where another embedder made it.

    `conversation` is the same for chats that begin with the same message.
    """

    conversation: str
    message: str
    summary: str
    stored_vector: Vector | None
    chat_id: int
    said_at: datetime


@dataclass(frozen=True)
class Pairs:
    """What related pairs (n,) and unrelated pairs (m,) come to."""

    related: Scores
    unrelated: Scores

    def true_positive_rate(self, threshold: float) -> float:
        """The share of related pairs at or above the threshold, in 0..1."""
        return _rate(self.related >= threshold)

    def false_positive_rate(self, threshold: float) -> float:
        """The share of unrelated pairs at or above the threshold, in 0..1."""
        return _rate(self.unrelated >= threshold)


class Cosines(Pairs):
    """The cosines of pairs."""

    def best_threshold(self) -> float | None:
        """The threshold with the highest true positive rate within `MAX_FALSE_POSITIVE_RATE`; the highest of several.

        In whole hundredths from 0 to 1. None where even a threshold of 1 exceeds that rate.
        """
        allowed = [
            threshold for threshold in _THRESHOLDS if self.false_positive_rate(threshold) <= MAX_FALSE_POSITIVE_RATE
        ]
        return max(allowed, key=lambda threshold: (self.true_positive_rate(threshold), threshold), default=None)


class Bin(NamedTuple):
    """The share of each kind of pairs between `low` and `low + BIN_WIDTH`, in 0..1."""

    low: float
    related: float
    unrelated: float


def _rate(hits: npt.NDArray[np.bool_]) -> float:
    return float(hits.mean()) if hits.size else 0.0


def histogram(pairs: Pairs) -> list[Bin]:
    """Both distributions, from the lowest bin that holds a pair to the highest."""
    bins = [np.floor(part / BIN_WIDTH + 1e-6).astype(int) for part in (pairs.related, pairs.unrelated)]
    used = np.concatenate(bins)
    return [
        Bin(bin_ * BIN_WIDTH, _rate(bins[0] == bin_), _rate(bins[1] == bin_))
        for bin_ in range(used.min(initial=0), used.max(initial=0) + 1)
    ]


# --- the operator's chats -----------------------------------------------------------------------------------------


def load_samples(count: int) -> list[Sample]:
    """The newest chats with a summary, `count` at most; fewer where some hold no words or cannot be read."""
    return _samples(EpisodeSummary.objects.exclude(summary=""), count, embedder_model())


def load_content_samples(count: int) -> list[Sample]:
    """The newest chats that mode `hybrid` searches, `count` at most, as `load_samples` reads them."""
    return _samples(EpisodeSummary.objects.filter(units__isnull=False), count, embedder_model())


def _samples(episodes: QuerySet[EpisodeSummary], count: int, model: str) -> list[Sample]:
    newest = episodes.order_by("-created_at", "-id").select_related("audit_log")
    read = (_sample(episode, model) for episode in newest[:count].iterator(chunk_size=50))
    return [sample for sample in read if sample is not None]


def _sample(episode: EpisodeSummary, model: str) -> Sample | None:
    try:
        chat = Conversation(episode.audit_log.completed.messages)
    except ValidationError:  # a row that no version of ours wrote
        return None
    if not chat.question:
        return None
    stored_vector = vector_from_json(episode.embedding) if episode.model == model else None
    return Sample(
        chat.fingerprints[0],
        chat.question,
        episode.summary,
        stored_vector,
        chat_id=episode.audit_log_id,
        said_at=episode.created_at,
    )


def measure(sampled: Sequence[Sample]) -> Cosines:
    """The cosines of these chats. Asks the embedder; what it cannot embed is left out. Raises `LLMError`."""
    embedded = _embed_samples(sampled)
    if not embedded:
        return Cosines(np.empty(0, np.float32), np.empty(0, np.float32))
    messages = ranking.unit(np.array([item.message for item in embedded], np.float64))
    summaries = ranking.unit(np.array([item.summary for item in embedded], np.float64))
    pairs = np.array(unrelated_pairs([item.conversation for item in embedded]), np.intp).reshape(-1, 2)
    return Cosines(
        related=np.vecdot(messages, summaries),
        unrelated=np.vecdot(messages[pairs[:, 0]], summaries[pairs[:, 1]]),
    )


def unrelated_pairs(conversations: Sequence[str]) -> list[tuple[int, int]]:
    """Index pairs (message, summary of another conversation). Each occurs once; the same shuffle at every call."""
    count = len(conversations)
    order = np.random.default_rng(_SHUFFLE_SEED).permutation(count).tolist()
    shifts = range(1, min(UNRELATED_PER_MESSAGE, count - 1) + 1)
    pairs = [(order[at], order[(at + shift) % count]) for shift in shifts for at in range(count)]
    return [(one, other) for one, other in pairs if conversations[one] != conversations[other]]


class _EmbeddedSample(NamedTuple):
    conversation: str
    message: Vector
    summary: Vector


def _embed_samples(sampled: Sequence[Sample]) -> list[_EmbeddedSample]:
    """The samples whose two vectors exist and have the same length as those of the first one."""
    messages = embed_texts([sample.message for sample in sampled])
    new = embed_texts([sample.summary for sample in sampled if sample.stored_vector is None])
    embedded: list[_EmbeddedSample] = []
    for sample, message in zip(sampled, messages, strict=True):
        summary = next(new) if sample.stored_vector is None else sample.stored_vector
        if isinstance(message, LLMError) or isinstance(summary, LLMError):
            continue
        if message.size == summary.size == (embedded[0].message.size if embedded else message.size):
            embedded.append(_EmbeddedSample(sample.conversation, message, summary))
    return embedded


def embed_texts(texts: Sequence[str]) -> Iterator[Vector | LLMError]:
    """The vector of each text, or why it has none. Raises `LLMError`."""
    for start in range(0, len(texts), BATCH_SIZE):
        yield from vectors_of(texts[start : start + BATCH_SIZE])

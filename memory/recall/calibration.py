"""Which similarity threshold fits the operator's own chats: two samples of cosines, and what a threshold does to them.

Related is the newest message of a chat with the chat's own summary, unrelated the same message with the summary of
another conversation. Nothing is written.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from pydantic import ValidationError

from memory import ranking
from memory.conversation import Conversation
from memory.llm import LLMError, embedder_model, vector_from_json
from memory.llm.bulk_embedding import BATCH_SIZE, vectors_of
from memory.llm.embedding import Vector
from memory.models import EpisodeSummary
from memory.ranking import Matrix

MOST_LET_IN = 0.01
"""The share of unrelated pairs that the chosen threshold lets in at most: few, since a message meets every episode."""

FEWEST_RELATED = 20
FEWEST_UNRELATED = 100
"""With fewer pairs a choice would be chance: one of 100 is 1 %."""

SHUFFLES = 10
"""With how many other chats' summaries each message is paired."""

BIN_WIDTH = 0.05

_SEED = 34
_THRESHOLDS = [hundredths / 100 for hundredths in range(101)]


@dataclass(frozen=True)
class Sample:
    """One chat: its newest message, its summary, and the summary's vector where it is of the embedder in use.

    `conversation` is the same for chats that begin with the same message.
    """

    conversation: str
    message: str
    summary: str
    stored: Vector | None


@dataclass(frozen=True)
class Cosines:
    """Cosines of related pairs (n,) and of unrelated pairs (m,)."""

    related: Matrix
    unrelated: Matrix

    def kept(self, threshold: float) -> float:
        """The share of related pairs that reach the threshold, in 0..1."""
        return _share(self.related >= threshold)

    def let_in(self, threshold: float) -> float:
        """The share of unrelated pairs that reach it, in 0..1."""
        return _share(self.unrelated >= threshold)

    def chosen(self) -> float | None:
        """Of the thresholds that let in at most `MOST_LET_IN` the one that keeps most; the highest of several.

        In whole hundredths from 0 to 1. None where even 1 lets in more.
        """
        strict = [threshold for threshold in _THRESHOLDS if self.let_in(threshold) <= MOST_LET_IN]
        return max(strict, key=lambda threshold: (self.kept(threshold), threshold), default=None)


class Bin(NamedTuple):
    """How much of each sample lies between `low` and `low + BIN_WIDTH`, in 0..1."""

    low: float
    related: float
    unrelated: float


def _share(hits: npt.NDArray[np.bool_]) -> float:
    return float(hits.mean()) if hits.size else 0.0


def histogram(cosines: Cosines) -> list[Bin]:
    """Both distributions, lowest first, from the first bin that holds something to the last."""
    places = [np.floor(part / BIN_WIDTH + 1e-6).astype(int) for part in (cosines.related, cosines.unrelated)]
    used = np.concatenate(places)
    return [
        Bin(place * BIN_WIDTH, _share(places[0] == place), _share(places[1] == place))
        for place in range(used.min(initial=0), used.max(initial=0) + 1)
    ]


# --- the operator's chats -----------------------------------------------------------------------------------------


def samples(count: int) -> list[Sample]:
    """The newest chats with a summary, `count` at most; fewer where some hold no words or cannot be read."""
    model = embedder_model()
    newest = EpisodeSummary.objects.exclude(summary="").order_by("-created_at", "-id").select_related("audit_log")
    read = (_sample(episode, model) for episode in newest[:count].iterator(chunk_size=50))
    return [sample for sample in read if sample is not None]


def _sample(episode: EpisodeSummary, model: str) -> Sample | None:
    try:
        chat = Conversation(episode.audit_log.completed.messages)
    except ValidationError:  # a row that no version of ours wrote
        return None
    if not chat.question:
        return None
    stored = vector_from_json(episode.embedding) if episode.model == model else None
    return Sample(chat.fingerprints[0], chat.question, episode.summary, stored)


def measure(sampled: Sequence[Sample]) -> Cosines:
    """The cosines of these chats. Asks the embedder; what it cannot embed is left out. Raises `LLMError`."""
    embedded = _embedded(sampled)
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
    """Places of a message and of a summary of another conversation: each once, shuffled, the same at every call."""
    count = len(conversations)
    order = np.random.default_rng(_SEED).permutation(count).tolist()
    shifts = range(1, min(SHUFFLES, count - 1) + 1)
    pairs = [(order[place], order[(place + shift) % count]) for shift in shifts for place in range(count)]
    return [(one, other) for one, other in pairs if conversations[one] != conversations[other]]


class _Embedded(NamedTuple):
    conversation: str
    message: Vector
    summary: Vector


def _embedded(sampled: Sequence[Sample]) -> list[_Embedded]:
    """Those of the samples whose two vectors are there and of one length."""
    messages = _vectors([sample.message for sample in sampled])
    new = _vectors([sample.summary for sample in sampled if sample.stored is None])
    embedded: list[_Embedded] = []
    for sample, message in zip(sampled, messages, strict=True):
        summary = next(new) if sample.stored is None else sample.stored
        if isinstance(message, LLMError) or isinstance(summary, LLMError):
            continue
        if message.size == summary.size == (embedded[0].message.size if embedded else message.size):
            embedded.append(_Embedded(sample.conversation, message, summary))
    return embedded


def _vectors(texts: Sequence[str]) -> Iterator[Vector | LLMError]:
    for start in range(0, len(texts), BATCH_SIZE):
        yield from vectors_of(texts[start : start + BATCH_SIZE])

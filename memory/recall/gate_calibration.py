"""Which gate of mode `hybrid` fits the operator's own chats: what messages come to for their own chat and for others.

The pairs are those of `calibration`, with what was said in a chat in place of its summary. Nothing is written.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo
from statistics import NormalDist

import numpy as np

from memory.llm import LLMError, embedder_model
from memory.llm.embedding import Vector
from memory.ranking import Scores
from memory.recall.calibration import Pairs, Sample, embed_texts, unrelated_pairs
from memory.recall.hybrid import search
from memory.recall.hybrid.search import Query, Reached

MAX_OPENED_FOR_NOTHING = 0.03
"""How many unrelated conversations may reach the best gate, for each message that meets all of them."""

_QUARTILES_APART = 2 * NormalDist().inv_cdf(0.75)


@dataclass(frozen=True)
class GateValues(Pairs):
    """What messages come to for their own chat (n,), and for chats of other conversations (m,).

    `best_others` (n,): the highest that any other conversation comes to; `conversations`: how many there are.
    """

    best_others: Scores
    conversations: int

    def opened_rate(self, gate: float) -> float:
        """The share of messages for which some other conversation reaches the gate, in 0..1."""
        return float((self.best_others >= gate).mean()) if self.best_others.size else 0.0

    def best_gate(self) -> float:
        """The gate that `MAX_OPENED_FOR_NOTHING` unrelated conversations reach, in hundredths, rounded up.

        The tail of unrelated pairs is the normal one that their middle half belongs to: above it stand chats that are
        about the same thing after all, and they would have the last word on a tail that is counted.
        """
        low, middle, high = (float(value) for value in np.quantile(self.unrelated, (0.25, 0.5, 0.75)))
        deviation = (high - low) / _QUARTILES_APART
        reached_by = MAX_OPENED_FOR_NOTHING / max(self.conversations, 1)
        return math.ceil((middle + NormalDist().inv_cdf(1 - reached_by) * deviation) * 100) / 100


def measure(sampled: Sequence[Sample], zone: tzinfo) -> GateValues:
    """What these messages come to. Asks the embedder; what it cannot embed is left out. Raises `LLMError`."""
    vectors = list(embed_texts([sample.message for sample in sampled]))
    embedded = [
        (sample, vector) for sample, vector in zip(sampled, vectors, strict=True) if not isinstance(vector, LLMError)
    ]
    samples = [sample for sample, _ in embedded]
    partners = _partners([sample.conversation for sample in samples])
    related, unrelated, best_others, conversations = list[float](), list[float](), list[float](), 0
    for index, (sample, vector) in enumerate(embedded):
        reached = search.reached(_query(sample, vector, zone))
        conversations = max(conversations, np.unique(reached.conversations).size)
        related += _values(reached, [sample.chat_id])
        unrelated += _values(reached, [samples[other].chat_id for other in partners[index]])
        best_others.append(_best_other(reached, sample.chat_id))
    return GateValues(np.array(related), np.array(unrelated), np.array(best_others), conversations)


def _partners(conversations: Sequence[str]) -> list[list[int]]:
    """For each message the samples it is paired with, of other conversations."""
    partners: list[list[int]] = [[] for _ in conversations]
    for one, other in unrelated_pairs(conversations):
        partners[one].append(other)
    return partners


def _query(sample: Sample, vector: Vector, zone: tzinfo) -> Query:
    """The message as it was asked then: dates in it are counted from its own day."""
    return Query(sample.message, vector, embedder_model(), sample.said_at, zone, top_k=1)


def _values(reached: Reached, chats: Sequence[int]) -> list[float]:
    values: list[float] = reached.values[np.isin(reached.chats, np.array(chats, dtype=np.int64))].tolist()
    return values


def _best_other(reached: Reached, chat_id: int) -> float:
    own = reached.conversations[reached.chats == chat_id]
    return float(reached.values[~np.isin(reached.conversations, own)].max(initial=-2.0))

"""The score of a conversation in recall by content, the gate before it, and who gets the places. Pure."""

import math
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from memory import ranking
from memory.ranking import Flags, Indices, Ints, Scores

Number = TypeVar("Number")

LEAST_COSINE = 0.05
"""The best cosine counts as at least this, so that a store without anything near gives nobody a whole point."""

WORDS, CONVERSATION, PAIRS = 0.6, 0.5, 0.25
DAY, MONTH, RECENCY = 1.6, 1.0, 0.1
RECENCY_DAYS = 14.0

_ASKED_TIME = 3.0  # more than meaning and words can come to
_LENGTH_PENALTY = 0.2
_LEAST_OF_BEST = 0.3
_LEAST_COVERAGE, _FULL_COVERAGE = 0.20, 0.35
_GATE, _GATE_SLOPE, _GATE_CHATS = 0.10, 0.085, 27
_LOWEST_GATE, _HIGHEST_GATE = 0.09, 0.22
_SHARE, _FULL_MASS, _DATED, _GENERALITY = 0.2, 1.5, 0.1, 0.6


class Found(NamedTuple):
    """What was found of a message in m conversations, one number for each: (m,).

    `cosine` of the best of `windows` windows; BM25 of the best word window, of the whole conversation, and over pairs;
    how near it is to a day and to a month that the message names, 0..1; `age_days`; `dated`: whether it lies inside the
    days that are named.
    """

    cosine: Scores
    windows: Ints
    words: Scores
    conversation: Scores
    pairs: Scores
    day: Scores
    month: Scores
    age_days: Scores
    dated: Flags


class Parts(NamedTuple, Generic[Number]):
    """The parts of a score, or of scores (m,): what a conversation has of the best one's value, 1 being the best."""

    meaning: Number
    words: Number
    conversation: Number
    pairs: Number
    day: Number
    month: Number
    recency: Number


@dataclass(frozen=True)
class Scored:
    """Scores (m,) with their parts, and how much the words count for this message: 0..1."""

    score: Scores
    parts: Parts[Scores]
    word_weight: float


def word_weight(coverage: float) -> float:
    """How much words count: as far as the message's words are found together in one place (`coverage`, 0..1)."""
    return min(1.0, max(0.0, (coverage - _LEAST_COVERAGE) / (_FULL_COVERAGE - _LEAST_COVERAGE)))


def score(found: Found, may: Flags, *, spread: float, coverage: float) -> Scored:
    """c + a (.6 w + .5 d + .25 b) + 1.6 day + 1.0 month + .1 recency; c, w, d and b divided by their best.

    `may` (m,): which may be brought back. They have the best values; another one has no more than 1 of each. `spread`:
    the standard deviation of this message's cosines. A conversation of many windows has more draws for its best cosine,
    which is lowered for that.
    """
    likely = _LENGTH_PENALTY * spread * np.sqrt(2 * np.log(np.maximum(found.windows, 1)))
    cosine = np.where(found.windows > 0, found.cosine - likely, 0.0)
    parts = Parts(
        meaning=np.minimum(cosine / max(float(cosine[may].max(initial=0.0)), LEAST_COSINE), 1.0),
        words=_of_best(found.words, may),
        conversation=_of_best(found.conversation, may),
        pairs=_of_best(found.pairs, may),
        day=found.day,
        month=found.month,
        recency=np.exp(-np.maximum(found.age_days, 0.0) / RECENCY_DAYS),
    )
    weight = word_weight(coverage)
    words = WORDS * parts.words + CONVERSATION * parts.conversation + PAIRS * parts.pairs
    total = parts.meaning + weight * words + DAY * parts.day + MONTH * parts.month + RECENCY * parts.recency
    return Scored(total, parts, weight)


def asked(scored: Scored, may: Flags, dated: Flags) -> Scored:
    """The scores for a question that somebody asks of memory: nothing fades, and of what has enough of the best one's
    meaning and words, what took place on the days asked for comes first."""
    parts = scored.parts
    score = scored.score - RECENCY * parts.recency
    content = score - DAY * parts.day - MONTH * parts.month
    has_enough = content >= _LEAST_OF_BEST * float(content[may].max(initial=0.0))
    return Scored(score + _ASKED_TIME * (dated & has_enough), parts, scored.word_weight)


def _of_best(values: Scores, may: Flags) -> Scores:
    best = float(values[may].max(initial=0.0))
    return np.minimum(values / best, 1.0) if best > 0 else np.zeros_like(values)


def gate(mean: Scores, share: Scores, mass: Scores, dated: Scores, *, generality: float) -> Scores:
    """(n,) what the gate goes by: the cosine with a chat's mean, words of weight found together in it, whether it took
    place when the message says (`dated`, 0..1), less what the message has in common with messages in general."""
    return mean + _SHARE * share * np.minimum(1.0, mass / _FULL_MASS) + _DATED * dated - _GENERALITY * generality


def gate_threshold(conversations: int) -> float:
    """What the best conversation must reach: .10 for 27 of them, rising with their number, from .09 to .22."""
    rise = _GATE_SLOPE * math.log10(max(conversations, 1) / _GATE_CHATS)
    return min(_HIGHEST_GATE, max(_LOWEST_GATE, _GATE + rise))


def earns_place(scored: Scored, may: Flags) -> Flags:
    """(m,) which of them would be given a place at all: those that took place when the message says, and those that
    have enough of what the best one has in meaning and words. In a store of a few chats the others are no runners-up,
    but merely the rest."""
    parts = scored.parts
    dated = DAY * parts.day + MONTH * parts.month
    content = scored.score - dated - RECENCY * parts.recency
    return may & ((dated > 0) | (content >= _LEAST_OF_BEST * float(content[may].max(initial=0.0))))


class Places(NamedTuple):
    """The indices of the conversations that go in, in order, and how many of them by meaning alone."""

    indices: Indices
    by_meaning: int


def places(scored: Scored, may: Flags, times: Ints, ids: Ints, *, top_k: int) -> Places:
    """Who of those that `may` (m,) gets the `top_k` places: by score; where few of the words were found together, a
    third of them, rounded up, by meaning. Ties go to the newer, then to the lower id."""
    by_meaning = 0 if scored.word_weight >= 1 else math.ceil(top_k / 3)
    candidates = np.flatnonzero(may)
    times, ids = times[candidates], ids[candidates]
    first = candidates[ranking.top(scored.score[candidates], times, ids, top_k - by_meaning)]
    nearest = candidates[ranking.top(scored.parts.meaning[candidates], times, ids, top_k)]
    others = nearest[~np.isin(nearest, first)][:by_meaning]
    return Places(np.concatenate([first, others]), others.size)

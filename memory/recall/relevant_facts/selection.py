"""The facts of one prompt in the mode `mixed`: the most important first, then those that the message asks for.

Facts that the operator keeps come before both. They take the places of the most important ones, and more where there
are more of them than such places.

    relevance = meaning + words
    meaning   = cosine / the best fact's cosine (at least 0.05)
    words     = a x 0.6 x BM25 / the best fact's BM25
    a         = 1 where a fifth of the message's words, weighed by their rarity, stand together in one fact; less below

Words that are found one here and one there say little, so they must not push out what is meant. Without vectors the
words decide alone, with a = 1.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from django.conf import settings

from caesar.conf import FactsSettings
from memory import ranking
from memory.events import FactRelevance, ServedBy
from memory.llm import Vectors, embedding
from memory.models import BY_IMPORTANCE, RankedFact
from memory.ranking import Scores
from memory.recall.relevant_facts.candidates import Candidates
from memory.recall.relevant_facts.question import Question
from memory.recall.relevant_facts.vectors import TextVectors
from memory.recall.relevant_facts.words import WordMatch

_WORDS_WEIGHT = 0.6
_LEAST_BEST_COSINE = 0.05
_ENOUGH_TOGETHER = 0.2
_DIGITS = 6  # what is closer than that depends on the batch in which a text was embedded


@dataclass(frozen=True)
class SelectedFact:
    """A fact and how it came in. `relevance` is None where the message was not asked about it."""

    item: RankedFact
    by: ServedBy = "importance"
    relevance: FactRelevance | None = None


@dataclass(frozen=True)
class Selection:
    """Facts in the order in which a prompt takes them; its caps cut the list.

    `words_alone`: why words alone decided about some or all facts; "" where meaning did, too.
    """

    facts: Sequence[SelectedFact]
    words_alone: str = ""


def important_places(facts: FactsSettings) -> int:
    """How many of them go to the most important facts, whatever the message."""
    return min(facts.max_injected, BY_IMPORTANCE) if facts.selection == "mixed" else facts.max_injected


def kept_at_head(ranked: Sequence[RankedFact], *, most: int) -> int:
    """How many facts at the head of a prompt's order are there because the operator keeps them: at most half."""
    head = ranked[: most // 2]
    return next((place for place, item in enumerate(head) if not item.fact.is_kept), len(head))


def by_rank(ranked: Sequence[RankedFact], *, most: int) -> list[SelectedFact]:
    """Facts in a prompt's order that no message was asked about: those that are kept, then by importance."""
    kept = kept_at_head(ranked, most=most)
    return [SelectedFact(item, "kept" if place < kept else "importance") for place, item in enumerate(ranked)]


def select(candidates: Candidates, question: Question, *, most: int) -> Selection:
    """The first `most` candidates for a prompt, in its order. Ties go by importance, in the records' order.

    Asks the embedder for vectors that are not kept yet, for no longer than the question's deadline.
    """
    places_taken = min(max(BY_IMPORTANCE, kept_at_head(candidates.ranked, most=most)), most)
    fixed = by_rank(candidates.ranked[:places_taken], most=most)
    if min(most, len(candidates.ranked)) <= places_taken:
        return Selection(fixed)
    relevances = _Relevances.of(candidates, question)
    places = relevances.order()
    others = places[places >= places_taken][: most - places_taken]
    return Selection([*fixed, *(relevances.selected(candidates, int(at)) for at in others)], relevances.words_alone)


def preload(candidates: Candidates) -> int:
    """Have the vectors made that the first turn would wait for; returns how many facts have one. In batches, so that
    turns need not wait for all of them. Raises `LLMError` where the embedder does not answer at all."""
    texts = candidates.texts
    if len(texts) <= BY_IMPORTANCE:  # all of them are in every prompt
        return 0
    like, made = embedding.embed(texts[:1]), 0
    for start in range(0, len(texts), embedding.BATCH_SIZE):
        batch = texts[start : start + embedding.BATCH_SIZE]
        found = _vectors.find(batch, like=like, deadline=time.monotonic() + settings.CAESAR.llm.timeout_seconds)
        made += sum(vector is not None for vector in found.vectors)
        if found.missing:
            break
    return made


@dataclass(frozen=True)
class _Relevances:
    """Columns of shape (n,), one place for each candidate. `cosines` is NaN where there is no vector."""

    cosines: Scores
    meaning: Scores
    words: Scores
    score: Scores
    words_alone: str

    @classmethod
    def of(cls, candidates: Candidates, question: Question) -> "_Relevances":
        match = candidates.match(question.message)
        cosines, words_alone = cosines_of(candidates.texts, question.vectors, deadline=question.deadline)
        known = np.nan_to_num(np.maximum(cosines, 0.0))
        meaning = known / max(float(known.max(initial=0.0)), _LEAST_BEST_COSINE)
        words = _weight(match, has_meaning=not np.isnan(cosines).all()) * match.scores
        return cls(cosines, meaning, words, np.round(meaning + words, _DIGITS), words_alone)

    def order(self) -> ranking.Indices:
        """All places, the most relevant first; ties in the order of importance."""
        return np.argsort(-self.score, kind="stable")

    def selected(self, candidates: Candidates, place: int) -> SelectedFact:
        item, score = candidates.ranked[place], float(self.score[place])
        if not score:
            return SelectedFact(item)  # nothing in the message asks for it: it goes by importance
        cosine = float(self.cosines[place])
        relevance = FactRelevance(
            score=score,
            meaning=float(self.meaning[place]),
            words=float(self.words[place]),
            cosine=None if np.isnan(cosine) else cosine,
        )
        return SelectedFact(item, "message", relevance)


def _weight(match: WordMatch, *, has_meaning: bool) -> float:
    """How much words count beside meaning."""
    return _WORDS_WEIGHT * (min(1.0, match.together / _ENOUGH_TOGETHER) if has_meaning else 1.0)


def cosines_of(texts: Sequence[str], vectors: Vectors | str, *, deadline: float) -> tuple[Scores, str]:
    """The cosine of each text with a message's vector (n,), NaN where there is none, and why there is none."""
    cosines = np.full(len(texts), np.nan)
    if isinstance(vectors, str):
        return cosines, vectors
    found = _vectors.find(texts, like=vectors, deadline=deadline)
    known = [place for place, vector in enumerate(found.vectors) if vector is not None]
    if known:
        rows = np.array([found.vectors[place] for place in known], dtype=np.float64)
        message: Scores = vectors.rows[0].astype(np.float64)
        cosines[known] = ranking.cosine(message, rows)
    return cosines, found.missing


_vectors = TextVectors()

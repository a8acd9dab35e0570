"""The facts that answer a question, by meaning and words; those that are no longer true are said to be so."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime

import numpy as np
from django.db import connection

from memory.models import MemoryRevision, PersonalFact
from memory.ranking import Scores
from memory.recall.explicit import reasons
from memory.recall.explicit.question import Question
from memory.recall.explicit.results import Found
from memory.recall.hybrid.search import LEAST_MEANING
from memory.recall.relevant_facts import cosines_of, words_of_facts
from memory.recall.relevant_facts.vectors import MAX_KEPT
from memory.recall.relevant_facts.words import WordIndex
from memory.text.terms import terms


@dataclass(frozen=True)
class _Texts:
    """All facts of one moment, the newest first, and the texts they are found by."""

    stamp: int
    facts: Sequence[PersonalFact]
    texts: Sequence[str]
    indexes: dict[str, WordIndex]

    def index(self, language: str) -> WordIndex:
        """The words of the texts by one language's rules: made once."""
        known = self.indexes.get(language)
        if known is None:
            known = self.indexes[language] = WordIndex([terms(text, language=language) for text in self.texts])
        return known


@dataclass(frozen=True)
class FactHits:
    """The best first; `note`: why words alone decided about some or all, "" where meaning did, too."""

    found: Sequence[Found]
    note: str = ""


def find(question: Question, *, limit: int) -> FactHits:
    """At most `limit` facts. One query where nothing changed."""
    known = _texts()
    if not known.facts:
        return FactHits(())
    match = known.index(question.words.language).match(word for _, own in question.words.words for word in sorted(own))
    cosines, note = cosines_of(known.texts, question.vectors, deadline=question.deadline)
    places = _order(question, known.facts, cosines, match.scores)
    found = [_found(question, known, at, cosines, has_words=match.scores[at] > 0) for at in places[: 2 * limit]]
    return FactHits(sorted(found, key=lambda one: -one.score)[:limit], note)


def _order(question: Question, facts: Sequence[PersonalFact], cosines: Scores, words: Scores) -> list[int]:
    """The places of the facts that have anything of what is asked for, the most relevant first."""
    meaning = np.nan_to_num(np.maximum(cosines, 0.0))
    dated = np.array([_is_dated(question, fact) for fact in facts], dtype=np.float64)
    has_some = dated > 0 if question.is_only_dates else (meaning >= LEAST_MEANING) | (words > 0)
    score = meaning / max(float(meaning.max(initial=0.0)), LEAST_MEANING) + words + dated
    order = np.argsort(-np.round(score, 6), kind="stable").tolist()
    return [at for at in order if has_some[at] and question.may_be_of(facts[at].last_confirmed_at)]


def _is_dated(question: Question, fact: PersonalFact) -> bool:
    if not question.ranges:
        return False
    return question.is_dated(fact.last_confirmed_at) or question.is_dated(fact.first_seen_at)


def _found(question: Question, known: _Texts, at: int, cosines: Scores, *, has_words: bool) -> Found:
    fact, text = known.facts[at], known.texts[at]
    words = question.words_in(text) if has_words else []
    cosine = None if np.isnan(cosines[at]) or question.is_only_dates else float(cosines[at])
    is_dated = _is_dated(question, fact)
    share = question.words.share(text) if has_words else 0.0
    return Found(
        kind="fact",
        id=f"fact:{fact.key}",
        title=fact.key,
        text=" ".join([fact.sentence, *_ended(fact, question.now)]),
        when=fact.last_confirmed_at,
        score=reasons.score(cosine=cosine, share=share, is_dated=is_dated),
        why=reasons.why(words, cosine=cosine, dated=_day(question, fact) if is_dated else None),
        chat_id=fact.source_audit_id,
        key=fact.key,
        words=words,
    )


def _day(question: Question, fact: PersonalFact) -> date:
    """Which of its days was asked for."""
    is_of_last = question.is_dated(fact.last_confirmed_at)
    return question.day_of(fact.last_confirmed_at if is_of_last else fact.first_seen_at)


def _ended(fact: PersonalFact, now: datetime) -> Iterator[str]:
    """What is said of a fact that does not hold."""
    if fact.retired_at is not None:
        yield f"(No longer true since {reasons.day_words(fact.retired_at)}.)"
    elif fact.is_past(now) and fact.valid_until is not None:
        yield f"(Held until {reasons.day_words(fact.valid_until)}.)"


def _texts() -> _Texts:
    """All facts with their texts, read anew where one changed."""
    global _latest
    stamp = MemoryRevision.current().facts_changed
    known = _latest
    if known is not None and known.stamp == stamp:
        return known
    facts = list(PersonalFact.objects.order_by("-last_confirmed_at", "-id")[:MAX_KEPT])
    made = _Texts(stamp, facts, words_of_facts(facts), {})
    if not connection.in_atomic_block:  # which may be rolled back
        _latest = made
    return made


_latest: _Texts | None = None

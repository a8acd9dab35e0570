"""The way of a question: read, looked for in each kind, put in one order. Writes nothing, and counts as no recall."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date, datetime
from zoneinfo import ZoneInfo

from memory.llm import Vectors
from memory.recall.explicit import conversations, facts, messages, reasons, summaries
from memory.recall.explicit.corrections import Corrections, corrections
from memory.recall.explicit.question import Question, ask
from memory.recall.explicit.results import KINDS, Found, Kind, Mode, SearchResults
from memory.recall.recallable import recalls_by_content


def search(
    query: str,
    *,
    kinds: Collection[Kind] = KINDS,
    since: date | None = None,
    until: date | None = None,
    limit: int = 10,
    now: datetime,
    zone: ZoneInfo,
) -> SearchResults:
    """What memory has that answers a question: at most `limit` facts, conversations and messages, the best first.

    A date in the question ("last May") lifts what is of that time; `since` and `until` (local days, both inside) leave
    out everything else. Of any text, from any store; asks the embedder once, and goes by words where it has no answer.
    """
    return answer(ask(query, since=since, until=until, now=now, zone=zone), kinds=kinds, limit=limit)


def answer(question: Question, *, kinds: Collection[Kind] = KINDS, limit: int = 10) -> SearchResults:
    """The same for a question that was read before."""
    by_kind, notes = _look(question, kinds, limit)
    merged = _merged([by_kind[kind] for kind in KINDS if kind in by_kind])
    return SearchResults(merged[:limit], reasons.ranges_words(question.ranges), _mode(question), notes)


def answer_by_kind(
    question: Question, *, kinds: Collection[Kind] = KINDS, limit: int = 10
) -> Mapping[Kind, SearchResults]:
    """At most `limit` of each kind, apart."""
    by_kind, notes = _look(question, kinds, limit)
    read, mode = reasons.ranges_words(question.ranges), _mode(question)
    return {kind: SearchResults(found, read, mode, notes) for kind, found in by_kind.items()}


def _look(question: Question, kinds: Collection[Kind], limit: int) -> tuple[dict[Kind, list[Found]], list[str]]:
    found: dict[Kind, list[Found]] = {}
    notes = dict.fromkeys(_notes(question))
    if limit < 1 or not (question.words.terms or question.ranges):
        return {kind: [] for kind in KINDS if kind in kinds}, list(notes)
    gone = corrections()
    if "fact" in kinds:
        hits = facts.find(question, limit=limit)
        found["fact"] = list(hits.found)
        if hits.note and isinstance(question.vectors, Vectors):
            notes[f"Facts were found by words alone, in part: {hits.note}."] = None
    if "conversation" in kinds:
        found["conversation"] = _conversations(question, gone, limit)
    if "message" in kinds:
        found["message"] = messages.find(question, gone, limit=limit)
    return found, list(notes)


def _conversations(question: Question, gone: Corrections, limit: int) -> list[Found]:
    """Those with units by what was said; where some have none, those by their summaries among them."""
    found = conversations.find(question, gone, limit=limit)
    if not summaries.exist():
        return found
    others = summaries.find(question, gone, messages.chat_ids(question), limit=limit)
    return _merged([found, others])[:limit]


def _notes(question: Question) -> Iterator[str]:
    if isinstance(question.vectors, str) and question.words.terms:
        yield f"Found by words alone: {question.vectors}."


def _mode(question: Question) -> Mode:
    if isinstance(question.vectors, str):
        return "words"
    return "hybrid" if recalls_by_content() else "record"


def _merged(lists: Sequence[Sequence[Found]]) -> list[Found]:
    """Several lists in one order by score; what comes first in its own list stays ahead of what follows it there."""
    ranked: list[tuple[float, int, int, Found]] = []
    for number, found in enumerate(lists):
        lowest = float("inf")
        for place, one in enumerate(found):
            lowest = min(lowest, one.score)
            ranked.append((-lowest, number, place, one))
    return [one for *_, one in sorted(ranked, key=lambda entry: entry[:3])]

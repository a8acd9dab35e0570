"""The words of a chat that taught something, each with the facts it taught. Pure.

Rows of learned facts say where their words are. For older ones, and where the message is not as it was, the value is
looked for.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from dashboard.shared.highlights import Span, find_value
from memory import transcript
from memory.events import Event, FactAdded, FactConfirmed, FactUpdated, Message
from memory.text import wording
from memory.text.lines import ELLIPSIS
from memory.text.quotes import same_letters

_MAX_MARKS = 500
_Teaching = FactAdded | FactConfirmed | FactUpdated


@dataclass(frozen=True)
class TaughtFact:
    """A fact that a chat taught. `number`: by which the marks and the list of what came of it name it."""

    number: int
    key: str
    sentence: str
    value: str
    quote: str = ""
    message: int | None = None
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True)
class TaughtSegment:
    """A part of a message. `facts`: what it taught; `ends`: those of them whose mark ends with this part."""

    text: str
    facts: Sequence[TaughtFact] = ()
    ends: Sequence[TaughtFact] = ()


def taught_fact(event: Event | None, number: int) -> TaughtFact | None:
    """The fact that an event says was learned, confirmed or updated; None for any other event."""
    if not isinstance(event, _Teaching):
        return None
    value = event.new_value if isinstance(event, FactUpdated) else event.value
    return TaughtFact(
        number=number,
        key=event.key,
        sentence=wording.sentence(event.key, value),
        value=value,
        quote=event.quote or "",
        message=event.message,
        start=event.start,
        end=event.end,
    )


def find_taught(fact: TaughtFact, index: int, message: Message, text: str) -> list[Span]:
    """Where in the shown `text` of the message at this index the words stand that taught a fact; [] where nowhere."""
    if fact.quote and fact.message is not None:
        if fact.message != index:
            return []
        if spans := _find_quote(fact, message, text):
            return spans
    return find_value(fact.value, text)


def mark_taught(text: str, marks: Sequence[tuple[Span, TaughtFact]]) -> list[TaughtSegment]:
    """`text` in segments, each with the facts that it taught. Marks may overlap. Only the first 500 count."""
    marks = sorted(marks, key=lambda mark: (mark[0], mark[1].number))[:_MAX_MARKS]
    bounds = sorted({0, len(text), *(at for span, _ in marks for at in span)})
    return [_segment(text, start, end, marks) for start, end in pairwise(bounds)]


def _segment(text: str, start: int, end: int, marks: Sequence[tuple[Span, TaughtFact]]) -> TaughtSegment:
    inside = [(span, fact) for span, fact in marks if span[0] <= start and end <= span[1]]
    return TaughtSegment(
        text[start:end], [fact for _, fact in inside], [fact for span, fact in inside if span[1] == end]
    )


def _find_quote(fact: TaughtFact, message: Message, text: str) -> list[Span]:
    """The quote of a fact where its row says that it stands: that occurrence, where several are the same."""
    words = transcript.own_words(message)
    said = words[fact.start : fact.end] if fact.start is not None and fact.end is not None else ""
    if not (same_letters(said, fact.quote) or ELLIPSIS in fact.quote):  # its message is not as it was
        return find_value(fact.quote, text)[:1]
    spans = find_value(said, text)
    before = len(find_value(said, words[: fact.start]))
    return spans[before : before + 1] or spans[:1]

"""Where a value was said: the operator's own message, its words marked. Text in pieces, never markup. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from memory import transcript
from memory.events import ChatCompleted
from memory.lines import ELLIPSIS, one_line

QUOTE_CHARS = 240
_LEAD_CHARS = 80
_SHORTEST_WORD = 3
_SHORTEST_PART = 4
_FILLERS = frozenset({"and", "but", "for", "from", "has", "have", "not", "the", "was", "with", "you", "your"})

Span = tuple[int, int]


@dataclass(frozen=True)
class Piece:
    """A stretch of a quote; `is_marked` where it is the value's words."""

    text: str
    is_marked: bool = False


@dataclass(frozen=True)
class Quote:
    """A message, or the part of it around its first mark. `is_literal`: the whole value stands in it as it is."""

    pieces: Sequence[Piece]
    is_literal: bool

    @property
    def has_marks(self) -> bool:
        """Whether any word of the value stands in it."""
        return any(piece.is_marked for piece in self.pieces)


def quote(chat: ChatCompleted, value: str) -> Quote | None:
    """What the operator said in a chat that holds `value`; None where they said nothing in words.

    The new words of the chat come before what was said earlier in it, the whole value before some of its words. Where
    not one of its words is there (it was worked out), the last thing they said is quoted without marks.
    """
    messages = [one_line(words) for words in _said(chat)]
    value = one_line(value)
    for words in messages:
        if spans := _whole(value, words):
            return _quote(words, spans, is_literal=True)
    marked = [(_parts(value, words), words) for words in messages]
    spans, words = max(marked, key=lambda found: len(found[0]), default=([], ""))
    return _quote(words, spans, is_literal=False) if words else None


def _said(chat: ChatCompleted) -> Iterator[str]:
    """The operator's messages with words in them: the new ones first, the latest first among these and the others."""
    new = set(transcript.new_messages(chat))
    order = sorted(range(len(chat.messages)), key=lambda index: (index not in new, -index))
    for index in order:
        message = chat.messages[index]
        if transcript.is_operator(message) and (words := transcript.said(message)):
            yield words


def _whole(value: str, words: str) -> list[Span]:
    """Where the whole value stands, in capitals or not: as words of its own, or else as part of longer ones."""
    if not value:
        return []
    literal = re.escape(value)
    spans = _spans(rf"(?<!\w){literal}(?!\w)", words)
    if not spans and (len(value) >= _SHORTEST_PART or not value.isascii()):
        spans = _spans(literal, words)
    return spans


def _parts(value: str, words: str) -> list[Span]:
    """Where words of the value stand; short ones and fillers say nothing by themselves."""
    telling = {
        word.lower()
        for word in re.findall(r"\w+", value)
        if (len(word) >= _SHORTEST_WORD or word.isdigit()) and word.lower() not in _FILLERS
    }
    if not telling:
        return []
    either = "|".join(re.escape(word) for word in sorted(telling, key=len, reverse=True))
    return _spans(rf"(?<!\w)(?:{either})(?!\w)", words)


def _spans(pattern: str, words: str) -> list[Span]:
    return [match.span() for match in re.finditer(pattern, words, re.IGNORECASE)]


def _quote(words: str, spans: Sequence[Span], *, is_literal: bool) -> Quote:
    start, end = _window(words, spans[0] if spans else (0, 0))
    shown = [(max(first, start), min(last, end)) for first, last in spans if first < end and last > start]
    bounds = [start, *(at for span in shown for at in span), end]
    marked = set(shown)
    pieces = [Piece(words[a:b], (a, b) in marked) for a, b in pairwise(bounds) if a < b]
    head, tail = start > 0, end < len(words)
    return Quote([*[Piece(ELLIPSIS)] * head, *pieces, *[Piece(ELLIPSIS)] * tail], is_literal)


def _window(words: str, mark: Span) -> Span:
    """The stretch of at most `QUOTE_CHARS` characters that holds the mark, cut between words where there are any."""
    if len(words) <= QUOTE_CHARS:
        return 0, len(words)
    start = max(0, mark[0] - _LEAD_CHARS)
    if start:
        space = words.find(" ", start, mark[0])
        start = space + 1 if space >= 0 else start
    end = min(len(words), start + QUOTE_CHARS)
    if end < len(words):
        space = words.rfind(" ", max(start + 1, min(mark[1], end)), end)
        end = space if space > start else end
    return start, end

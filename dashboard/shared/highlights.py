"""Words marked where they stand in a text: in a conversation, in a quote, and where a search found a row. Pieces of
text, never markup. Pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from memory.text.lines import ELLIPSIS, one_line

_SHORTEST_INSIDE = 4
_LEAD_CHARS = 40
_MOST_MARKS = 500

Span = tuple[int, int]


@dataclass(frozen=True)
class Piece:
    """A stretch of text; `is_marked` where it is what was looked for."""

    text: str
    is_marked: bool = False


def marked(text: str, values: Iterable[str]) -> list[Piece]:
    """`text` with every one of the values marked wherever it stands, in capitals or not, over line breaks too.

    The first `_MOST_MARKS` of them: a word that somebody pasted 50,000 times is no page any more.
    """
    return _pieces(text, joined(span for value in values for span in places(value, text))[:_MOST_MARKS])


def excerpt(text: str, search: str, *, max_chars: int) -> list[Piece]:
    """The stretch of a text around the first word of a search in it, all of them marked; [] where none is there."""
    text = one_line(text)
    spans = joined(match.span() for word in words_of(search) for match in _begun(word).finditer(text))
    return around(text, spans, max_chars=max_chars, lead_chars=_LEAD_CHARS) if spans else []


def around(text: str, spans: Sequence[Span], *, max_chars: int, lead_chars: int) -> list[Piece]:
    """At most `max_chars` of a text, cut between words where there are any, with an ellipsis where it goes on.

    `spans`: what is marked, in order, without overlaps. The stretch holds the first of them, with up to `lead_chars`
    before it, or as much of it as there is room for; without any it is the beginning.
    """
    start, end = _window(text, spans[0] if spans else (0, 0), max_chars=max_chars, lead_chars=lead_chars)
    inside = [(max(first, start), min(last, end)) for first, last in spans if first < end and last > start]
    return [
        *[Piece(ELLIPSIS)] * (start > 0),
        *_pieces(text[start:end], [(first - start, last - start) for first, last in inside]),
        *[Piece(ELLIPSIS)] * (end < len(text)),
    ]


def words_of(search: str) -> list[str]:
    """The words of a search."""
    return re.findall(r"\w+", search)


def places(value: str, text: str) -> list[Span]:
    """Where a value stands as words of its own; a longer one, where it does not, also as a part of longer words."""
    literal = r"\s+".join(re.escape(word) for word in value.split())
    if not literal:
        return []
    found = spans_of(rf"(?<!\w){literal}(?!\w)", text)
    if not found and (len(value) >= _SHORTEST_INSIDE or not value.isascii()):
        found = spans_of(literal, text)
    return found


def spans_of(pattern: str, text: str) -> list[Span]:
    """Where a pattern matches, in capitals or not."""
    return [match.span() for match in re.finditer(pattern, text, re.IGNORECASE)]


def joined(spans: Iterable[Span]) -> list[Span]:
    """The spans in order, those that touch as one."""
    together: list[Span] = []
    for start, end in sorted(spans):
        if together and start <= together[-1][1]:
            together[-1] = (together[-1][0], max(end, together[-1][1]))
        else:
            together.append((start, end))
    return together


def _begun(word: str) -> re.Pattern[str]:
    """A word that begins so: a search looks for the beginning of its last one, and the others stand there whole."""
    return re.compile(rf"(?<!\w){re.escape(word)}\w*", re.IGNORECASE)


def _window(text: str, mark: Span, *, max_chars: int, lead_chars: int) -> Span:
    if len(text) <= max_chars:
        return 0, len(text)
    start = max(0, mark[0] - lead_chars)
    if start:
        space = text.find(" ", start, mark[0])
        start = space + 1 if space >= 0 else start
    end = min(len(text), start + max_chars)
    if end < len(text):
        space = text.rfind(" ", max(start + 1, min(mark[1], end)), end)
        end = space if space > start else end
    return start, end


def _pieces(text: str, spans: Sequence[Span]) -> list[Piece]:
    marks = set(spans)
    bounds = [0, *(at for span in spans for at in span), len(text)]
    return [Piece(text[start:end], (start, end) in marks) for start, end in pairwise(bounds) if start < end]

"""Words marked where they occur literally: in a conversation, and where a search found a row. Pieces of text, never
markup. Pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from memory.lines import ELLIPSIS, one_line

_SHORTEST_INSIDE = 4
_LEAD_CHARS = 40

Span = tuple[int, int]


@dataclass(frozen=True)
class Piece:
    """A stretch of text; `is_marked` where it is what was looked for."""

    text: str
    is_marked: bool = False


def marked(text: str, values: Iterable[str]) -> list[Piece]:
    """`text` with every one of the values marked wherever it stands, in capitals or not, over line breaks too."""
    return _pieces(text, _joined(span for value in values for span in _places(value, text)))


def excerpt(text: str, search: str, *, max_chars: int) -> list[Piece]:
    """The stretch of a text around the first word of a search in it, all of them marked; [] where none is there."""
    text = one_line(text)
    spans = _joined(match.span() for word in words_of(search) for match in _begun(word).finditer(text))
    if not spans:
        return []
    start = max(0, spans[0][0] - _LEAD_CHARS)
    start = text.rfind(" ", 0, start) + 1 if start else 0
    end = len(text) if len(text) - start <= max_chars else max(text.rfind(" ", start, start + max_chars), spans[0][1])
    inside = [(first - start, last - start) for first, last in spans if last <= end]
    return [
        *[Piece(ELLIPSIS)] * (start > 0),
        *_pieces(text[start:end], inside),
        *[Piece(ELLIPSIS)] * (end < len(text)),
    ]


def words_of(search: str) -> list[str]:
    """The words of a search."""
    return re.findall(r"\w+", search)


def _begun(word: str) -> re.Pattern[str]:
    """A word that begins so: a search looks for the beginning of its last one, and the others stand there whole."""
    return re.compile(rf"(?<!\w){re.escape(word)}\w*", re.IGNORECASE)


def _places(value: str, text: str) -> list[Span]:
    """Where a value stands as words of its own; a longer one also as a part of longer words."""
    literal = r"\s+".join(re.escape(word) for word in value.split())
    if not literal:
        return []
    found = [match.span() for match in re.finditer(rf"(?<!\w){literal}(?!\w)", text, re.IGNORECASE)]
    if not found and (len(value) >= _SHORTEST_INSIDE or not value.isascii()):
        found = [match.span() for match in re.finditer(literal, text, re.IGNORECASE)]
    return found


def _joined(spans: Iterable[Span]) -> list[Span]:
    """The spans in order, those that touch as one."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _pieces(text: str, spans: Sequence[Span]) -> list[Piece]:
    marks = set(spans)
    bounds = [0, *(at for span in spans for at in span), len(text)]
    return [Piece(text[start:end], (start, end) in marks) for start, end in pairwise(bounds) if start < end]

"""Marks words in a text: in a conversation, in a quote and in search results.

Returns segments of text, never markup. Pure.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from memory.text import cjk
from memory.text.lines import ELLIPSIS, one_line

_MIN_CHARS_INSIDE_WORDS = 4
_LEAD_CHARS = 40
_MAX_MARKS = 500

Span = tuple[int, int]


@dataclass(frozen=True)
class TextSegment:
    """A part of a text. `is_marked`: it is one of the words that were looked for."""

    text: str
    is_marked: bool = False


def highlight(text: str, values: Iterable[str]) -> list[TextSegment]:
    """`text` with every occurrence of the values marked, whatever its case, also across line breaks.

    Only the first `_MAX_MARKS`: a word pasted 50,000 times would make the page too large to show.
    """
    return _segments(text, merge_spans(span for value in values for span in find_value(value, text))[:_MAX_MARKS])


def search_snippet(text: str, search: str, *, max_chars: int) -> list[TextSegment]:
    """The part of a text around the first word of a search, with all its words marked; [] where none occurs."""
    text = one_line(text)
    words = [piece for word in split_words(search) for piece in cjk.split_runs(word)]
    spans = merge_spans(match.span() for word in words for match in _prefix_pattern(word).finditer(text))
    return snippet_around(text, spans, max_chars=max_chars, lead_chars=_LEAD_CHARS) if spans else []


def snippet_around(text: str, spans: Sequence[Span], *, max_chars: int, lead_chars: int) -> list[TextSegment]:
    """At most `max_chars` of a text, cut between words where possible, with an ellipsis on each side that was cut.

    `spans`: what to mark, in order and without overlaps. The snippet starts up to `lead_chars` before the first of
    them and holds as much of it as fits; without spans it is the beginning of the text.
    """
    start, end = _snippet_bounds(text, spans[0] if spans else (0, 0), max_chars=max_chars, lead_chars=lead_chars)
    inside = [(max(first, start), min(last, end)) for first, last in spans if first < end and last > start]
    return [
        *[TextSegment(ELLIPSIS)] * (start > 0),
        *_segments(text[start:end], [(first - start, last - start) for first, last in inside]),
        *[TextSegment(ELLIPSIS)] * (end < len(text)),
    ]


def split_words(search: str) -> list[str]:
    """The words of a search."""
    return re.findall(r"\w+", search)


def find_value(value: str, text: str) -> list[Span]:
    """Where a value occurs as whole words. If it never does and is long enough, also inside longer words."""
    literal = r"\s+".join(re.escape(word) for word in value.split())
    if not literal:
        return []
    found = match_spans(rf"(?<!\w){literal}(?!\w)", text)
    if not found and (len(value) >= _MIN_CHARS_INSIDE_WORDS or not value.isascii()):
        found = match_spans(literal, text)
    return found


def match_spans(pattern: str, text: str) -> list[Span]:
    """Where a pattern matches, whatever the case."""
    return [match.span() for match in re.finditer(pattern, text, re.IGNORECASE)]


def merge_spans(spans: Iterable[Span]) -> list[Span]:
    """The spans in order, with overlapping and adjacent ones merged."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _prefix_pattern(word: str) -> re.Pattern[str]:
    """Matches words that begin with `word`: a search finds its last word by its beginning.

    Chinese and Japanese have no blanks between words: there it matches anywhere, and nothing beyond it.
    """
    if cjk.has_cjk(word):
        return re.compile(re.escape(word), re.IGNORECASE)
    return re.compile(rf"(?<!\w){re.escape(word)}\w*", re.IGNORECASE)


def _snippet_bounds(text: str, mark: Span, *, max_chars: int, lead_chars: int) -> Span:
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


def _segments(text: str, spans: Sequence[Span]) -> list[TextSegment]:
    marks = set(spans)
    bounds = [0, *(at for span in spans for at in span), len(text)]
    return [TextSegment(text[start:end], (start, end) in marks) for start, end in pairwise(bounds) if start < end]

"""Marks words in a text: in a conversation, in a quote and in search results.

Returns segments of text, never markup. Pure.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from memory.text import cjk
from memory.text.lines import ELLIPSIS, one_line

_MIN_CHARS_INSIDE_WORDS = 4
_LEAD_CHARS = 40
_MAX_MARKS = 500
_ACCENTS = re.compile(r"[\u0300-\u036f]+")

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
    spans = search_spans(text, search)
    return snippet_around(text, spans, max_chars=max_chars, lead_chars=_LEAD_CHARS) if spans else []


def mark_search(text: str, search: str) -> list[TextSegment]:
    """The whole text, with the words of a search marked."""
    return _segments(text, search_spans(text, search))


def search_spans(text: str, search: str) -> list[Span]:
    """Where words that begin as those of a search stand in a text, whatever their case and accents, as in the index.

    Of Chinese and Japanese the whole run, also in the middle of a sentence; where that is nowhere, its pairs, by which
    the index finds. At most `_MAX_MARKS`.
    """
    plain, places = _without_accents(text)
    words = [piece for word in split_words(_without_accents(search)[0]) for piece in cjk.split_runs(word)]
    found = (span for word in words for span in _spans_of(word, plain))
    return merge_spans((places[start], places[end]) for start, end in found)[:_MAX_MARKS]


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


def _spans_of(word: str, text: str) -> list[Span]:
    found = [match.span() for match in _prefix_pattern(word).finditer(text)]
    if found or not cjk.has_cjk(word):
        return found
    return [match.span() for pair in cjk.pairs(word) for match in _prefix_pattern(pair).finditer(text)]


def _without_accents(text: str) -> tuple[str, Sequence[int]]:
    """The text without accents, and for each place in it the place in the text; both ends included."""
    if text.isascii():
        return text, range(len(text) + 1)
    letters = [_ACCENTS.sub("", unicodedata.normalize("NFD", letter)) for letter in text]
    plain = [letter if cjk.has_cjk(letter) else bare for letter, bare in zip(text, letters, strict=True)]
    places = [place for place, letter in enumerate(plain) for _ in letter]
    return "".join(plain), [*places, len(text)]


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

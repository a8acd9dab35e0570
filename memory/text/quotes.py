"""Finds a model's quotation in what somebody really said, and words for a value that came without one. Pure.

Compared are letters and digits alone: case, accents, white space and punctuation do not matter, nor does a quotation
that leaves words out ("I moved ... to Porto") or breaks off in the middle of one.
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from memory.text.lines import CUT_MARK, one_line, shorten

MAX_QUOTE_CHARS = 300
_MAX_SEARCHED_CHARS = 2_000
_MIN_LETTERS = 2
_CUT_INSIDE_WORD_FROM = 12
_GAP = re.compile(r"\s*[\[(]?\s*(?:\.{2,}|\N{HORIZONTAL ELLIPSIS})\s*[\])]?\s*")
_WITHOUT_SPACES = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_SENTENCE = re.compile(
    r"[^.!?\n\N{HORIZONTAL ELLIPSIS}。！？]+(?:[.!?\N{HORIZONTAL ELLIPSIS}。！？]+(?=\s|$)|[.!?。！？]*)"
)
_STOP_WORDS = frozenset(
    word
    for language in (
        "and are but for from has have not that the this was with you your",
        "das der die für mit und",
        "des est les pour che con los per una",
    )
    for word in language.split()
)


@dataclass(frozen=True)
class Quoted:
    """Words as they were said: in the message of this index, from `start` to `end` of its own words."""

    text: str
    message: int
    start: int
    end: int


@dataclass(frozen=True)
class _Piece:
    """A part of a quotation without a gap, as letters. `may_begin_inside`, `may_end_inside`: of a word."""

    letters: str
    may_begin_inside: bool
    may_end_inside: bool


@dataclass(frozen=True)
class _Message:
    """One message, and its letters with the place of each in the text."""

    index: int
    text: str

    @cached_property
    def _folded(self) -> tuple[str, Sequence[int]]:
        letters: list[str] = []
        places: list[int] = []
        for place, character in enumerate(self.text):
            folded = _letters(character)
            letters.append(folded)
            places.extend([place] * len(folded))
        return "".join(letters), places

    def find(self, piece: _Piece, *, after: int = 0) -> tuple[int, int] | None:
        """From where to where in the text a piece stands, the first one that begins at `after` or later."""
        letters, places = self._folded
        at = letters.find(piece.letters, bisect_left(places, after))
        while at >= 0:
            start, end = places[at], places[at + len(piece.letters) - 1] + 1
            if self._is_whole(piece, start, end):
                return start, end
            at = letters.find(piece.letters, at + 1)
        return None

    def _is_whole(self, piece: _Piece, start: int, end: int) -> bool:
        """Whether words begin and end there, as far as the piece asks for it."""
        begins = piece.may_begin_inside or not _goes_on(self.text, start - 1, start)
        return begins and (piece.may_end_inside or not _goes_on(self.text, end - 1, end))

    def all_of(self, pieces: Sequence[_Piece]) -> list[tuple[int, int]]:
        """The places of all pieces, one after another; [] where one is missing."""
        spans: list[tuple[int, int]] = []
        for piece in pieces:
            span = self.find(piece, after=spans[-1][1] if spans else 0)
            if span is None:
                return []
            spans.append(span)
        return spans

    def quoted(self, spans: Sequence[tuple[int, int]]) -> Quoted:
        """What stands there: from the first place to the last; only the places themselves where that is too long."""
        start, end = spans[0][0], spans[-1][1]
        words = one_line(self.text[start:end])
        if len(words) > MAX_QUOTE_CHARS:
            words = " \N{HORIZONTAL ELLIPSIS} ".join(one_line(self.text[first:last]) for first, last in spans)
        return Quoted(shorten(words, MAX_QUOTE_CHARS), self.index, start, end)


class SaidWords:
    """What somebody said, to be searched for quotations. `texts`: {index of a message: its words}."""

    def __init__(self, texts: Mapping[int, str]) -> None:
        self._messages = [_Message(index, text) for index, text in sorted(texts.items())]

    def find(self, quote: str) -> Quoted | None:
        """Where a quotation was said; None where any part of it was not. The latest message counts.

        Its parts may come from several messages: then the message of the longest part is named.
        """
        pieces = _pieces(quote)
        if sum(len(piece.letters) for piece in pieces) < _MIN_LETTERS and not _is_one_sign(pieces):
            return None
        for message in reversed(self._messages):
            if spans := message.all_of(pieces):
                return message.quoted(spans)
        return self._scattered(pieces) if len(pieces) > 1 else None

    def _scattered(self, pieces: Sequence[_Piece]) -> Quoted | None:
        longest: tuple[int, Quoted] | None = None
        for piece in pieces:
            found = next(((one, span) for one in reversed(self._messages) if (span := one.find(piece))), None)
            if found is None:
                return None
            if longest is None or len(piece.letters) > longest[0]:
                longest = len(piece.letters), found[0].quoted([found[1]])
        return longest[1] if longest else None

    def find_value(self, value: str) -> Quoted | None:
        """Where a value was said, or at least half of its words in one sentence; the latest. None where it was not."""
        pieces = _pieces(value)
        if not pieces:
            return None
        for message in reversed(self._messages):
            if spans := message.all_of(pieces):
                return message.quoted(spans)
        return self._half_of_the_words(value)

    def _half_of_the_words(self, value: str) -> Quoted | None:
        searched = {word for word in _words(value) if _is_telling(word)}
        best: tuple[int, Quoted | None] = (0, None)
        for message in self._messages:
            for sentence in _SENTENCE.finditer(message.text):
                places = [place for place in _word_places(sentence, message.text) if place[0] in searched]
                count = len({word for word, _, _ in places})
                if 2 * count >= len(searched) and count and count >= best[0]:
                    best = count, message.quoted([(places[0][1], places[-1][2])])
        return best[1]


def same_letters(one: str, other: str) -> bool:
    """Whether two texts are the same, but for case, accents, white space and punctuation."""
    return _letters(one) == _letters(other)


def _letters(text: str) -> str:
    """The letters and digits of a text, in one spelling."""
    if text.isascii():
        return "".join(filter(str.isalnum, text.lower()))
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKD", text).casefold()))


def _pieces(quote: str) -> list[_Piece]:
    parts = _GAP.split(quote.replace(CUT_MARK.strip(), "...")[:_MAX_SEARCHED_CHARS])
    pieces = [
        _Piece(letters, place > 0, place < len(parts) - 1 or len(letters) >= _CUT_INSIDE_WORD_FROM)
        for place, part in enumerate(parts)
        if (letters := _letters(part))
    ]
    return pieces


def _is_one_sign(pieces: Sequence[_Piece]) -> bool:
    """Whether it is one word all the same: a digit, or a sign of a script without spaces."""
    return any(piece.letters.isdigit() or _WITHOUT_SPACES.match(piece.letters) for piece in pieces)


def _goes_on(text: str, left: int, right: int) -> bool:
    """Whether a word goes on from one place to the next."""
    if left < 0 or right >= len(text) or not (text[left].isalnum() and text[right].isalnum()):
        return False
    return not (_WITHOUT_SPACES.match(text[left]) or _WITHOUT_SPACES.match(text[right]))


def _words(text: str) -> Iterator[str]:
    return (match.group().casefold() for match in re.finditer(r"\w+", text))


def _word_places(sentence: re.Match[str], text: str) -> Iterator[tuple[str, int, int]]:
    """The words of a sentence, each with its place in the text."""
    words = re.compile(r"\w+").finditer(text, *sentence.span())
    return ((match.group().casefold(), *match.span()) for match in words)


def _is_telling(word: str) -> bool:
    return word not in _STOP_WORDS and (len(word) > 2 or word.isdigit() or not word.isascii())

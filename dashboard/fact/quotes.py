"""Quotes the operator's message in which a fact was said, with the words marked that say it. Pure.

Rows of learned facts say where that is. For older ones it is looked for.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dashboard.shared.highlights import Span, TextSegment, find_value, match_spans, snippet_around, split_words
from memory import transcript
from memory.conversation import new_message_indices
from memory.events import ChatCompleted, FactAdded, FactConfirmed, FactRetired, FactUpdated
from memory.text.lines import ELLIPSIS, one_line
from memory.text.quotes import same_letters

QUOTE_CHARS = 240
_LEAD_CHARS = 80
_MIN_WORD_CHARS = 3
_STOP_WORDS = frozenset({"and", "but", "for", "from", "has", "have", "not", "the", "was", "with", "you", "your"})


@dataclass(frozen=True)
class Quote:
    """A message, or the part around its first mark. `is_literal`: it holds the whole value, word for word."""

    pieces: Sequence[TextSegment]
    is_literal: bool

    @property
    def has_marks(self) -> bool:
        """Whether it holds any word of the value."""
        return any(piece.is_marked for piece in self.pieces)


def stored_quote(
    chat: ChatCompleted | None, event: FactAdded | FactUpdated | FactConfirmed | FactRetired
) -> Quote | None:
    """The words that an event says the fact was said in; within their message where its chat is kept."""
    if not event.quote:
        return None
    if chat is None or event.message is None or event.start is None or event.end is None:
        return Quote([TextSegment(one_line(event.quote), is_marked=True)], is_literal=True)
    message = chat.messages[event.message] if 0 <= event.message < len(chat.messages) else None
    words = transcript.own_words(message) if message else ""
    parts = words[: event.start], words[event.start : event.end], words[event.end :]
    before, said, after = (one_line(part) for part in parts)
    if not (same_letters(said, event.quote) or ELLIPSIS in event.quote):  # its message is not as it was
        return Quote([TextSegment(one_line(event.quote), is_marked=True)], is_literal=True)
    before += " " * parts[0][-1:].isspace()
    text = before + said + " " * parts[2][:1].isspace() + after
    return _shortened_quote(text, [(len(before), len(before) + len(said))], is_literal=True)


def find_quote(chat: ChatCompleted, value: str) -> Quote | None:
    """The operator's message in which `value` was said; None where the chat has no text of theirs.

    Preferred is a message with the whole value, then the one with most of its words; among equals, new messages and
    then later ones. Where no word occurs (the model inferred the value), the last message is quoted without marks.
    """
    messages = [one_line(words) for words in _operator_texts(chat)]
    value = one_line(value)
    for words in messages:
        if spans := find_value(value, words):
            return _shortened_quote(words, spans, is_literal=True)
    candidates = [(_find_single_words(value, words), words) for words in messages]
    spans, words = max(candidates, key=lambda candidate: len(candidate[0]), default=([], ""))
    return _shortened_quote(words, spans, is_literal=False) if words else None


def _operator_texts(chat: ChatCompleted) -> Iterator[str]:
    """The operator's messages that have text: new ones before earlier ones, later ones first."""
    new = set(new_message_indices(chat))
    order = sorted(range(len(chat.messages)), key=lambda index: (index not in new, -index))
    for index in order:
        message = chat.messages[index]
        if transcript.is_operator(message) and (words := transcript.own_words(message)):
            yield words


def _find_single_words(value: str, words: str) -> list[Span]:
    """Where single words of the value occur. Short words and stop words are skipped: they prove nothing."""
    searched = {
        word.lower()
        for word in split_words(value)
        if (len(word) >= _MIN_WORD_CHARS or word.isdigit()) and word.lower() not in _STOP_WORDS
    }
    if not searched:
        return []
    alternatives = "|".join(re.escape(word) for word in sorted(searched, key=len, reverse=True))
    return match_spans(rf"(?<!\w)(?:{alternatives})(?!\w)", words)


def _shortened_quote(words: str, spans: Sequence[Span], *, is_literal: bool) -> Quote:
    return Quote(snippet_around(words, spans, max_chars=QUOTE_CHARS, lead_chars=_LEAD_CHARS), is_literal)

"""Where a value was said: the operator's own message, its words marked. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dashboard.shared.highlights import Piece, Span, around, places, spans_of, words_of
from memory import transcript
from memory.conversation import new_message_indices
from memory.events import ChatCompleted
from memory.text.lines import one_line

QUOTE_CHARS = 240
_LEAD_CHARS = 80
_SHORTEST_WORD = 3
_FILLERS = frozenset({"and", "but", "for", "from", "has", "have", "not", "the", "was", "with", "you", "your"})


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
        if spans := places(value, words):
            return _quote(words, spans, is_literal=True)
    marked = [(_parts(value, words), words) for words in messages]
    spans, words = max(marked, key=lambda found: len(found[0]), default=([], ""))
    return _quote(words, spans, is_literal=False) if words else None


def _said(chat: ChatCompleted) -> Iterator[str]:
    """The operator's messages with words in them: the new ones first, the latest first among these and the others."""
    new = set(new_message_indices(chat))
    order = sorted(range(len(chat.messages)), key=lambda index: (index not in new, -index))
    for index in order:
        message = chat.messages[index]
        if transcript.is_operator(message) and (words := transcript.own_words(message)):
            yield words


def _parts(value: str, words: str) -> list[Span]:
    """Where words of the value stand; short ones and fillers say nothing by themselves."""
    telling = {
        word.lower()
        for word in words_of(value)
        if (len(word) >= _SHORTEST_WORD or word.isdigit()) and word.lower() not in _FILLERS
    }
    if not telling:
        return []
    either = "|".join(re.escape(word) for word in sorted(telling, key=len, reverse=True))
    return spans_of(rf"(?<!\w)(?:{either})(?!\w)", words)


def _quote(words: str, spans: Sequence[Span], *, is_literal: bool) -> Quote:
    return Quote(around(words, spans, max_chars=QUOTE_CHARS, lead_chars=_LEAD_CHARS), is_literal)

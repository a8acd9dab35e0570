"""How old the evidence of each claim is, where a chat holds words that were said before it (decision 25)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from memory.conversation import said_pieces
from memory.events import ChatCompleted
from memory.text import sentences
from memory.text.normalising import Claim


def dated(completed: ChatCompleted, claims: Sequence[Claim]) -> list[Claim]:
    """The claims, each that is older than its chat with the time after which it was said, None where nobody knows.

    A claim is as old as the message its quote stands in; without a quote, as the oldest message whose new words hold
    its value, or as the oldest of all where none does: rather a change too few than one that undoes what was said
    later.
    """
    if not completed.earlier:
        return [*claims]
    after = {message.message: message.said_after for message in completed.earlier}
    said = said_pieces(completed)
    new = {index: " ".join(piece.text for piece in said[index] if piece.is_new) for index in said}
    words = {index: _words(text) for index, text in new.items() if text}
    return [_dated(claim, words, after) for claim in claims]


def _dated(claim: Claim, words: Mapping[int, str], after: Mapping[int, datetime | None]) -> Claim:
    value = _words(claim.value)
    if claim.said is not None:
        index = claim.said.message
        return replace(claim, is_older=True, said_after=after[index]) if index in after else claim
    holding = [index for index, said in words.items() if value in said] or list(words)
    old = [after[index] for index in holding if index in after]
    return replace(claim, is_older=True, said_after=_oldest(old)) if old else claim


def _words(text: str) -> str:
    return f" {' '.join(sentences.words_of(text))} "


def _oldest(dates: Sequence[datetime | None]) -> datetime | None:
    known = [date for date in dates if date is not None]
    return min(known) if len(known) == len(dates) else None

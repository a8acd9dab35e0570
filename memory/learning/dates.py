"""How old the evidence of each claim is, where a chat holds words that were said before it (decision 25)."""

from collections.abc import Sequence
from datetime import datetime

from memory.conversation import said_pieces
from memory.events import ChatCompleted
from memory.text import sentences
from memory.text.normalising import Claim


def said_after(completed: ChatCompleted, claims: Sequence[Claim]) -> dict[str, datetime | None]:
    """For each claim that is older than its chat: after when it was said, None where nobody knows. By its key.

    A claim is as old as the oldest message whose new words hold its value, or as the oldest of all where none does:
    rather a change too few than one that undoes what was said later.
    """
    if not completed.earlier:
        return {}
    after = {message.message: message.said_after for message in completed.earlier}
    said = {
        index: " ".join(one.text for one in pieces if one.is_new) for index, pieces in said_pieces(completed).items()
    }
    words = {index: _words(text) for index, text in said.items() if text}
    dates: dict[str, datetime | None] = {}
    for claim in claims:
        value = _words(claim.value)
        holding = [index for index, said in words.items() if value in said] or list(words)
        old = [after[index] for index in holding if index in after]
        if old:
            dates[claim.key] = _oldest(old)
        else:
            dates.pop(claim.key, None)  # said twice: the last one counts
    return dates


def _words(text: str) -> str:
    return f" {' '.join(sentences.words_of(text))} "


def _oldest(dates: Sequence[datetime | None]) -> datetime | None:
    known = [date for date in dates if date is not None]
    return min(known) if len(known) == len(dates) else None

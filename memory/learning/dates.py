"""How old the evidence of each claim is, where a chat holds words that were said before it (decision 25)."""

from collections.abc import Sequence
from datetime import datetime

from memory.conversation import Piece, said_pieces
from memory.events import ChatCompleted
from memory.text import sentences
from memory.text.normalising import Claim


def said_after(completed: ChatCompleted, claims: Sequence[Claim]) -> dict[str, datetime | None]:
    """For each claim that is older than its chat: after when it was said, None where nobody knows. By its key.

    A claim rests on the newest message with new words that hold its value. Where none does, it is as old as the oldest
    of them: rather a change too few than one that undoes what was said later.
    """
    if not completed.earlier:
        return {}
    after = {message.message: message.said_after for message in completed.earlier}
    words = {index: _words(" ".join(one.text for one in said if one.is_new)) for index, said in _new_last(completed)}
    dates: dict[str, datetime | None] = {}
    for claim in claims:
        value = _words(claim.value)
        index = next((index for index, said in words.items() if value in said), None)
        if index is None:
            dates[claim.key] = _oldest(list(after.values()))
        elif index in after:
            dates[claim.key] = after[index]
        else:
            dates.pop(claim.key, None)  # said twice: the last one counts
    return dates


def _new_last(completed: ChatCompleted) -> list[tuple[int, Sequence[Piece]]]:
    return sorted(said_pieces(completed).items(), reverse=True)


def _words(text: str) -> str:
    return f" {' '.join(sentences.words_of(text))} "


def _oldest(dates: Sequence[datetime | None]) -> datetime | None:
    known = [date for date in dates if date is not None]
    return min(known) if len(known) == len(dates) else None

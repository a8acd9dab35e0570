"""What of a chat counted as new, piece by piece, and how old the rest is (decision 25)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.conversation import said_pieces
from memory.events import ChatCompleted
from memory.text.lines import one_line, shorten

_MOST_SHOWN = 200
_SHOWN_CHARS = 300


@dataclass(frozen=True)
class ShownPiece:
    """A piece of what the operator said.

    `heard_in`: the chat in which it was said first; None for a new one. `is_earlier`: it was said before this turn,
    some time after `said_after` (None: nobody knows when).
    """

    text: str
    heard_in: int | None
    is_earlier: bool = False
    said_after: datetime | None = None


def read_evidence(chat: ChatCompleted) -> Sequence[ShownPiece]:
    """The pieces of a chat's new messages; none where all of them are new and were said in this turn."""
    if not chat.heard and not chat.earlier:
        return ()
    after = {message.message: message.said_after for message in chat.earlier}
    pieces = [
        ShownPiece(shorten(one_line(piece.text), _SHOWN_CHARS), piece.heard_in, index in after, after.get(index))
        for index, said in said_pieces(chat).items()
        if index in (chat.new_messages or ())
        for piece in said
    ]
    return pieces[-_MOST_SHOWN:]

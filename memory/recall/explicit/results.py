"""What a question brings back."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Kind = Literal["fact", "conversation", "message"]
KINDS: tuple[Kind, ...] = ("fact", "conversation", "message")

Mode = Literal["hybrid", "record", "words"]
"""By what conversations were looked for: what was said in them, their summaries, or words alone."""


@dataclass(frozen=True)
class Found:
    """One thing that was found.

    `id`: its stable address, "fact:<key>", "episode:<id>" or "chat:<audit row id>". `when`: when a fact was last said,
    a conversation or a message took place. `score`: how well it answers, comparable across kinds: up to 1 by meaning
    and words, .25 more where it is of the days that were asked for. `why`: one plain sentence. `chat_id`: the chat it
    came of; None where that is gone. `key`: a fact's key, else "". `words`: those of the question that it has.
    """

    kind: Kind
    id: str
    title: str
    text: str
    when: datetime
    score: float
    why: str
    chat_id: int | None
    key: str
    words: Sequence[str] = ()


@dataclass(frozen=True)
class SearchResults:
    """The best first. `read_dates`: which days the question was read as asking for, "" where it names none.

    `mode`: the best that was used. `notes`: what it had to go without, one plain sentence each.
    """

    found: Sequence[Found] = ()
    read_dates: str = ""
    mode: Mode = "words"
    notes: Sequence[str] = ()

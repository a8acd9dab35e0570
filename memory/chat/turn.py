"""One turn: what was asked and on which terms, and what was answered."""

import uuid
from dataclasses import dataclass, field
from datetime import datetime
from typing import Self

from memory import events, llm
from memory.actor import Actor, current
from memory.conversation import Conversation


@dataclass(frozen=True)
class MemoryUse:
    """What memory may do with a turn: `inject` into its prompt, `learn` from it."""

    inject: bool = True
    learn: bool = True


@dataclass(frozen=True, kw_only=True)
class Turn:
    """One turn of a conversation, as it was asked for.

    `now`: when. `occurred_at`: when it took place, where a client tells of an earlier one. `proactive`: name of the
    trigger that asks in the operator's place; then nobody said anything, and nothing of it teaches. `asked_by`: in
    whose name its rows are written. `kept_out`: why memory keeps out of it; then nothing that is said in it is stored.
    """

    conversation: Conversation
    now: datetime
    use: MemoryUse = MemoryUse()
    kept_out: events.PassReason | None = None
    occurred_at: datetime | None = None
    proactive: str = ""
    decision_id: str = field(default_factory=lambda: uuid.uuid4().hex)
    asked_by: Actor | None = field(default_factory=current)

    @property
    def said_at(self) -> datetime:
        """The chat's time (decision 2)."""
        return self.occurred_at or self.now


@dataclass(frozen=True)
class Reply:
    """What the assistant answered. `cut_off`: the client hung up before the answer was whole."""

    text: str
    model: str = ""
    provider: str = ""
    finish_reason: str = ""
    usage: events.Usage = events.Usage()
    cut_off: bool = False

    @classmethod
    def of(cls, completion: llm.Completion, *, cut_off: bool = False) -> Self:
        """A model's answer, as it is recorded."""
        return cls(
            text=completion.text,
            model=completion.model,
            provider=completion.provider,
            finish_reason=completion.finish_reason,
            usage=events.Usage(input_tokens=completion.input_tokens, output_tokens=completion.output_tokens),
            cut_off=cut_off,
        )

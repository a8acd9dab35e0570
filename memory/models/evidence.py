"""Which of two statements about a fact is the newer one, also where a clock was wrong when one of them was made."""

from dataclasses import dataclass
from datetime import datetime

from memory import events
from memory.models.audit import AuditRow

_HEARD = (events.FactAdded.name, events.FactUpdated.name, events.FactConfirmed.name)


@dataclass(frozen=True)
class Evidence:
    """What a chat or the operator says about a fact. `at`: when.

    `place`: where it stands in the log, whose order no clock can change; None where that says nothing about its time
    (a conversation that took place before it was recorded) or is not known.
    """

    at: datetime
    place: int | None

    def is_older_than(self, other: "Evidence", *, now: datetime) -> bool:
        """By time; by place in the log where one of the times lies ahead of now, so that a clock was set back since."""
        if self.is_in_doubt(other, now=now) and self.place is not None and other.place is not None:
            return self.place < other.place
        return self.at < min(other.at, now)

    def is_in_doubt(self, other: "Evidence", *, now: datetime) -> bool:
        """Whether the times of the two say nothing."""
        return max(self.at, other.at) > now


def evidence_of(chat: AuditRow, said_at: datetime) -> Evidence:
    """What a chat says. One that took place before it was recorded has no place among the others."""
    return Evidence(said_at, chat.pk if said_at == chat.ts else None)


def last_place(key: str) -> int | None:
    """Where the log has what a fact rests on: the chat that told it last, or the operator's own row. One query."""
    rows = AuditRow.objects.filter(fact_key=key).order_by("-id").values_list("event_type", "chat_id", "id")
    kind, chat_id, row_id = rows.first() or ("", None, None)
    return chat_id if kind in _HEARD and chat_id else row_id

"""Which of two statements about a fact is older (decision 2), even where a clock was wrong at one of them."""

from dataclasses import dataclass
from datetime import UTC, datetime

from memory import events
from memory.models.audit import AuditRow

_NOBODY_KNOWS = datetime.min.replace(tzinfo=UTC)
_HEARD = tuple(event.name for event in events.HEARD)
_NO_EVIDENCE = tuple(
    event.name
    for event in (
        *(events.FactWaiting, events.FactUserDropped, events.FactUserDated),
        *(events.FactUserKept, events.FactUserUnkept, events.FactUserLetGo),
    )
)


@dataclass(frozen=True)
class Evidence:
    """When a chat or the operator said something about a fact.

    `place` is its row's id in the log, whose order no clock can change. It is None where it is unknown, or says nothing
    about the time: a conversation that took place before it was recorded.
    """

    at: datetime
    place: int | None

    @property
    def is_undated(self) -> bool:
        """Whether nobody knows when it was said: it may add, but is older than all that is there (decision 25)."""
        return self.at == _NOBODY_KNOWS

    def is_older_than(self, other: "Evidence", *, now: datetime) -> bool:
        """Compared by time; by place in the log where one time is in the future, since a clock was set back then."""
        if self.is_in_doubt(other, now=now) and self.place is not None and other.place is not None:
            return self.place < other.place
        return self.at < min(other.at, now)

    def is_in_doubt(self, other: "Evidence", *, now: datetime) -> bool:
        """Whether the two times cannot be trusted: one is in the future."""
        return max(self.at, other.at) > now


def evidence_of(chat: AuditRow, said_at: datetime | None) -> Evidence:
    """The evidence of a chat's words. Words that were said before they were recorded have no place."""
    return Evidence(said_at or _NOBODY_KNOWS, chat.pk if said_at == chat.ts else None)


def evidence_in(chat: AuditRow, message: int) -> Evidence:
    """The evidence of words in the chat's message with this index, which may be older than the chat (decision 25)."""
    earlier = {one.message: one.said_after for one in chat.completed.earlier}
    return evidence_of(chat, earlier.get(message, chat.said_at))


def last_place(key: str) -> int | None:
    """The place in the log that a fact rests on: the chat that said it last, or the operator's own row. One query."""
    rows = AuditRow.objects.filter(fact_key=key).exclude(event_type__in=_NO_EVIDENCE)
    newest = rows.order_by("-id").values_list("event_type", "chat_id", "id")
    kind, chat_id, row_id = newest.first() or ("", None, None)
    return chat_id if kind in _HEARD and chat_id else row_id

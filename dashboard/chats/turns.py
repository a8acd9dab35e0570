"""The other turns of a chat's conversation, found by the id that the client gave the conversation."""

from collections.abc import Sequence
from dataclasses import dataclass

from dashboard.shared.audit_entries import AuditEntry, read_entries
from memory.models import AuditRow

SHOWN_EACH_WAY = 5


@dataclass(frozen=True)
class ConversationTurns:
    """The turns around a chat in its conversation, oldest first, and how many the conversation has."""

    conversation_id: str
    count: int
    around: Sequence[AuditEntry]

    @property
    def has_more(self) -> bool:
        """Whether the conversation has turns that are not shown here."""
        return self.count > len(self.around)


def read_turns_around(chat: AuditRow) -> ConversationTurns | None:
    """The turns around a chat, itself included; None where it has no conversation id. At most five queries."""
    if not chat.conversation_id:
        return None
    turns = AuditRow.objects.get_queryset().turns().filter(conversation_id=chat.conversation_id)
    before = turns.filter(id__lt=chat.pk).order_by("-id")[:SHOWN_EACH_WAY]
    after = turns.filter(id__gt=chat.pk).order_by("id")[:SHOWN_EACH_WAY]
    return ConversationTurns(chat.conversation_id, turns.count(), read_entries([*reversed(before), chat, *after]))

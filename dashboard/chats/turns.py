"""The turns of one conversation, by the id its client gave it: how many, which ones, and all rows that hang on them."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q

from dashboard.shared.entries import Entry, entries
from memory import events
from memory.models import AuditQuerySet, AuditRow

SHOWN_EACH_WAY = 5
MOST_TURNS = 500


@dataclass(frozen=True)
class Turns:
    """Where a chat stands in its conversation: the turns around it, oldest first, and how many there are of all."""

    conversation_id: str
    count: int
    around: Sequence[Entry]

    @property
    def has_more(self) -> bool:
        """Whether there are turns that are not among those around."""
        return self.count > len(self.around)


def turns_around(chat: AuditRow) -> Turns | None:
    """The conversation of a chat, itself among the turns; None where its client named none. At most five queries."""
    if not chat.conversation_id:
        return None
    turns = AuditRow.objects.get_queryset().chats().filter(conversation_id=chat.conversation_id)
    before = turns.filter(id__lt=chat.pk).order_by("-id")[:SHOWN_EACH_WAY]
    after = turns.filter(id__gt=chat.pk).order_by("id")[:SHOWN_EACH_WAY]
    return Turns(chat.conversation_id, turns.count(), entries([*reversed(before), chat, *after]))


def rows_of(rows: AuditQuerySet, conversation_id: str) -> AuditQuerySet:
    """Those of `rows` that are turns of a conversation, stand beside one, or came of one; of its newest `MOST_TURNS`.

    What another conversation recalled of it is that one's. One query.
    """
    turns = AuditRow.objects.filter(conversation_id=conversation_id).order_by("-id")[:MOST_TURNS]
    own = list(turns.values_list("pk", "decision_id"))
    ids, decisions = [pk for pk, _ in own], {decision for _, decision in own if decision}
    came_of_them = Q(chat_id__in=ids) & ~Q(event_type=events.EpisodeRecalled.name)
    return rows.filter(Q(pk__in=ids) | Q(decision_id__in=decisions) | came_of_them)

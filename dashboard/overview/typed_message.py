"""A message that the operator typed into the overview, and what became of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from dashboard.shared.audit_entries import parsed_event
from dashboard.shared.health import Health, read_health
from memory import chat, events
from memory.conversation import Conversation
from memory.models import AuditRow, ExtractCursor, PersonalFact
from memory.text.lines import one_line, shorten

MessageState = Literal["learned", "review", "nothing", "replay", "reading", "late", "stuck", "paused", "off"]
"""The first four: it was read, with this result. The others: it was not read yet, for this reason."""

_MAX_SHOWN_CHARS = 300


@dataclass(frozen=True)
class TypedMessage:
    """A typed message and what came of it so far. `facts`: those learned from it that are still known."""

    chat: AuditRow
    words: str
    state: MessageState
    facts: Sequence[PersonalFact]

    @property
    def may_change(self) -> bool:
        """Whether it may be read at any moment, so that the page asks again."""
        return self.state in ("reading", "late", "stuck")


def record_typed_message(text: str, now: datetime) -> int:
    """Record the text as a finished chat without a reply, and return the chat's id.

    No model answers. The worker reads the chat later, like any other.
    """
    conversation = Conversation([events.Message(role="user", content=text)])
    return chat.record(chat.Turn(conversation=conversation, now=now), chat.Reply("")).audit_log_id


def read_typed_message(chat_id: int | None, now: datetime) -> TypedMessage | None:
    """The message recorded as this chat; None where there is no such chat. Four queries."""
    row = AuditRow.objects.get_queryset().chats().filter(pk=chat_id).first() if chat_id else None
    event = parsed_event(row) if row is not None else None
    if row is None or not isinstance(event, events.ChatCompleted):
        return None
    learned = row.consequences.get_queryset().of_type(*events.HEARD)
    facts = list(PersonalFact.objects.filter(key__in=learned.values("fact_key")).order_by("id"))
    words = shorten(one_line(Conversation(event.messages).question), _MAX_SHOWN_CHARS)
    if facts:
        return TypedMessage(row, words, "learned", facts)
    waits = row.consequences.get_queryset().of_type(events.FactWaiting).exists()
    return TypedMessage(row, words, "review" if waits else _state_without_facts(row, event, now), facts)


def _state_without_facts(row: AuditRow, event: events.ChatCompleted, now: datetime) -> MessageState:
    if ExtractCursor.current().last_audit_id >= row.pk:
        return "replay" if event.replay else "nothing"
    return _why_unread(read_health(now))


def _why_unread(health: Health) -> MessageState:
    extractor = health.workers[0]
    if not extractor.is_on:
        return "off"
    if health.paused_at is not None:
        return "paused"
    if extractor.is_stuck:
        return "stuck"
    return "late" if extractor.is_late else "reading"

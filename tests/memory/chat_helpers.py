"""Recorded chats and their episodes, for tests of every room."""

from datetime import datetime

from memory import chat
from memory.events import Message
from memory.models import AuditRow, Embedded, EpisodeSummary
from tests.turns import record_turn


def record_chat(words: str, now: datetime, *, learn: bool = True) -> AuditRow:
    """Record a chat in which the operator says one message."""
    messages = [Message(role="user", content=words)]
    recorded = record_turn(messages, "ok", use=chat.MemoryUse(learn=learn), now=now)
    return AuditRow.objects.get(pk=recorded.audit_log_id)


def past_chat(now: datetime) -> AuditRow:
    """A chat that was recorded at `now`."""
    return record_chat("I sleep badly.", now)


def past_episode(summary: str, at: datetime) -> EpisodeSummary:
    """A chat that was recorded and summed up at `at`."""
    row = past_chat(at)
    EpisodeSummary.objects.summarise(row, summary, Embedded([0.123456, 0.5], "openai:m"), now=at)
    return EpisodeSummary.objects.get(audit_log=row)

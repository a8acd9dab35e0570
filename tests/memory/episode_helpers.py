"""Chats and episodes for tests that do not recall."""

from datetime import datetime

from memory import chat
from memory.events import Message
from memory.models import AuditRow, Embedded, EpisodeSummary


def past_chat(now: datetime) -> AuditRow:
    """A chat that was recorded at `now`."""
    messages = [Message(role="user", content="I sleep badly.")]
    return AuditRow.objects.get(pk=chat.record(messages, "ok", use=chat.MemoryUse(), now=now).audit_log_id)


def past_episode(summary: str, at: datetime) -> EpisodeSummary:
    """A chat that was recorded and summed up at `at`."""
    row = past_chat(at)
    EpisodeSummary.objects.summarise(row, summary, Embedded([0.123456, 0.5], "openai:m"), now=at)
    return EpisodeSummary.objects.get(audit_log=row)

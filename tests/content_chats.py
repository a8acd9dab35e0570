"""Chats with what recall by content searches, as the worker leaves them."""

from datetime import datetime

from memory.events import Message
from memory.llm import embedder_model, embedding, json_vector
from memory.models import AuditRow, Embedded, EpisodeSummary
from memory.units import making
from tests.turns import record_turn


def take_up(said: str, *, now: datetime, reply: str = "I see.", summary: str | None = None) -> EpisodeSummary:
    """A chat of one message, summed up, with its units. Asks the embedder of the settings, best a scripted one."""
    recorded = record_turn([Message(role="user", content=said)], reply, now=now)
    chat = AuditRow.objects.get(pk=recorded.audit_log_id)
    units = making.make(chat, making.windows_of(chat.completed))
    summary = f"About this: {said}" if summary is None else summary
    vector = embedding.embed([summary], timeout_seconds=5).rows[0]
    EpisodeSummary.objects.summarise(
        chat, summary, Embedded(json_vector(vector), embedder_model()), now=now, units=units
    )
    return EpisodeSummary.objects.get(audit_log=chat)

"""Episodes in all states, written by the verbs, for the tests of their page."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from memory import events
from memory.models import AuditRow, Embedded, EpisodeSummary, Units
from memory.units import ChatWindows, SpokenTurn, units_of
from tests.dashboard.helpers import record_chat

EPISODES = "/dashboard/episodes"
DAY = timedelta(days=1)


def chat_at(said: str, at: datetime) -> AuditRow:
    """A chat of that time, in which the operator says one message."""
    messages = [events.Message(role="user", content=said)]
    return AuditRow.objects.record(events.ChatCompleted(messages=messages, reply="I see."), now=at)


def told(summary: str, at: datetime, *, recalls: Sequence[datetime] = ()) -> EpisodeSummary:
    """A chat that was summed up, and put into a prompt at each of these times."""
    row = chat_at("I said something.", at)
    EpisodeSummary.objects.summarise(row, summary, Embedded([0.25, 0.5], "openai:m"), now=at)
    episode = EpisodeSummary.objects.get(audit_log=row)
    for moment in recalls:
        recall(episode, moment)
    return episode


def recall(episode: EpisodeSummary, at: datetime) -> None:
    """Put the episode into a prompt."""
    event = events.EpisodeRecalled(
        audit_log_id=episode.audit_log_id,
        summary=episode.summary,
        cosine=0.6,
        freshness=0.9,
        recall_weight=1.0,
        score=0.54,
    )
    AuditRow.objects.record(event, now=at, chat=episode.audit_log)
    EpisodeSummary.objects.bump([episode.pk], now=at)


def quoted(said: str, at: datetime) -> EpisodeSummary:
    """A chat that was too trivial for a summary and is found by what was said in it."""
    row = chat_at(said, at)
    EpisodeSummary.objects.skip(row, reason="trivial", now=at, units=units(said, row.pk))
    return EpisodeSummary.objects.get(audit_log=row)


def skipped(at: datetime) -> EpisodeSummary:
    """A chat that recall cannot bring back."""
    row = record_chat("ok", now=at)
    EpisodeSummary.objects.skip(row, reason="trivial", now=at)
    return EpisodeSummary.objects.get(audit_log=row)


def units(said: str, conversation: int) -> Units:
    """The units of one message, without a vector."""
    windows = ChatWindows([SpokenTurn(True, said, True)], 0, [])
    return units_of(windows, conversation=conversation, model="", vectors=None)

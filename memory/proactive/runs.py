"""Proactive runs: a trigger's prompt becomes a turn of its own, on schedule or by hand.

The turn uses memory like any other. Nothing is learned from it, because its prompt is not the operator's words.
"""

import logging
import uuid
from datetime import datetime, timedelta

from django.conf import settings

from memory import chat, events, llm
from memory.conversation import Conversation
from memory.events import Message
from memory.models import AuditRow
from memory.proactive.triggers import Trigger, TriggersError, find, read

logger = logging.getLogger(__name__)

_MEMORY_USE = chat.MemoryUse(inject=True, learn=False)


def run(trigger: Trigger, *, now: datetime) -> chat.Answered:
    """Ask the model the trigger's prompt and record the turn. Raises `llm.LLMError` after recording `chat.failed`."""
    conversation = Conversation([Message(role="user", content=trigger.prompt)])
    return chat.answer(chat.Turn(conversation=conversation, use=_MEMORY_USE, now=now, proactive=trigger.name))


def run_due(name: str, *, due: datetime, now: datetime) -> str:
    """Run a trigger that is due, as the queue asks; returns one line that says what came of it.

    Raises nothing for a failed run, so that the queue does not repeat it. Missed runs are not made up for: one that
    could not begin in time is recorded as failed. So is one whose worker died, when the queue hands it out again.
    """
    try:
        trigger = _enabled_trigger(name)
    except TriggersError as error:
        return _record_missed_run(name, str(error), kind="TriggersError", now=now)
    if trigger is None:
        return "no such trigger, or disabled: run manage.py sync_schedules"
    if _has_run(name, since=_first_occurrence(trigger, due)):
        return "has run already"
    if now - due > max_delay():
        missed = f"It was due at {_clock_time(due)} and could not be run then: no worker was running, or it was ended."
        return _record_missed_run(name, missed, kind="Missed", now=now)
    try:
        recorded = run(trigger, now=now).recorded
        return f"answered as chat {recorded.audit_log_id}" if recorded.audit_log_id else "answered; recorded later"
    except llm.LLMError as error:
        logger.warning("Trigger %s got no answer: %s", name, error)
        return f"failed: {error}"


def max_delay() -> timedelta:
    """How late a run may begin: as long as one batch may take, since both workers may be busy with one.

    The queue hands a task out again only after a longer time, so a run whose worker died is not paid for twice.
    """
    return timedelta(seconds=settings.TASK_TIMEOUT_SECONDS)


def _enabled_trigger(name: str) -> Trigger | None:
    """The trigger as the file has it now, None where it is gone or disabled. Raises `TriggersError`."""
    path = settings.CAESAR.proactive.triggers_path
    trigger = find(read(path), name) if path else None
    return trigger if trigger and trigger.enabled else None


def _first_occurrence(trigger: Trigger, due: datetime) -> datetime:
    """When the operator's clock first showed the time of `due`.

    That is an hour earlier in the hour that occurs twice when the clock is put back, so that a trigger which names its
    hours runs once. A trigger for every hour runs in both.
    """
    local = due.astimezone(settings.CAESAR.zone)
    return local.replace(fold=0) if trigger.has_fixed_hours else due


def _has_run(name: str, *, since: datetime) -> bool:
    """Whether a run of this trigger has ended since then, answered or failed."""
    turns = AuditRow.objects.get_queryset().of_type(events.ChatCompleted, events.ChatFailed)
    return turns.filter(ts__gte=since, payload__proactive=name).exists()


def _record_missed_run(name: str, problem: str, *, kind: str, now: datetime) -> str:
    """Record a run that did not reach the model; returns the line for the queue."""
    logger.warning("Trigger %s did not run: %s", name, problem)
    failed = events.ChatFailed(error=problem, kind=kind, proactive=name)
    AuditRow.objects.record(failed, now=now, decision_id=uuid.uuid4().hex)
    return f"failed: {problem}"


def _clock_time(moment: datetime) -> str:
    return f"{moment.astimezone(settings.CAESAR.zone):%Y-%m-%d %H:%M}"

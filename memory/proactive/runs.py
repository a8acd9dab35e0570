"""Proactive runs: a trigger's prompt takes a turn of its own, by the clock or by hand.

Memory goes into it as into any turn. Nothing comes out of it: its prompt is not the operator's words.
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

_USE = chat.MemoryUse(inject=True, learn=False)


def run(trigger: Trigger, *, now: datetime) -> chat.Answered:
    """Ask the model what a trigger asks, and write it down. Raises `llm.LLMError`, with `chat.failed` written."""
    conversation = Conversation([Message(role="user", content=trigger.prompt)])
    return chat.answer(chat.Turn(conversation=conversation, use=_USE, now=now, proactive=trigger.name))


def run_due(name: str, *, due: datetime, now: datetime) -> str:
    """What the queue has done for a trigger whose time has come; one line that says so. It never fails twice.

    Nothing is caught up: a run that could not begin in time is written down as failed. So is one that ended with its
    worker, which the queue hands out again.
    """
    try:
        trigger = _in_file(name)
    except TriggersError as error:
        return _failed(name, str(error), kind="TriggersError", now=now)
    if trigger is None:
        return "no such trigger, or disabled: run manage.py sync_schedules"
    if _has_run(name, since=_first_showing(trigger, due)):
        return "has run already"
    if now - due > patience():
        missed = f"It was due at {_clock_time(due)} and could not be run then: no worker was running, or it was ended."
        return _failed(name, missed, kind="Missed", now=now)
    try:
        recorded = run(trigger, now=now).recorded
        return f"answered as chat {recorded.audit_log_id}" if recorded.audit_log_id else "answered; recorded later"
    except llm.LLMError as error:
        logger.warning("Trigger %s got no answer: %s", name, error)
        return f"failed: {error}"


def patience() -> timedelta:
    """How late a run may begin: as long as both workers may be busy with a batch each. The queue hands a task out
    again only after more than that, so that a run whose worker died is not paid for once more."""
    return timedelta(seconds=settings.TASK_TIMEOUT_SECONDS)


def _in_file(name: str) -> Trigger | None:
    """The trigger as its file has it now, None where it is gone or disabled. Raises `TriggersError`."""
    path = settings.CAESAR.proactive.triggers_path
    trigger = find(read(path), name) if path else None
    return trigger if trigger and trigger.enabled else None


def _first_showing(trigger: Trigger, due: datetime) -> datetime:
    """When the operator's clock showed the time of `due` first: an hour earlier, in the hour that comes twice when it
    is put back. Only for a trigger that names its hours; one for every hour runs in both."""
    local = due.astimezone(settings.CAESAR.zone)
    return local.replace(fold=0) if trigger.has_fixed_hours else due


def _has_run(name: str, *, since: datetime) -> bool:
    """Whether a run of it has ended since, with an answer or without."""
    turns = AuditRow.objects.get_queryset().of_type(events.ChatCompleted, events.ChatFailed)
    return turns.filter(ts__gte=since, payload__proactive=name).exists()


def _failed(name: str, problem: str, *, kind: str, now: datetime) -> str:
    """Write down a run that did not come to ask."""
    logger.warning("Trigger %s did not run: %s", name, problem)
    failed = events.ChatFailed(error=problem, kind=kind, proactive=name)
    AuditRow.objects.record(failed, now=now, decision_id=uuid.uuid4().hex)
    return f"failed: {problem}"


def _clock_time(moment: datetime) -> str:
    return f"{moment.astimezone(settings.CAESAR.zone):%Y-%m-%d %H:%M}"

"""What a worker writes down when a chat cannot be read, and how long it pauses (decision 7)."""

from datetime import datetime, timedelta

from pydantic import ValidationError

from memory import events
from memory.learning.job import Answer, Job, Question
from memory.llm.errors import LLMError
from memory.models import LONGEST_PAUSE, AuditQuerySet, AuditRow

WORKER_DIED = "The worker died each time it read this chat."


def record_failure(job: Job[Question, Answer], chat: AuditRow, error: LLMError, *, now: datetime) -> None:
    """Write the row of a chat's failure, in the caller's transaction."""
    AuditRow.objects.record(job.failed_event(chat, str(error), kind=type(error).__name__), now=now, chat=chat)


def record_abandoned(
    job: Job[Question, Answer],
    chat: AuditRow,
    error: str,
    *,
    attempts: int,
    reason: events.GiveUpReason,
    now: datetime,
) -> None:
    """Write the row of a chat that is given up, in the caller's transaction."""
    event = job.abandoned_event(chat, error, attempts=attempts, reason=reason)
    AuditRow.objects.record(event, now=now, chat=chat)


def failure_rows(job: Job[Question, Answer], chat: AuditRow) -> AuditQuerySet:
    """The rows that `record_failure` wrote for this chat."""
    kind = type(job.failed_event(chat, "", kind=""))
    return AuditRow.objects.get_queryset().of_type(kind).filter(chat=chat)


def backoff(outages_before: int, error: LLMError) -> timedelta:
    """The pause after an outage: 1, 2, 4, 8, 16, then 30 minutes. Longer where the provider asks for it, 30 at most."""
    asked_for = timedelta(seconds=error.retry_after_seconds or 0)
    return min(max(timedelta(minutes=2 ** min(outages_before, 10)), asked_for), LONGEST_PAUSE)


def row_error(error: ValidationError) -> str:
    """The first thing that is wrong with a chat's row, in one sentence."""
    first = error.errors(include_input=False, include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    return f"The chat's row cannot be read: {where}: {first['msg']}."

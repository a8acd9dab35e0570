"""What the operator asks of a worker: try again, skip, have given-up chats read once more."""

from datetime import datetime

from django.db import transaction

from memory.batches.job import Answer, Job, Question
from memory.models import AskAgain, AuditRow, Cursor


class NothingToRetry(LookupError):
    """The chat named is neither stuck nor given up; the message says what is."""


def retry(job: Job[Question, Answer], chat_id: int) -> None:
    """Have a stuck chat tried at once, or a given-up one read again, by the next batch. Raises `NothingToRetry`."""
    cursor = job.cursor.current()
    if _is_next(cursor, chat_id):
        cursor.try_now()
    elif job.given_up().filter(pk=chat_id).exists():
        AskAgain.objects.get_or_create(job=job.task, chat_id=chat_id)
    else:
        raise NothingToRetry(f"Chat #{chat_id} is neither stuck nor given up.")


def retry_all(job: Job[Question, Answer]) -> int:
    """Have every given-up chat read again by the next batches; how many there are."""
    chats = list(job.given_up().values_list("pk", flat=True))
    AskAgain.objects.bulk_create([AskAgain(job=job.task, chat_id=pk) for pk in chats], ignore_conflicts=True)
    return len(chats)


def skip(job: Job[Question, Answer], chat_id: int, *, now: datetime) -> None:
    """Give up the chat the worker is stuck at, or the wish to have a given-up one read again.

    Raises `NothingToRetry` where it is neither.
    """
    if AskAgain.objects.filter(job=job.task, chat_id=chat_id).delete()[0]:
        return
    cursor = job.cursor.current()
    chat = cursor.waiting.first()
    if chat is None or chat.pk != chat_id:
        raise NothingToRetry(f"The worker is not at chat #{chat_id}" + (f" but at #{chat.pk}." if chat else "."))
    error, attempts = cursor.last_error, cursor.attempts
    with transaction.atomic():
        if cursor.advance(chat, now=now):
            AuditRow.objects.record(job.abandoned(chat, error, attempts=attempts, reason="skipped"), now=now, chat=chat)


def _is_next(cursor: Cursor, chat_id: int) -> bool:
    return cursor.waiting.values_list("pk", flat=True).first() == chat_id

"""What the operator asks of a worker: try again, skip, have given-up chats read once more. Each leaves an audit row."""

from datetime import datetime

from django.db import transaction

from memory.learning.job import Answer, Job, Question
from memory.models import AskAgain, AuditRow, Cursor

_HIGHEST_ID = 2**63 - 1  # databases count no further, and SQLite refuses to look
_TAKEN_BACK = "Asking for it again was taken back."


class NothingToRetry(LookupError):
    """The chat named is neither stuck nor given up; the message says what is."""


def retry(job: Job[Question, Answer], chat_id: int, *, now: datetime) -> None:
    """Have a stuck chat tried at once, or a given-up one read again, by the next batch. Raises `NothingToRetry`.

    One audit row; none where there is nothing to forget or it was asked for already.
    """
    _check(chat_id)
    cursor = job.cursor.current()
    if _is_next(cursor, chat_id):
        _try_now(job, cursor, now=now)
    elif not _ask_again(job, [chat_id], now=now):
        raise NothingToRetry(f"Chat #{chat_id} is neither stuck nor given up.")


def retry_all(job: Job[Question, Answer], *, now: datetime) -> int:
    """Have every given-up chat read again by the next batches; how many there are. One audit row for each new wish."""
    return _ask_again(job, None, now=now)


def skip(job: Job[Question, Answer], chat_id: int, *, now: datetime) -> None:
    """Give up the chat the worker is stuck at, or the wish to have a given-up one read again.

    Raises `NothingToRetry` where it is neither.
    """
    _check(chat_id)
    if _take_back(job, chat_id, now=now):
        return
    cursor = job.cursor.current()
    chat = cursor.waiting.first()
    if chat is None or chat.pk != chat_id:
        raise NothingToRetry(f"The worker is not at chat #{chat_id}" + (f" but at #{chat.pk}." if chat else "."))
    error, attempts = cursor.last_error, cursor.attempts
    with transaction.atomic():
        if cursor.advance(chat, now=now):
            AuditRow.objects.record(job.abandoned(chat, error, attempts=attempts, reason="skipped"), now=now, chat=chat)


def _check(chat_id: int) -> None:
    if chat_id > _HIGHEST_ID:
        raise NothingToRetry(f"There is no chat #{chat_id}.")


def _is_next(cursor: Cursor, chat_id: int) -> bool:
    return cursor.waiting.values_list("pk", flat=True).first() == chat_id


def _try_now(job: Job[Question, Answer], cursor: Cursor, *, now: datetime) -> None:
    with transaction.atomic():
        if cursor.try_now() and (chat := cursor.waiting.first()):
            AuditRow.objects.record(job.asked(chat, given_up=False), now=now, chat=chat)


def _ask_again(job: Job[Question, Answer], only: list[int] | None, *, now: datetime) -> int:
    """Note the wish for the given-up chats, those of `only` where it is not None; how many of them there are.

    The cursor's row is held meanwhile: of two who ask at once, the second finds the wishes of the first.
    """
    with transaction.atomic():
        job.cursor._default_manager.select_for_update().get(pk=job.cursor.current().pk)
        given_up = job.given_up() if only is None else job.given_up().filter(pk__in=only)
        chats = list(given_up.defer("payload"))
        asked = set(AskAgain.objects.filter(job=job.task).values_list("chat_id", flat=True))
        fresh = [chat for chat in chats if chat.pk not in asked]
        AskAgain.objects.bulk_create([AskAgain(job=job.task, chat=chat) for chat in fresh])
        AuditRow.objects.write(
            [
                AuditRow.objects.draft(job.asked(chat, given_up=True), now=now, decision_id=None, chat_id=chat.pk)
                for chat in fresh
            ]
        )
    return len(chats)


def _take_back(job: Job[Question, Answer], chat_id: int, *, now: datetime) -> bool:
    with transaction.atomic():
        wish = AskAgain.objects.filter(job=job.task, chat_id=chat_id).select_related("chat").first()
        taken = wish is not None and wish.take()
        if wish is not None and taken:
            event = job.abandoned(wish.chat, _TAKEN_BACK, attempts=wish.attempts, reason="skipped")
            AuditRow.objects.record(event, now=now, chat=wish.chat)
    return taken

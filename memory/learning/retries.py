"""What the operator can ask of a worker: retry or skip a stuck chat, reread given-up ones. Each writes an audit row."""

from datetime import datetime

from django.db import transaction

from memory.learning.job import Answer, Job, Question
from memory.models import AskAgain, AuditRow, Cursor

_HIGHEST_ID = 2**63 - 1  # the largest id that databases can hold; SQLite raises for more
_WITHDRAWN = "Asking for it again was taken back."


class NothingToRetry(LookupError):
    """The chat named is neither stuck nor given up; the message says what is."""


def retry(job: Job[Question, Answer], chat_id: int, *, now: datetime) -> None:
    """Let the next batch try a stuck chat at once, or read a given-up one again. Raises `NothingToRetry`.

    Writes one audit row; none where the stuck chat has no failed try yet, or the given-up one is requested already.
    """
    _check_id_range(chat_id)
    cursor = job.cursor.current()
    if _is_next_chat(cursor, chat_id):
        _retry_stuck(job, cursor, now=now)
    elif not _request_rereads(job, [chat_id], now=now):
        raise NothingToRetry(f"Chat #{chat_id} is neither stuck nor given up.")


def retry_all(job: Job[Question, Answer], *, now: datetime) -> int:
    """Let the next batches read every given-up chat again; returns their number. One audit row for each new request."""
    return _request_rereads(job, None, now=now)


def skip(job: Job[Question, Answer], chat_id: int, *, now: datetime) -> None:
    """Give up the chat that the worker is stuck at, or withdraw the request to read a given-up one again.

    Raises `NothingToRetry` where it is neither.
    """
    _check_id_range(chat_id)
    if _withdraw_request(job, chat_id, now=now):
        return
    cursor = job.cursor.current()
    chat = cursor.waiting.first()
    if chat is None or chat.pk != chat_id:
        raise NothingToRetry(f"The worker is not at chat #{chat_id}" + (f" but at #{chat.pk}." if chat else "."))
    error, attempts = cursor.last_error, cursor.attempts
    with transaction.atomic():
        if cursor.advance(chat, now=now):
            AuditRow.objects.record(
                job.abandoned_event(chat, error, attempts=attempts, reason="skipped"), now=now, chat=chat
            )


def _check_id_range(chat_id: int) -> None:
    if chat_id > _HIGHEST_ID:
        raise NothingToRetry(f"There is no chat #{chat_id}.")


def _is_next_chat(cursor: Cursor, chat_id: int) -> bool:
    return cursor.waiting.values_list("pk", flat=True).first() == chat_id


def _retry_stuck(job: Job[Question, Answer], cursor: Cursor, *, now: datetime) -> None:
    with transaction.atomic():
        if cursor.try_now() and (chat := cursor.waiting.first()):
            AuditRow.objects.record(job.asked_event(chat, given_up=False), now=now, chat=chat)


def _request_rereads(job: Job[Question, Answer], only: list[int] | None, *, now: datetime) -> int:
    """Request the given-up chats, or those in `only`, to be read again; returns how many of them are given up.

    The cursor's row is locked meanwhile: of two callers at once, the second one finds the requests of the first.
    """
    with transaction.atomic():
        job.cursor._default_manager.select_for_update().get(pk=job.cursor.current().pk)
        given_up = job.abandoned_chats() if only is None else job.abandoned_chats().filter(pk__in=only)
        chats = list(given_up.defer("payload"))
        asked = set(AskAgain.objects.filter(job=job.task).values_list("chat_id", flat=True))
        new = [chat for chat in chats if chat.pk not in asked]
        AskAgain.objects.bulk_create([AskAgain(job=job.task, chat=chat) for chat in new])
        AuditRow.objects.write(
            [
                AuditRow.objects.draft(job.asked_event(chat, given_up=True), now=now, decision_id=None, chat_id=chat.pk)
                for chat in new
            ]
        )
    return len(chats)


def _withdraw_request(job: Job[Question, Answer], chat_id: int, *, now: datetime) -> bool:
    with transaction.atomic():
        request = AskAgain.objects.filter(job=job.task, chat_id=chat_id).select_related("chat").first()
        taken = request is not None and request.take()
        if request is not None and taken:
            event = job.abandoned_event(request.chat, _WITHDRAWN, attempts=request.attempts, reason="skipped")
            AuditRow.objects.record(event, now=now, chat=request.chat)
    return taken

"""The one worker loop: claim the cursor, read a chat, ask outside any transaction, then commit once.

What it promises, whoever is killed when: every chat is settled exactly once (the compare-and-swap of
`Cursor.advance` is the first statement of the transaction that keeps the answer), and paid for once unless its worker
dies or is overtaken between the answer and the commit (decisions 7, 8).
"""

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Generic

from django.conf import settings
from django.db import OperationalError, transaction
from django.db.models import Q
from pydantic import ValidationError

from memory import events
from memory.learning.job import Answer, Job, Question, Tally
from memory.llm.errors import LLMError
from memory.models import LONGEST_PAUSE, AskAgain, AuditQuerySet, AuditRow, Cursor, LearningSwitch

logger = logging.getLogger(__name__)

Clock = Callable[[], datetime]

PROBE_AFTER = timedelta(hours=1)
_CLAIM_SLACK = timedelta(seconds=60)
_COMMIT_TRIES = 3
_PROBED_AT_MOST = 100
_WISH_TRIES = 12  # by growing pauses: about four hours of outage


def run(job: Job[Question, Answer], *, clock: Clock, seconds: float | None = None) -> Tally:
    """One batch of `job`: at most `job.batch_size` questions, no new one begun after `seconds`.

    Another worker on the same cursor makes it return at once (`busy`), and so does the operator's pause (`paused`);
    a pause in the middle of a batch ends it after the chat it is at.
    """
    began = clock()
    held_until = began + _claim_time()
    if not job.cursor.claim(now=began, until=held_until):
        return Tally(state="busy")
    batch = _Batch(job, clock, held_until, Tally())
    ends = began + timedelta(seconds=task_seconds() if seconds is None else seconds)
    try:
        batch.work(ends)
    finally:
        job.cursor.release(batch.held_until)
    return batch.tally


def task_seconds() -> float:
    """How long a batch may begin new questions: what django-q2 allows, less the longest single question."""
    return settings.TASK_TIMEOUT_SECONDS - _claim_time().total_seconds()


def _claim_time() -> timedelta:
    """How long a claim holds without a sign of life: one question, its one retry, an embedding, and slack."""
    return timedelta(seconds=3 * settings.CAESAR.llm.timeout_seconds) + _CLAIM_SLACK


@dataclass
class _Batch(Generic[Question, Answer]):
    """One run in progress. Methods named for a step return whether the run goes on."""

    job: Job[Question, Answer]
    clock: Clock
    held_until: datetime
    tally: Tally

    def work(self, ends: datetime) -> None:
        if self.job.cursor.current().is_paused(self.clock()):
            self.tally.state = "paused"
            return
        going = True
        while going and self._has_room(ends):
            going = self._next_chat()
        if self.tally.state == "done":
            self._wishes(ends)

    def _has_room(self, ends: datetime) -> bool:
        if LearningSwitch.current().is_paused:
            self.tally.state = "paused"
        elif self.tally.questions >= self.job.batch_size:
            self.tally.state = "full"
        elif self.clock() >= ends:
            self.tally.state = "late"
        else:
            return True
        return False

    # --- the chat after the cursor ----------------------------------------------------------------------------

    def _next_chat(self) -> bool:
        cursor = self.job.cursor.current()
        chat = cursor.waiting.first()
        if chat is None:
            return False
        try:
            question = self.job.prepare(chat)
        except ValidationError as error:
            return self._give_up(cursor, chat, _shape_error(error), reason="unreadable")
        if question is None:
            return self._pass_over(cursor, chat)
        if cursor.own_tries >= self.job.max_attempts:
            return self._give_up(cursor, chat, _DIED, reason="worker_died")
        return self._ask(cursor, chat, question)

    def _pass_over(self, cursor: Cursor, chat: AuditRow) -> bool:
        now = self.clock()
        with transaction.atomic():
            passed = cursor.advance(chat, now=now)
            if passed:
                self.job.pass_over(chat, now=now)
        self.tally.rows_ok += passed
        return passed or self._overtaken()

    def _ask(self, cursor: Cursor, chat: AuditRow, question: Question) -> bool:
        if not self._begin_try(cursor):
            return self._overtaken()
        try:
            answer = self.job.ask(question)
        except LLMError as error:
            return self._failed(cursor, chat, error)
        return self._keep(cursor, chat, answer)

    def _begin_try(self, cursor: Cursor) -> bool:
        """Count a try of the next chat, here and in the row, and prolong the claim. False where another took over.

        `cursor` keeps the place it believes in: whoever was overtaken while asking writes nothing, not even a failure.
        """
        until = self.clock() + _claim_time()
        if not cursor.begin_try(held_until=self.held_until, until=until):
            return False
        self.held_until = until
        self.tally.questions += 1
        cursor.attempts += 1
        return True

    def _keep(
        self, cursor: Cursor, chat: AuditRow, answer: Answer, *, instead_of: Sequence[tuple[AuditRow, str]] = ()
    ) -> bool:
        """Commit an answer. `instead_of`: the chats before it that are given up with it, each with its error."""
        counts = self._patiently(lambda: self._commit(cursor, chat, answer, instead_of))
        if counts is None:
            return self._overtaken()
        self.tally.rows_ok += 1
        self.tally.rows_abandoned += len(instead_of)
        self.tally.counts += counts
        return True

    def _patiently(self, commit: Callable[[], Counter[str] | None]) -> Counter[str] | None:
        """Commit what was paid for, again where another process holds the database for longer than its busy timeout."""
        for _ in range(_COMMIT_TRIES - 1):
            try:
                return commit()
            except OperationalError:
                logger.warning("The database is held by another process; trying again", exc_info=True)
        return commit()

    def _commit(
        self, cursor: Cursor, chat: AuditRow, answer: Answer, instead_of: Sequence[tuple[AuditRow, str]]
    ) -> Counter[str] | None:
        now = self.clock()
        with transaction.atomic():
            if not cursor.advance(chat, now=now):
                return None
            for stuck, error in instead_of:
                self._record_give_up(stuck, error, attempts=cursor.attempts, reason="fault_of_this_chat", now=now)
            return self.job.keep(chat, answer, now=now)

    def _overtaken(self) -> bool:
        self.tally.state = "busy"
        return False

    # --- failures (decision 7) ---------------------------------------------------------------------------------

    def _failed(self, cursor: Cursor, chat: AuditRow, error: LLMError) -> bool:
        self.tally.rows_failed += 1
        if not self.job.holds:
            return self._pass_failed(cursor, chat, error)
        if not self._note_failure(cursor, chat, error):
            return self._overtaken()
        if error.permanent and cursor.own_tries >= self.job.max_attempts:
            return self._give_up(cursor, chat, str(error), reason="bad_answer")
        self.tally.state = "failed"
        if not error.permanent:
            self._probe(self.job.cursor.current(), chat)
        return False

    def _pass_failed(self, cursor: Cursor, chat: AuditRow, error: LLMError) -> bool:
        now = self.clock()
        with transaction.atomic():
            passed = cursor.advance(chat, now=now)
            if passed:
                self._record_failure(chat, error, now=now)
        return passed or self._overtaken()

    def _record_failure(self, chat: AuditRow, error: LLMError, *, now: datetime) -> None:
        AuditRow.objects.record(self.job.failed(chat, str(error), kind=type(error).__name__), now=now, chat=chat)

    def _note_failure(self, cursor: Cursor, chat: AuditRow, error: LLMError) -> bool:
        now = self.clock()
        pause = None if error.permanent else _pause(cursor.outages, error)
        with transaction.atomic():
            noted = cursor.note_failure(str(error), pause=pause, now=now)
            if noted and not self._failure_rows(chat).exists():
                self._record_failure(chat, error, now=now)
        return noted

    def _give_up(self, cursor: Cursor, chat: AuditRow, error: str, *, reason: events.GiveUpReason) -> bool:
        attempts, now = cursor.attempts, self.clock()
        with transaction.atomic():
            gone = cursor.advance(chat, now=now)
            if gone:
                self._record_give_up(chat, error, attempts=attempts, reason=reason, now=now)
        if not gone:
            return self._overtaken()
        self.tally.rows_abandoned += 1
        return True

    def _record_give_up(
        self, chat: AuditRow, error: str, *, attempts: int, reason: events.GiveUpReason, now: datetime
    ) -> None:
        AuditRow.objects.record(self.job.abandoned(chat, error, attempts=attempts, reason=reason), now=now, chat=chat)

    def _failure_rows(self, chat: AuditRow) -> AuditQuerySet:
        return AuditRow.objects.get_queryset().of_type(type(self.job.failed(chat, "", kind=""))).filter(chat=chat)

    def _probe(self, cursor: Cursor, stuck: AuditRow) -> None:
        """An outage that lasts on one chat: try the next one once. If that goes through, the fault is the chat's."""
        since = self._failure_rows(stuck).order_by("id").values_list("ts", flat=True).first()
        if since is None or self.clock() - since <= PROBE_AFTER or cursor.outages < self.job.max_attempts:
            return
        passed = [(stuck, cursor.last_error)]
        for chat in cursor.waiting.filter(id__gt=stuck.pk)[:_PROBED_AT_MOST]:
            try:
                question = self.job.prepare(chat)
            except ValidationError as error:
                passed.append((chat, _shape_error(error)))
                continue
            if question is not None:
                self._probe_with(cursor, chat, question, passed)
                return

    def _probe_with(
        self, cursor: Cursor, chat: AuditRow, question: Question, passed: Sequence[tuple[AuditRow, str]]
    ) -> None:
        """Ask about `chat`. A try that fails counts as one of the stuck chat's: what never ends there ends at last."""
        if not self._begin_try(cursor):
            return
        try:
            self._keep(cursor, chat, self.job.ask(question), instead_of=passed)
        except LLMError as error:
            if not error.permanent:
                cursor.note_outage()

    # --- chats the operator wants read again ---------------------------------------------------------------------

    def _wishes(self, ends: datetime) -> None:
        """After the waiting chats, so that one that cannot be done keeps none of them from being read."""
        now = self.clock()
        due = Q(next_try_at__isnull=True) | Q(next_try_at__lte=now) | Q(next_try_at__gt=now + LONGEST_PAUSE)
        for wish in AskAgain.objects.filter(due, job=self.job.task).select_related("chat").order_by("chat_id"):
            if not self._has_room(ends) or not self._grant(wish):
                return

    def _grant(self, wish: AskAgain) -> bool:
        chat = wish.chat
        if wish.attempts >= max(self.job.max_attempts, _WISH_TRIES):
            return self._refuse(wish, _DIED, reason="worker_died")
        until = self.clock() + _claim_time()
        if not self.job.cursor.prolong(held_until=self.held_until, until=until):
            return self._overtaken()
        self.held_until = until
        if not wish.count_try():
            return True
        self.tally.questions += 1
        try:
            question = self.job.prepare(chat)
            answer = None if question is None else self.job.ask(question)
        except ValidationError as error:
            return self._refuse(wish, _shape_error(error), reason="unreadable")
        except LLMError as error:
            return self._wish_failed(wish, error)
        now = self.clock()
        with transaction.atomic():
            if wish.take():
                self._record_recovery(chat, now=now)
                self.tally.counts += self.job.keep(chat, answer, now=now) if answer is not None else Counter()
                self.tally.rows_ok += 1
        return True

    def _record_recovery(self, chat: AuditRow, *, now: datetime) -> None:
        recovered = self.job.recovered(chat)
        if recovered is not None:
            AuditRow.objects.record(recovered, now=now, chat=chat)

    def _wish_failed(self, wish: AskAgain, error: LLMError) -> bool:
        """A bad answer refuses the wish; an outage lets it wait, and a lasting one refuses it too, after some hours."""
        self.tally.rows_failed += 1
        if error.permanent or wish.attempts >= _WISH_TRIES:
            return self._refuse(wish, str(error), reason="bad_answer" if error.permanent else "fault_of_this_chat")
        wish.wait(_pause(wish.attempts - 1, error), now=self.clock())
        self.tally.state = "failed"
        return False

    def _refuse(self, wish: AskAgain, error: str, *, reason: events.GiveUpReason) -> bool:
        with transaction.atomic():
            if wish.take():
                self._record_give_up(wish.chat, error, attempts=wish.attempts, reason=reason, now=self.clock())
        self.tally.rows_abandoned += 1
        return True


_DIED = "The worker died each time it read this chat."


def _pause(outages_before: int, error: LLMError) -> timedelta:
    """1, 2, 4, 8, 16, then 30 minutes; more where the provider names more, but never over 30."""
    named = timedelta(seconds=error.retry_after_seconds or 0)
    return min(max(timedelta(minutes=2 ** min(outages_before, 10)), named), LONGEST_PAUSE)


def _shape_error(error: ValidationError) -> str:
    first = error.errors(include_input=False, include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    return f"The chat's row cannot be read: {where}: {first['msg']}."

"""The one worker loop: claim the cursor, read a chat, ask outside any transaction, then commit once.

Whichever process is killed at whatever moment: every chat is settled exactly once, because the compare-and-swap of
`Cursor.advance` is the first statement of the transaction that stores the answer. And every chat is paid for once,
unless its worker dies or is overtaken between the answer and the commit (decisions 7, 8).
"""

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Generic

from django.conf import settings
from django.db import OperationalError, transaction
from pydantic import ValidationError

from memory import events
from memory.learning import failures
from memory.learning.batch import Batch, Clock, claim_time
from memory.learning.job import Answer, Job, Question, Tally
from memory.learning.requested_chats import RequestedChats
from memory.llm import usage
from memory.llm.errors import LLMError, Truncated
from memory.models import AuditRow, Cursor, ModelUsage

logger = logging.getLogger(__name__)

PROBE_AFTER = timedelta(hours=1)
_MAX_COMMIT_TRIES = 3
_MAX_CUT_TRIES = 2
_MAX_PROBED_CHATS = 100


def run(job: Job[Question, Answer], *, clock: Clock, seconds: float | None = None) -> Tally:
    """One batch of `job`: at most `job.batch_size` questions, none begun after `seconds` (default: `task_seconds()`).

    Returns at once where another worker holds the cursor (`busy`) or the operator has paused learning (`paused`). A
    pause in the middle of a batch ends it after the current chat.
    """
    began = clock()
    held_until = began + claim_time()
    if not job.cursor.claim(now=began, until=held_until):
        return Tally(state="busy")
    ends = began + timedelta(seconds=task_seconds() if seconds is None else seconds)
    batch = Batch(job, clock, held_until, ends)
    try:
        with usage.metered() as meter:
            _work(batch)
    finally:
        job.cursor.release(batch.held_until)
        usage.pass_on(meter)
        _count(job, meter, now=began)
    return batch.tally


def _count(job: Job[Question, Answer], meter: usage.Meter, *, now: datetime) -> None:
    """Add the batch's answers to the tally of models, if there were any."""
    if meter.answers:
        ModelUsage.objects.add(
            job.task.replace(".", "_"),
            now=now,
            calls=meter.answers,
            unreported=meter.unreported,
            input_tokens=meter.input_tokens,
            output_tokens=meter.output_tokens,
        )


def task_seconds() -> float:
    """How long a batch may begin new questions: what django-q2 allows, less the longest single question."""
    return settings.TASK_TIMEOUT_SECONDS - claim_time().total_seconds()


def _work(batch: Batch[Question, Answer]) -> None:
    if batch.job.cursor.current().is_paused(batch.clock()):
        batch.tally.state = "paused"
        return
    waiting = _WaitingChats(batch)
    goes_on = True
    while goes_on and batch.has_room():
        goes_on = waiting.read_next()
    if batch.tally.state == "done":
        RequestedChats(batch).read_all()


@dataclass
class _WaitingChats(Generic[Question, Answer]):
    """The chats after the cursor. Methods named for a step return whether the batch goes on."""

    batch: Batch[Question, Answer]

    def read_next(self) -> bool:
        """Settle the next chat, if there is one."""
        cursor = self.batch.job.cursor.current()
        chat = cursor.waiting.first()
        if chat is None:
            return False
        try:
            question = self.batch.job.prepare(chat)
        except ValidationError as error:
            return self._abandon(cursor, chat, failures.row_error(error), reason="unreadable")
        if question is None:
            return self._skip(cursor, chat)
        if cursor.own_tries >= self.batch.job.max_attempts:
            return self._abandon(cursor, chat, failures.WORKER_DIED, reason="worker_died")
        return self._ask(cursor, chat, question)

    def _skip(self, cursor: Cursor, chat: AuditRow) -> bool:
        """Settle a chat about which there is nothing to ask."""
        now = self.batch.clock()
        with transaction.atomic():
            advanced = cursor.advance(chat, now=now)
            if advanced:
                self.batch.job.store_skipped(chat, now=now)
        self.batch.tally.rows_ok += advanced
        return advanced or self.batch.stop_as_overtaken()

    def _ask(self, cursor: Cursor, chat: AuditRow, question: Question) -> bool:
        if not self.batch.begin_try(cursor):
            return self.batch.stop_as_overtaken()
        try:
            answer = self.batch.job.ask(question)
        except LLMError as error:
            return self._fail(cursor, chat, error)
        return self._store(cursor, chat, answer)

    def _store(
        self, cursor: Cursor, chat: AuditRow, answer: Answer, *, abandoned: Sequence[tuple[AuditRow, str]] = ()
    ) -> bool:
        """Commit an answer. `abandoned`: the chats before it that are given up with it, each with its error."""
        counts = _retry_commit(lambda: self._commit(cursor, chat, answer, abandoned))
        if counts is None:
            return self.batch.stop_as_overtaken()
        tally = self.batch.tally
        tally.rows_ok += 1
        tally.rows_abandoned += len(abandoned)
        tally.counts += counts
        return True

    def _commit(
        self, cursor: Cursor, chat: AuditRow, answer: Answer, abandoned: Sequence[tuple[AuditRow, str]]
    ) -> Counter[str] | None:
        """The counts of what was stored, None where another worker settled the chat."""
        job, now = self.batch.job, self.batch.clock()
        with transaction.atomic():
            job.hold(chat)
            if not cursor.advance(chat, now=now):
                return None
            for stuck, error in abandoned:
                failures.record_abandoned(
                    job, stuck, error, attempts=cursor.attempts, reason="fault_of_this_chat", now=now
                )
            return job.store(chat, answer, now=now)

    # --- failures (decision 7) ---------------------------------------------------------------------------------

    def _fail(self, cursor: Cursor, chat: AuditRow, error: LLMError) -> bool:
        job, tally = self.batch.job, self.batch.tally
        tally.rows_failed += 1
        if not job.blocks_on_failure:
            return self._advance_past_failure(cursor, chat, error)
        if not self._hold_at_failure(cursor, chat, error):
            return self.batch.stop_as_overtaken()
        if error.permanent and cursor.own_tries >= _max_tries(job.max_attempts, error):
            return self._abandon(cursor, chat, str(error), reason="bad_answer")
        tally.state = "failed"
        if not error.permanent:
            self._probe(job.cursor.current(), chat)
        return False

    def _advance_past_failure(self, cursor: Cursor, chat: AuditRow, error: LLMError) -> bool:
        """Record the failure and go on with the next chat."""
        now = self.batch.clock()
        with transaction.atomic():
            advanced = cursor.advance(chat, now=now)
            if advanced:
                failures.record_failure(self.batch.job, chat, error, now=now)
        return advanced or self.batch.stop_as_overtaken()

    def _hold_at_failure(self, cursor: Cursor, chat: AuditRow, error: LLMError) -> bool:
        """Keep the cursor at this chat, with a pause after an outage. Only its first failure gets a row.

        False where another worker took over.
        """
        job, now = self.batch.job, self.batch.clock()
        pause = None if error.permanent else failures.backoff(cursor.outages, error)
        with transaction.atomic():
            held = cursor.note_failure(str(error), pause=pause, now=now)
            if held and not failures.failure_rows(job, chat).exists():
                failures.record_failure(job, chat, error, now=now)
        return held

    def _abandon(self, cursor: Cursor, chat: AuditRow, error: str, *, reason: events.GiveUpReason) -> bool:
        """Give the chat up and go on with the next one."""
        attempts, now = cursor.attempts, self.batch.clock()
        with transaction.atomic():
            advanced = cursor.advance(chat, now=now)
            if advanced:
                failures.record_abandoned(self.batch.job, chat, error, attempts=attempts, reason=reason, now=now)
        if not advanced:
            return self.batch.stop_as_overtaken()
        self.batch.tally.rows_abandoned += 1
        return True

    def _probe(self, cursor: Cursor, stuck: AuditRow) -> None:
        """After a long outage at one chat, try the next one once. If that succeeds, the fault is the stuck chat's."""
        job = self.batch.job
        since = failures.failure_rows(job, stuck).order_by("id").values_list("ts", flat=True).first()
        if since is None or self.batch.clock() - since <= PROBE_AFTER or cursor.outages < job.max_attempts:
            return
        abandoned = [(stuck, cursor.last_error)]
        for chat in cursor.waiting.filter(id__gt=stuck.pk)[:_MAX_PROBED_CHATS]:
            try:
                question = job.prepare(chat)
            except ValidationError as error:
                abandoned.append((chat, failures.row_error(error)))
                continue
            if question is not None:
                self._probe_with(cursor, chat, question, abandoned)
                return

    def _probe_with(
        self, cursor: Cursor, chat: AuditRow, question: Question, abandoned: Sequence[tuple[AuditRow, str]]
    ) -> None:
        """Ask about `chat`. A permanent error counts as a try of the stuck chat's own, so that it is given up at last
        even if the probes never succeed."""
        if not self.batch.begin_try(cursor):
            return
        try:
            self._store(cursor, chat, self.batch.job.ask(question), abandoned=abandoned)
        except LLMError as error:
            if not error.permanent:
                cursor.note_outage()


def _max_tries(max_attempts: int, error: LLMError) -> int:
    """Tries before a chat is given up. An answer that is cut even with twice the room is not asked for many times."""
    return min(max_attempts, _MAX_CUT_TRIES) if isinstance(error, Truncated) else max_attempts


def _retry_commit(commit: Callable[[], Counter[str] | None]) -> Counter[str] | None:
    """Commit an answer; try again where another process holds the database for longer than the busy timeout."""
    for _ in range(_MAX_COMMIT_TRIES - 1):
        try:
            return commit()
        except OperationalError:
            logger.warning("The database is held by another process; trying again", exc_info=True)
    return commit()

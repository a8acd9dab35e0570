"""The chats that the operator wants read again: what a batch does with them after the waiting ones.

They come last, so that one of them that cannot be read keeps no waiting chat from being read.
"""

from dataclasses import dataclass
from typing import Generic

from django.db import transaction
from django.db.models import Q
from pydantic import ValidationError

from memory import events
from memory.learning import failures
from memory.learning.batch import Batch
from memory.learning.job import Answer, Question
from memory.llm.errors import LLMError
from memory.models import LONGEST_PAUSE, AskAgain, AuditRow

_MIN_TRIES = 12  # with growing pauses: about four hours of outage


@dataclass
class RequestedChats(Generic[Question, Answer]):
    """The requested chats of one batch. Methods named for a step return whether the batch goes on."""

    batch: Batch[Question, Answer]

    def read_all(self) -> None:
        """Read those that are due, oldest chat first, until the batch has no more room."""
        now = self.batch.clock()
        due = Q(next_try_at__isnull=True) | Q(next_try_at__lte=now) | Q(next_try_at__gt=now + LONGEST_PAUSE)
        requests = AskAgain.objects.filter(due, job=self.batch.job.task).select_related("chat").order_by("chat_id")
        for request in requests:
            if not self.batch.has_room() or not self._read(request):
                return

    def _read(self, request: AskAgain) -> bool:
        if request.attempts >= max(self.batch.job.max_attempts, _MIN_TRIES):
            return self._abandon(request, failures.WORKER_DIED, reason="worker_died")
        if not self.batch.prolong_claim():
            return self.batch.stop_as_overtaken()
        if not request.count_try():
            return True
        self.batch.tally.questions += 1
        job = self.batch.job
        try:
            question = job.prepare(request.chat)
            answer = None if question is None else job.ask(question)
        except ValidationError as error:
            return self._abandon(request, failures.row_error(error), reason="unreadable")
        except LLMError as error:
            return self._fail(request, error)
        self._store(request, answer)
        return True

    def _store(self, request: AskAgain, answer: Answer | None) -> None:
        """Commit the answer, and that the chat was read after all. `answer` is None where there was nothing to ask."""
        job, chat, now = self.batch.job, request.chat, self.batch.clock()
        with transaction.atomic():
            job.hold(chat)
            if not request.take():  # another worker did it
                return
            if (recovered := job.recovered_event(chat)) is not None:
                AuditRow.objects.record(recovered, now=now, chat=chat)
            if answer is not None:
                self.batch.tally.counts += job.store(chat, answer, now=now)
            self.batch.tally.rows_ok += 1

    def _fail(self, request: AskAgain, error: LLMError) -> bool:
        """After a bad answer the chat is given up again. After an outage it waits; after some hours of it, it is given
        up as well."""
        self.batch.tally.rows_failed += 1
        if error.permanent:
            return self._abandon(request, str(error), reason="bad_answer")
        if request.attempts >= _MIN_TRIES:
            return self._abandon(request, str(error), reason="fault_of_this_chat")
        request.wait(failures.backoff(request.attempts - 1, error), now=self.batch.clock())
        self.batch.tally.state = "failed"
        return False

    def _abandon(self, request: AskAgain, error: str, *, reason: events.GiveUpReason) -> bool:
        job, attempts = self.batch.job, request.attempts
        with transaction.atomic():
            if request.take():
                now = self.batch.clock()
                failures.record_abandoned(job, request.chat, error, attempts=attempts, reason=reason, now=now)
                self.batch.tally.rows_abandoned += 1
        return True

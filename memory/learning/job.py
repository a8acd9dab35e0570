"""What a worker does with one chat (`Job`), and what one run did (`Tally`)."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol, TypeVar

from memory import events, queue
from memory.models import AuditQuerySet, AuditRow, Cursor
from memory.queue import TaskName

Question = TypeVar("Question")
Answer = TypeVar("Answer")


class Job(Protocol[Question, Answer]):
    """What a worker does with one chat: extract facts, or sum it up. The loop decides when, the job does it.

    The methods named `..._event` only make the event; the loop writes its row.
    """

    @property
    def task(self) -> TaskName:
        """Its name, in the queue and on the timeline."""

    @property
    def cursor(self) -> type[Cursor]:
        """The position of this job in the log."""

    @property
    def blocks_on_failure(self) -> bool:
        """Whether a failed chat blocks the ones after it (ADR-0033 §2), or is recorded and skipped (ADR-0034 §6)."""

    @property
    def batch_size(self) -> int:
        """Most questions in one run."""

    @property
    def max_attempts(self) -> int:
        """Tries of one chat before it is given up."""

    def prepare(self, chat: AuditRow) -> Question | None:
        """What to ask about this chat, None where there is nothing to ask. Writes nothing.

        Raises pydantic's `ValidationError` where the chat's row cannot be read.
        """

    def ask(self, question: Question) -> Answer:
        """The model's answer. Goes over the network, so it is called outside any transaction. Raises `LLMError`."""

    def hold(self, chat: AuditRow) -> None:
        """Take the locks that come before the cursor's (`memory.models.transactions`), in the caller's transaction."""

    def store(self, chat: AuditRow, answer: Answer, *, now: datetime) -> Counter[str]:
        """Write what was learned, in the caller's transaction. Returns counts for the tally."""

    def store_skipped(self, chat: AuditRow, *, now: datetime) -> None:
        """Write that there was nothing to ask, in the caller's transaction."""

    def failed_event(self, chat: AuditRow, error: str, *, kind: str) -> events.Event:
        """The event of a chat's first failure."""

    def abandoned_event(
        self, chat: AuditRow, error: str, *, attempts: int, reason: events.GiveUpReason
    ) -> events.Event:
        """The event of a chat that is given up."""

    def asked_event(self, chat: AuditRow, *, given_up: bool) -> events.Event:
        """The event of the operator asking for a chat again: a stuck one, or one that was given up."""

    def recovered_event(self, chat: AuditRow) -> events.Event | None:
        """The event of a given-up chat that succeeded after all; None where `store` writes a row that says so."""

    def abandoned_chats(self) -> AuditQuerySet:
        """The chats that were given up and have not succeeded since, oldest first."""


def wake(job: Job[Any, Any]) -> None:
    """Have the job's worker run now, unless one is about to run already."""
    if job.cursor.nudge():
        queue.nudge(job.task)


@dataclass
class Tally:
    """What one run did. `state` says why it ended: `done`, `full`, `late`, `busy`, `paused` or `failed`."""

    rows_ok: int = 0
    rows_failed: int = 0
    rows_abandoned: int = 0
    questions: int = 0
    state: str = "done"
    counts: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        parts = [f"{self.rows_ok} chats read", f"{self.questions} asked about"]
        parts += [f"{self.rows_failed} failed"] * bool(self.rows_failed)
        parts += [f"{self.rows_abandoned} given up"] * bool(self.rows_abandoned)
        parts += [f"{count} {name}" for name, count in sorted(self.counts.items())]
        return ", ".join(parts) + f" ({self.state})"

    def add(self, other: "Tally") -> None:
        """Take in another run's numbers; the state is the later run's."""
        self.rows_ok += other.rows_ok
        self.rows_failed += other.rows_failed
        self.rows_abandoned += other.rows_abandoned
        self.questions += other.questions
        self.counts += other.counts
        self.state = other.state

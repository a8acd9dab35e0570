"""What a worker does with one chat, and the tally of a run."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol, TypeVar

from memory import events
from memory.models import AuditQuerySet, AuditRow, Cursor
from memory.queue import TaskName

Question = TypeVar("Question")
Answer = TypeVar("Answer")


class Job(Protocol[Question, Answer]):
    """What a worker does with one chat. The loop knows when, the job knows what."""

    @property
    def task(self) -> TaskName:
        """Its name, in the queue and on the timeline."""

    @property
    def cursor(self) -> type[Cursor]:
        """Where it stands in the log."""

    @property
    def holds(self) -> bool:
        """Whether a failure holds the cursor (ADR-0033 §2), or is recorded and passed (ADR-0034 §6)."""

    @property
    def batch_size(self) -> int:
        """Most questions in one run."""

    @property
    def max_attempts(self) -> int:
        """Tries of one chat before it is given up."""

    def prepare(self, chat: AuditRow) -> Question | None:
        """What to ask about this chat; None where there is nothing to ask. Reads, writes nothing."""

    def ask(self, question: Question) -> Answer:
        """The answer. Goes over the network. Raises `LLMError`."""

    def keep(self, chat: AuditRow, answer: Answer, *, now: datetime) -> Counter[str]:
        """Write what was learned, in the caller's transaction; counts for the tally."""

    def pass_over(self, chat: AuditRow, *, now: datetime) -> None:
        """Note that there was nothing to ask, in the caller's transaction."""

    def failed(self, chat: AuditRow, error: str, *, kind: str) -> events.Event:
        """The row for a chat's first failure."""

    def abandoned(self, chat: AuditRow, error: str, *, attempts: int, reason: events.GiveUpReason) -> events.Event:
        """The row for a chat that is given up."""

    def asked(self, chat: AuditRow, *, given_up: bool) -> events.Event:
        """The row for a chat that the operator has tried again: a stuck one, or one that had been given up."""

    def recovered(self, chat: AuditRow) -> events.Event | None:
        """The row for a given-up chat that was done after all, where `keep` does not write one."""

    def given_up(self) -> AuditQuerySet:
        """The chats that were given up and not done since, oldest first."""


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

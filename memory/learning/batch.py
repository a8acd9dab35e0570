"""One batch in progress: its claim on the cursor, its limits, and its tally."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Generic

from django.conf import settings

from memory.learning.job import Answer, Job, Question, Tally
from memory.models import Cursor, LearningSwitch

Clock = Callable[[], datetime]


def claim_time() -> timedelta:
    """How long a claim lasts without being prolonged: as long as one chat may take."""
    return timedelta(seconds=settings.CAESAR.llm.longest_question_seconds)


@dataclass
class Batch(Generic[Question, Answer]):
    """What all steps of one batch share.

    `held_until`: the end of the claim, which is also its name: whoever lost the claim finds another time in the row.
    `ends`: no question is begun later.
    """

    job: Job[Question, Answer]
    clock: Clock
    held_until: datetime
    ends: datetime
    tally: Tally = field(default_factory=Tally)

    def has_room(self) -> bool:
        """Whether another question may begin. If not, the tally's state says why."""
        if LearningSwitch.current().is_paused:
            self.tally.state = "paused"
        elif self.tally.questions >= self.job.batch_size:
            self.tally.state = "full"
        elif self.clock() >= self.ends:
            self.tally.state = "late"
        else:
            return True
        return False

    def begin_try(self, cursor: Cursor) -> bool:
        """Count a try of the next chat, here and in the row, and prolong the claim. False where another took over.

        `cursor` keeps the position that was read before the question: a worker that is overtaken while it asks
        writes nothing, not even a failure.
        """
        until = self.clock() + claim_time()
        if not cursor.begin_try(held_until=self.held_until, until=until):
            return False
        self.held_until = until
        self.tally.questions += 1
        cursor.attempts += 1
        return True

    def prolong_claim(self) -> bool:
        """Hold the cursor for one more question. False where the claim was lost."""
        until = self.clock() + claim_time()
        if not self.job.cursor.prolong(held_until=self.held_until, until=until):
            return False
        self.held_until = until
        return True

    def stop_as_overtaken(self) -> bool:
        """Note that another worker took over. Always False: the batch does not go on."""
        self.tally.state = "busy"
        return False

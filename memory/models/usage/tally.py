"""The tally of answers and tokens: a row for each day and task, so that reading it costs the same in any log."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.conf import settings
from django.db import connections, models, router

# One statement, so that two processes never write the first row of a day twice, and lose nothing of each other.
_ADD = """
INSERT INTO model_usage (day, task, calls, unreported, input_tokens, output_tokens) VALUES (%s, %s, %s, %s, %s, %s)
ON CONFLICT (day, task) DO UPDATE SET
    calls = model_usage.calls + excluded.calls,
    unreported = model_usage.unreported + excluded.unreported,
    input_tokens = model_usage.input_tokens + excluded.input_tokens,
    output_tokens = model_usage.output_tokens + excluded.output_tokens
"""


@dataclass(frozen=True)
class UsedOn:
    """What one task was answered on one day. `unreported` of the answers came without a count of tokens."""

    day: date
    task: str
    calls: int
    unreported: int
    input_tokens: int
    output_tokens: int

    @property
    def tokens(self) -> int:
        """Both ways."""
        return self.input_tokens + self.output_tokens


class ModelUsageManager(models.Manager["ModelUsage"]):
    """The ways the tally is written and read."""

    def add(
        self, task: str, *, now: datetime, calls: int, unreported: int, input_tokens: int, output_tokens: int
    ) -> None:
        """Count answers of a task to the operator's day. One statement, the last of its transaction."""
        day = settings.CAESAR.day_of(now).isoformat()
        with connections[router.db_for_write(ModelUsage)].cursor() as cursor:
            cursor.execute(_ADD, [day, task, calls, unreported, input_tokens, output_tokens])

    def add_one(self, task: str, *, now: datetime, input_tokens: int | None, output_tokens: int | None) -> None:
        """Count one answer; None: the provider gave no count."""
        self.add(
            task,
            now=now,
            calls=1,
            unreported=int(input_tokens is None or output_tokens is None),
            input_tokens=input_tokens or 0,
            output_tokens=output_tokens or 0,
        )

    def last_days(self, days: int, *, now: datetime) -> Sequence[UsedOn]:
        """What was counted on the last so many days, today among them, oldest first. One query."""
        return self.since(settings.CAESAR.day_of(now) - timedelta(days=days - 1))

    def since(self, first: date) -> Sequence[UsedOn]:
        """What was counted from this day on, oldest first. One query."""
        rows = self.filter(day__gte=first).order_by("day", "task")
        names = ("day", "task", "calls", "unreported", "input_tokens", "output_tokens")
        return [UsedOn(*row) for row in rows.values_list(*names)]


class ModelUsage(models.Model):
    """Answers that one task was given on one day in the operator's zone, and their tokens."""

    day = models.DateField()
    task = models.CharField(max_length=32)
    calls = models.PositiveBigIntegerField(default=0)
    unreported = models.PositiveBigIntegerField(default=0)
    input_tokens = models.PositiveBigIntegerField(default=0)
    output_tokens = models.PositiveBigIntegerField(default=0)

    objects = ModelUsageManager()

    class Meta:
        db_table = "model_usage"
        constraints = [models.UniqueConstraint(fields=("day", "task"), name="model_usage_once")]

    def __str__(self) -> str:
        return f"{self.task} on {self.day}"

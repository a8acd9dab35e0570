"""What each task asked of language models in the last 30 days: calls and tokens as bars, with the sums in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.conf import settings

from dashboard.language_models.answered import LastAnswer, read_last_answers
from dashboard.language_models.costs import Month, cost_of, first_day_of_month, this_month
from memory.model_servers import TITLES
from memory.models import ModelUsage, UsedOn

DAYS = 30
HEIGHT = 28
_PITCH = 100 / DAYS
_LEAST_HEIGHT = 2.0


@dataclass(frozen=True)
class Bar:
    """One day: `x` and `width` in per cent, `y` and `height` in pixels from the top of a drawing of `HEIGHT`."""

    day: date
    count: int
    x: float
    height: float
    width: float = round(_PITCH * 0.8, 3)

    @property
    def y(self) -> float:
        """Its upper edge."""
        return round(HEIGHT - self.height, 1)


@dataclass(frozen=True)
class TaskUsage:
    """One task's days. `unreported` of its calls came without a count of tokens."""

    title: str
    calls: Sequence[Bar]
    tokens: Sequence[Bar]
    calls_in_all: int
    input_tokens: int
    output_tokens: int
    unreported: int
    cost: float | None


@dataclass(frozen=True)
class UsageChart:
    """Every task that was answered; none where nothing was counted. `answers`: {task: its last answer}."""

    first_day: date
    tasks: Sequence[TaskUsage]
    month: Month
    answers: Mapping[str, LastAnswer]
    height: int = HEIGHT


def read_usage(now: datetime) -> UsageChart:
    """The last 30 days and this month in the operator's zone. Two queries, one of them of ninety rows or so."""
    today = settings.CAESAR.day_of(now)
    days = [today - timedelta(days=back) for back in range(DAYS - 1, -1, -1)]
    used = ModelUsage.objects.since(min(days[0], first_day_of_month(now)))
    answers = read_last_answers(used)
    lately = {task: [row for row in used if row.task == task and row.day >= days[0]] for task in TITLES}
    tasks = [_task(TITLES[task], rows, days, answers[task].model) for task, rows in lately.items() if rows]
    return UsageChart(days[0], tasks, this_month(used, answers, now), answers)


def _task(title: str, rows: Sequence[UsedOn], days: Sequence[date], model: str) -> TaskUsage:
    calls = {row.day: row.calls for row in rows}
    tokens = {row.day: row.tokens for row in rows}
    return TaskUsage(
        title,
        _bars([calls.get(day, 0) for day in days], days),
        _bars([tokens.get(day, 0) for day in days], days),
        sum(calls.values()),
        sum(row.input_tokens for row in rows),
        sum(row.output_tokens for row in rows),
        sum(row.unreported for row in rows),
        cost_of(rows, model),
    )


def _bars(counts: Sequence[int], days: Sequence[date]) -> list[Bar]:
    """The largest count fills the height, and any count above 0 is high enough to be seen."""
    top = max(*counts, 1)
    heights = [max(_LEAST_HEIGHT, round(HEIGHT * count / top, 1)) if count else 0.0 for count in counts]
    numbered = enumerate(zip(days, counts, heights, strict=True))
    return [Bar(day, count, round(index * _PITCH, 3), height) for index, (day, count, height) in numbered]

"""The rows with which a chat's turn went on: steps of tools, retries, other answers (decision 26)."""

from collections.abc import Sequence
from dataclasses import dataclass

from memory import events
from memory.models import AuditRow
from memory.text.lines import one_line, shorten
from memory.units import steps

_MOST_SHOWN = 50
_SHOWN_CHARS = 400


@dataclass(frozen=True)
class ShownStep:
    """A later row of a turn. `calls_tools`: on the way; else `reply` is its answer, `is_last` the one that counts."""

    row: AuditRow
    reply: str
    calls_tools: bool
    is_last: bool


def read_steps(row: AuditRow) -> Sequence[ShownStep]:
    """The rows after the first one of its turn, oldest first. One query."""
    rows = list(row.consequences.filter(event_type=events.ChatCompleted.name).order_by("-id")[:_MOST_SHOWN])[::-1]
    answers = [one.pk for one in rows if not steps.only_calls_tools(one.completed)]
    return [
        ShownStep(
            one,
            shorten(one_line(one.completed.reply), _SHOWN_CHARS),
            calls_tools=steps.only_calls_tools(one.completed),
            is_last=one.pk == max(answers, default=0),
        )
        for one in rows
    ]

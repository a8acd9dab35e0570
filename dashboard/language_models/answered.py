"""Which model answered each task last, and when: a chat's row names it as its provider does."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from caesar.conf import OFFLINE
from memory import events
from memory.model_servers import destinations
from memory.models import AuditRow, UsedOn

_LATEST_CHATS = 20


@dataclass(frozen=True)
class LastAnswer:
    """The model that answered a task last. `at`: when, None where only its `day` is known, as of the memory's tasks.

    `is_named`: the provider named the model in its answer; else it is the one that is set now. `day` is None where
    nothing was answered in the days that are counted.
    """

    model: str
    at: datetime | None
    day: date | None
    is_named: bool


def read_last_answers(used: Sequence[UsedOn]) -> Mapping[str, LastAnswer]:
    """{task: its last answer}. One query. `used`: the tally of the last days, oldest first."""
    days = {row.task: row.day for row in used}
    answers: dict[str, LastAnswer] = {
        each.task: LastAnswer(each.model, None, days.get(each.task), False) for each in destinations()
    }
    chat = _last_chat()
    return answers if chat is None else answers | {"chat": chat}


def _last_chat() -> LastAnswer | None:
    """The newest chat that a model answered for this server, looked for among the latest. One query."""
    rows = AuditRow.objects.get_queryset().of_type(events.ChatCompleted).order_by("-id")
    newest = rows.values_list("payload__model", "payload__provider", "ts")[:_LATEST_CHATS]
    found = ((model, at) for model, provider, at in newest if model and provider not in ("", None, OFFLINE))
    return next((LastAnswer(str(model), at, None, True) for model, at in found), None)

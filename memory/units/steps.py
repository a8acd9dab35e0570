"""One turn may be several rows: the steps of its tools, a retry, another answer. Which of them says what (decision 26).

Every row after the first one `continues` it. The operator's words are new in the first row; what is summed up is the
last answer. A row whose answer only calls tools is a step on the way.
"""

from django.db.models import Q

from caesar.conf import OFFLINE
from memory import transcript
from memory.events import ChatCompleted
from memory.models import AuditRow
from memory.text import normalising

_CALLS_TOOLS = frozenset({"tool_calls", "tool_use", "function_call"})
_MOST_LOOKED_AT = 50


def only_calls_tools(completed: ChatCompleted) -> bool:
    """Whether the answer only calls tools: the turn goes on."""
    return completed.finish_reason in _CALLS_TOOLS


def is_poor(completed: ChatCompleted) -> bool:
    """Whether the answer was cut off, or given without a model: any other is better."""
    return completed.cut_off or completed.provider == OFFLINE


def first_row(chat: AuditRow) -> AuditRow | None:
    """The row that a row's turn began with, itself where it is that; None where that was swept."""
    return chat if chat.completed.continues is None else chat.chat


def other_answers(chat: AuditRow) -> list[int]:
    """The rows of the same turn that answer it in other words than this one, in order. One query.

    Answers that were cut off, given without a model or kept out of memory are none.
    """
    begun_by = chat.completed.continues or chat.pk
    rows = AuditRow.objects.get_queryset().chats().filter(Q(pk=begun_by) | Q(chat=begun_by)).exclude(pk=chat.pk)
    rows = rows.exclude(payload__learn=False).exclude(payload__cut_off=True).exclude(payload__provider=OFFLINE)
    answers = rows.exclude(payload__finish_reason__in=_CALLS_TOOLS).order_by("-id").values_list("pk", "payload__reply")
    own = chat.completed.reply
    return sorted(pk for pk, reply in answers[:_MOST_LOOKED_AT] if reply and not normalising.same_value(reply, own))


def last_answer(begun_by: AuditRow) -> ChatCompleted:
    """A turn by its last whole answer, to the words that were new in its first row, which is given. One query, two
    where another row has it."""
    completed = begun_by.completed
    later = [pk for pk in other_answers(begun_by) if pk > begun_by.pk]
    row = AuditRow.objects.filter(pk=later[-1]).first() if later else None
    return completed if row is None else with_new_words(row.completed, of=completed)


def with_new_words(completed: ChatCompleted, *, of: ChatCompleted) -> ChatCompleted:
    """A later row of a turn, with the words marked as new that were so in its first row (`of`)."""
    here, there = map(_operator_indices, (completed, of))
    moved = dict(zip(reversed(there), reversed(here), strict=False))
    return completed.model_copy(
        update={
            "new_messages": sorted(moved[index] for index in of.new_messages or () if index in moved),
            "heard": [
                span.model_copy(update={"message": moved[span.message]}) for span in of.heard if span.message in moved
            ],
            "earlier": [],
        }
    )


def _operator_indices(completed: ChatCompleted) -> list[int]:
    return [index for index, message in enumerate(completed.messages) if transcript.is_operator(message)]

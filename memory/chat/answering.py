"""One turn from the operator's message to the recorded chat, readable top to bottom."""

from collections.abc import Callable
from dataclasses import dataclass

from django.db import transaction

from memory import llm
from memory.chat.context import Context, compose, served_rows
from memory.chat.recording import Recorded, record, record_failure
from memory.chat.turn import Reply, Turn


@dataclass(frozen=True)
class Answered:
    """A turn that was answered."""

    context: Context
    completion: llm.Completion
    recorded: Recorded


def answer(
    turn: Turn,
    *,
    model: str | None = None,
    max_tokens: int | None = None,
    beside: Callable[[Answered], None] | None = None,
) -> Answered:
    """Memory in, model, memory out: one turn.

    The receipt and the chat commit together at its end, and with them what `beside` writes for the turn. A turn that
    got no answer bumps nothing, writes `chat.failed` and raises `llm.LLMError`.
    """
    context = compose(turn)
    try:
        completion = llm.complete(context.messages, task="chat", model=model, max_tokens=max_tokens)
    except llm.LLMError as error:
        record_failure(turn, error, model=model or "")
        raise
    with transaction.atomic():
        recorded = record(turn, Reply.of(completion), served=served_rows(context))
        answered = Answered(context, completion, recorded)
        if beside is not None:
            beside(answered)
    return answered

"""One turn, from the operator's message to the recorded chat. Readable top to bottom (decision 35)."""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from memory import llm
from memory.chat.context import Context, MemoryUse, compose, served_rows, with_memory
from memory.chat.recording import Recorded, record, record_failure
from memory.events import Message


@dataclass(frozen=True)
class Turn:
    """A turn that was answered."""

    context: Context
    completion: llm.Completion
    recorded: Recorded


def answer(
    messages: Sequence[Message],
    *,
    use: MemoryUse,
    now: datetime,
    model: str | None = None,
    max_tokens: int | None = None,
    conversation_id: str | None = None,
    proactive: str = "",
    beside: Callable[[Turn], None] | None = None,
) -> Turn:
    """Memory in, model, memory out: one turn. `conversation_id`: the client's name for the conversation, if any.
    `proactive`: name of the trigger that asks in the operator's place.

    The receipt and the chat commit together at its end, and with them what `beside` writes for the turn. A turn that
    got no answer bumps nothing, writes `chat.failed` and raises `llm.LLMError`.
    """
    context = compose(messages, use=use, now=now, conversation_id=conversation_id)
    try:
        completion = llm.complete(with_memory(messages, context), task="chat", model=model, max_tokens=max_tokens)
    except llm.LLMError as error:
        record_failure(error, model=model or "", conversation_id=conversation_id, proactive=proactive, now=now)
        raise
    decision_id = uuid.uuid4().hex
    with transaction.atomic():
        served = served_rows(context, now=now, decision_id=decision_id)
        recorded = record(
            messages,
            completion.text,
            completion=completion,
            use=use,
            now=now,
            decision_id=decision_id,
            conversation_id=conversation_id,
            proactive=proactive,
            served=served,
        )
        turn = Turn(context, completion, recorded)
        if beside is not None:
            beside(turn)
    return turn

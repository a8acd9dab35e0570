"""One turn, from the operator's message to the recorded chat. Readable top to bottom (DESIGN 4)."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from memory import events, llm
from memory.chat.context import Context, MemoryUse, compose, served_rows, with_memory
from memory.chat.recording import Recorded, record
from memory.events import Message
from memory.models import AuditRow


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
) -> Turn:
    """Memory in, model, memory out: one turn.

    The receipt and the chat commit together at its end. A turn that got no answer bumps nothing, writes
    `chat.failed` and raises `llm.LLMError`.
    """
    context = compose(messages, use=use, now=now)
    try:
        completion = llm.complete(with_memory(messages, context), task="chat", model=model, max_tokens=max_tokens)
    except llm.LLMError as error:
        _record_failure(error, model=model, now=now)
        raise
    decision_id = uuid.uuid4().hex
    with transaction.atomic():
        served = served_rows(context, now=now, decision_id=decision_id)
        recorded = record(
            messages, completion.text, completion=completion, use=use, now=now, decision_id=decision_id, served=served
        )
    return Turn(context, completion, recorded)


def _record_failure(error: llm.LLMError, *, model: str | None, now: datetime) -> None:
    failed = events.ChatFailed(error=str(error), kind=type(error).__name__, provider=error.provider, model=model or "")
    AuditRow.objects.record(failed, now=now, decision_id=uuid.uuid4().hex)

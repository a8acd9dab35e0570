"""Turns that memory keeps out of: the one row that says so, without what was said."""

from memory import events, llm
from memory.chat.recording import PassEntry, Recorded
from memory.chat.turn import MemoryUse, Reply, Turn
from memory.models.transactions import committed

NO_MEMORY = MemoryUse(inject=False, learn=False)


def passed_event(reply: Reply, *, reason: events.PassReason, beginning: str = "") -> events.ChatPassedThrough:
    """The event of a call that was handed on. `beginning`: of a client's task prompt."""
    return events.ChatPassedThrough(
        reason=reason,
        beginning=beginning,
        model=reply.model,
        provider=reply.provider,
        finish_reason=reply.finish_reason,
        usage=reply.usage,
        cut_off=reply.cut_off,
    )


def record_passed(turn: Turn, *, reason: events.PassReason, model: str = "") -> Recorded:
    """Write down that a turn was kept out of memory."""
    return committed(PassEntry(turn, passed_event(Reply("", model=model), reason=reason)).write)


def without_provider_text(error: llm.LLMError) -> llm.LLMError:
    """The error without what the model's server said: that may quote the message, or be the answer."""
    if error.http_status is None and not isinstance(error, llm.BadAnswer):
        return error  # words of ours: nothing was said
    text = (
        f"{error.provider} gave no usable answer (status {error.http_status or 200}). More is not kept: memory was off."
    )
    return type(error)(text, provider=error.provider)

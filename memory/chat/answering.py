"""One turn from the operator's message to the recorded chat, readable top to bottom."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from memory import llm
from memory.chat.context import Context, compose
from memory.chat.finishing import finish, finish_passed
from memory.chat.passing import passed_event, without_provider_text
from memory.chat.recording import Outcome, record_failure
from memory.chat.spool import KeptAnswer
from memory.chat.turn import Reply, Turn


@dataclass(frozen=True)
class Answered:
    """A turn that was answered."""

    context: Context
    completion: llm.Completion
    recorded: Outcome


def answer(
    turn: Turn,
    *,
    model: str | None = None,
    max_tokens: int | None = None,
    beside: Callable[[Answered], None] | None = None,
    later: Callable[[Answered], KeptAnswer | None] | None = None,
) -> Answered:
    """Memory in, model, memory out: one turn.

    The receipt and the chat commit together at its end, and with them what `beside` writes for the turn. Where the
    database cannot take them they are recorded later, with the answer that `later` names. A turn that got no answer
    bumps nothing, writes `chat.failed` and raises `llm.LLMError`. Of a turn that memory keeps out of, one row says only
    that; its answer is not kept for a repeated request either.
    """
    context = compose(turn)
    try:
        completion = llm.complete(context.messages, task="chat", model=model, max_tokens=max_tokens)
    except llm.LLMError as error:
        record_failure(turn, without_provider_text(error) if turn.kept_out else error, model=model or "")
        raise
    answered = partial(Answered, context, completion)
    if turn.kept_out:
        passed = passed_event(Reply.of(completion), reason=turn.kept_out)
        return answered(finish_passed(turn, passed, reply=completion.text))
    recorded = finish(
        turn,
        Reply.of(completion),
        context=context,
        beside=None if beside is None else lambda recorded: beside(answered(recorded)),
        later=None if later is None else lambda recorded: later(answered(recorded)),
    )
    return answered(recorded)

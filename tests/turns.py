"""Turns in one call, for tests that say only what of a turn matters to them."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from memory import chat
from memory.conversation import Conversation
from memory.events import Message, ServedEpisode

IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}


def user(content: object) -> Message:
    return Message.model_validate({"role": "user", "content": content})


def assistant(content: object, **extra: object) -> Message:
    return Message.model_validate({"role": "assistant", "content": content, **extra})


def turn(messages: Sequence[Message], *, now: datetime, conversation_id: str | None = None, **terms: Any) -> chat.Turn:
    """The turn that these messages ask for. `terms`: the other fields of `chat.Turn`, None for what is not given."""
    given = {name: value for name, value in terms.items() if value is not None}
    return chat.Turn(conversation=Conversation(messages, conversation_id), now=now, **given)


def record_turn(
    messages: Sequence[Message], reply: str, *, model: str = "", cut_off: bool = False, **terms: Any
) -> chat.Recorded:
    """The messages and their reply, recorded as a finished turn."""
    return chat.record(turn(messages, **terms), chat.Reply(reply, model=model, cut_off=cut_off))


def compose_turn(messages: Sequence[Message], *, system: str | None = None, **terms: Any) -> chat.Context:
    """What memory would put before these messages."""
    return chat.compose(turn(messages, **terms), system=system)


def answer_turn(
    messages: Sequence[Message],
    *,
    model: str | None = None,
    max_tokens: int | None = None,
    beside: Callable[[chat.Answered], None] | None = None,
    **terms: Any,
) -> chat.Answered:
    """One turn with these messages, answered by whatever model is set."""
    return chat.answer(turn(messages, **terms), model=model, max_tokens=max_tokens, beside=beside)


def served_episode(audit_log_id: int) -> ServedEpisode:
    """An episode as a receipt has it, with numbers that do not matter."""
    return ServedEpisode(
        audit_log_id=audit_log_id,
        summary="s",
        when="today",
        cosine=1.0,
        freshness=1.0,
        recall_weight=1.0,
        score=1.0,
    )

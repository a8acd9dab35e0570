"""Turns: answered here, answered elsewhere with memory from here, or only written down."""

from typing import Annotated, Literal

from ninja import Header, Router, Status
from pydantic import BeforeValidator

from memory import chat
from memory.api.answers import ChatAnswer, ContextAnswer, RecordedAnswer, answers
from memory.api.auth import ApiRequest
from memory.api.bodies import ChatRequest, ContextRequest, FinishedChat, MemoryOptions

router = Router(tags=["Chat"])


def _lowered(value: object) -> object:
    return value.strip().lower() if isinstance(value, str) else value


MemoryHeader = Annotated[Literal["off"] | None, BeforeValidator(_lowered), Header(None, alias="X-Memory")]


def _use(options: MemoryOptions | None, header: str | None) -> chat.MemoryUse:
    """What memory may do: the body's wishes, and neither where the header says off."""
    options = options or MemoryOptions()
    on = header != "off"
    return chat.MemoryUse(inject=on and options.inject is not False, learn=on and options.learn is not False)


@router.post("/chat", response=answers(200, ChatAnswer, 502, 504), summary="One turn")
def answer(request: ApiRequest, turn: ChatRequest, x_memory: MemoryHeader = None) -> ChatAnswer:
    """Memory goes into the prompt, the model answers, the turn is recorded and learned from."""
    answered = chat.answer(
        turn.messages,
        use=_use(turn.memory, x_memory),
        now=request.auth.now,
        model=turn.model or None,
        max_tokens=turn.max_tokens,
    )
    return ChatAnswer.of(answered)


@router.post("/memory/context", response=answers(200, ContextAnswer), summary="Memory for a prompt")
def context(request: ApiRequest, asked: ContextRequest, x_memory: MemoryHeader = None) -> ContextAnswer:
    """For backends that call the model themselves: the system prompt with memory in it, and the receipt's id."""
    now = request.auth.now
    composed = chat.compose(asked.conversation, use=_use(asked.memory, x_memory), now=now, system=asked.system)
    decision_id = None if asked.preview else chat.serve(composed, now=now)
    return ContextAnswer.of(composed, decision_id=decision_id)


@router.post("/memory/chats", response=answers(201, RecordedAnswer), summary="Record a finished turn")
def record(request: ApiRequest, finished: FinishedChat, x_memory: MemoryHeader = None) -> Status[RecordedAnswer]:
    """Writes down a turn that took place elsewhere or earlier, and learns from it."""
    recorded = chat.record(
        finished.messages,
        finished.reply,
        use=_use(finished.memory, x_memory),
        now=request.auth.now,
        decision_id=finished.decision_id,
        model=finished.model or "",
        occurred_at=finished.occurred_at,
    )
    return Status(201, RecordedAnswer(audit_log_id=recorded.audit_log_id, decision_id=recorded.decision_id))

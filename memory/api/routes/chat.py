"""Turns: answered here, answered elsewhere with memory from here, or only written down."""

from typing import Annotated, Literal

from django.db import transaction
from ninja import Header, Router, Status
from pydantic import BeforeValidator, WithJsonSchema

from memory import chat
from memory.api.auth import ApiRequest
from memory.api.capacity import turns
from memory.api.conversation_id import PARAMETER as CONVERSATION_ID
from memory.api.conversation_id import conversation_id
from memory.api.idempotency import PARAMETER as IDEMPOTENCY_KEY
from memory.api.idempotency import claim, keep, once
from memory.api.requests import ChatRequest, ContextRequest, FinishedChat, MemoryOptions
from memory.api.responses import ChatAnswer, ContextAnswer, RecordedAnswer, answers

router = Router(tags=["Chat"])

_HEADERS = {"parameters": [CONVERSATION_ID, IDEMPOTENCY_KEY]}


def _lowered(value: object) -> object:
    return value.strip().lower() if isinstance(value, str) else value


MemoryHeader = Annotated[
    Literal["off"] | None,
    BeforeValidator(_lowered),
    WithJsonSchema({"type": "string", "enum": ["off"]}),
    Header(None, alias="X-Memory"),
]
"""`off`: neither inject nor learn."""


def _use(options: MemoryOptions | None, header: str | None) -> chat.MemoryUse:
    """What memory may do: the body's wishes, and neither where the header says off."""
    options = options or MemoryOptions()
    on = header != "off"
    return chat.MemoryUse(inject=on and options.inject is not False, learn=on and options.learn is not False)


@router.post("/chat", response=answers(200, ChatAnswer, 409, 502, 504), summary="One turn", openapi_extra=_HEADERS)
@once
def answer(request: ApiRequest, turn: ChatRequest, x_memory: MemoryHeader = None) -> ChatAnswer:
    """Memory goes into the prompt, the model answers, the turn is recorded and learned from."""
    claim(request)
    with turns.one():
        answered = chat.answer(
            turn.messages,
            use=_use(turn.memory, x_memory),
            now=request.auth.now,
            model=turn.model or None,
            max_tokens=turn.max_tokens,
            conversation_id=conversation_id(request),
            beside=lambda answered: keep(request, ChatAnswer.of(answered), status=200),
        )
    return ChatAnswer.of(answered)


@router.post(
    "/memory/context", response=answers(200, ContextAnswer, 409), summary="Memory for a prompt", openapi_extra=_HEADERS
)
@once
def context(request: ApiRequest, asked: ContextRequest, x_memory: MemoryHeader = None) -> ContextAnswer:
    """For backends that call the model themselves: the system prompt with memory in it, and the receipt's id."""
    now = request.auth.now
    composed = chat.compose(
        asked.conversation,
        use=_use(asked.memory, x_memory),
        now=now,
        system=asked.system,
        conversation_id=conversation_id(request),
    )
    if asked.preview:
        return ContextAnswer.of(composed, decision_id=None)
    with transaction.atomic():
        answer = ContextAnswer.of(composed, decision_id=chat.serve(composed, now=now))
        keep(request, answer, status=200)
    return answer


@router.post(
    "/memory/chats",
    response=answers(201, RecordedAnswer, 409),
    summary="Record a finished turn",
    openapi_extra=_HEADERS,
)
@once
def record(request: ApiRequest, finished: FinishedChat, x_memory: MemoryHeader = None) -> Status[RecordedAnswer]:
    """Writes down a turn that took place elsewhere or earlier, and learns from it."""
    with transaction.atomic():
        recorded = chat.record(
            finished.messages,
            finished.reply,
            use=_use(finished.memory, x_memory),
            now=request.auth.now,
            decision_id=finished.decision_id,
            model=finished.model or "",
            occurred_at=finished.occurred_at,
            conversation_id=conversation_id(request),
        )
        answer = RecordedAnswer(audit_log_id=recorded.audit_log_id, decision_id=recorded.decision_id)
        keep(request, answer, status=201)
    return Status(201, answer)

"""Turns: answered here, answered elsewhere with memory from here, or only written down."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Literal

from django.http import HttpResponse
from ninja import Header, Router, Status
from pydantic import BeforeValidator, WithJsonSchema

from memory import chat
from memory.api.auth import ApiRequest, BearerKey
from memory.api.capacity import turn_limiter
from memory.api.conversation_id import PARAMETER as CONVERSATION_ID
from memory.api.conversation_id import conversation_id
from memory.api.idempotency import PARAMETER as IDEMPOTENCY_KEY
from memory.api.idempotency import answer_for_later, claim_key, idempotent, keep_answer
from memory.api.people import Task, TaskHeader, kept_out_reason, lowered
from memory.api.requests import ChatRequest, ContextRequest, FinishedChat, MemoryOptions, refuse_blank_question
from memory.api.responses import ChatAnswer, ContextAnswer, RecordedAnswer, answers, note_recorded
from memory.conversation import Conversation
from memory.events import Message

router = Router(tags=["Chat"], auth=BearerKey("record"))

_HEADERS = {"parameters": [CONVERSATION_ID, IDEMPOTENCY_KEY]}


MemoryHeader = Annotated[
    Literal["off"] | None,
    BeforeValidator(lowered),
    WithJsonSchema({"type": "string", "enum": ["off"]}),
    Header(None, alias="X-Memory"),
]
"""`off`: neither inject nor learn."""


def _use(options: MemoryOptions | None, header: str | None) -> chat.MemoryUse:
    """What memory may do: the body's wishes, and neither where the header says off."""
    options = options or MemoryOptions()
    on = header != "off"
    return chat.MemoryUse(inject=on and options.inject is not False, learn=on and options.learn is not False)


def _turn(
    request: ApiRequest,
    messages: Sequence[Message],
    use: chat.MemoryUse,
    task: Task | None,
    *,
    asks: bool = True,
    is_preview: bool = False,
) -> chat.Turn:
    """The turn that a request asks for. `asks`: a model will be asked; then blank messages are refused (422)."""
    if asks:
        refuse_blank_question(messages)
    kept_out = kept_out_reason(request, task, is_preview=is_preview)
    return chat.Turn(
        conversation=Conversation(messages, conversation_id(request)),
        use=chat.NO_MEMORY if kept_out else use,
        kept_out=kept_out,
        now=request.auth.now,
    )


@router.post(
    "/chat",
    response=answers(200, ChatAnswer, 409, 502, 504),
    summary="One turn",
    auth=BearerKey("record", takes_tokens=True),
    openapi_extra=_HEADERS,
)
@idempotent
def answer(
    request: ApiRequest,
    turn: ChatRequest,
    response: HttpResponse,
    x_memory: MemoryHeader = None,
    x_memory_task: TaskHeader = None,
) -> ChatAnswer:
    """Memory goes into the prompt, the model answers, the turn is recorded and learned from.

    Where the database cannot take the turn, the answer comes all the same, with `X-Memory-Recorded: later` and
    `audit_log_id: null`; `no` where the turn is lost to memory.
    """
    asked = _turn(request, turn.messages, _use(turn.memory, x_memory), x_memory_task)
    if not asked.kept_out:
        claim_key(request)
    with turn_limiter.slot():
        answered = chat.answer(
            asked,
            model=turn.model or None,
            max_tokens=turn.max_tokens,
            beside=lambda answered: keep_answer(request, ChatAnswer.of(answered), status=200),
            later=lambda answered: answer_for_later(request, ChatAnswer.of(answered), status=200),
        )
    note_recorded(response, answered.recorded)
    return ChatAnswer.of(answered)


@router.post(
    "/memory/context", response=answers(200, ContextAnswer, 409), summary="Memory for a prompt", openapi_extra=_HEADERS
)
@idempotent
def context(
    request: ApiRequest, asked: ContextRequest, x_memory: MemoryHeader = None, x_memory_task: TaskHeader = None
) -> ContextAnswer:
    """For backends that call the model themselves: the system prompt with memory in it, and the receipt's id."""
    use = _use(asked.memory, x_memory)
    turn = _turn(request, asked.conversation, use, x_memory_task, is_preview=bool(asked.preview))
    composed = chat.compose(turn, system=asked.system)
    if asked.preview:
        return ContextAnswer.of(composed, is_preview=True)
    answer = ContextAnswer.of(composed)
    if turn.kept_out:
        chat.record_passed(turn, reason=turn.kept_out)
        return answer
    chat.serve(composed, beside=lambda: keep_answer(request, answer, status=200))
    return answer


@router.post(
    "/memory/chats",
    response=answers(201, RecordedAnswer, 409),
    summary="Record a finished turn",
    openapi_extra=_HEADERS,
)
@idempotent
def record(
    request: ApiRequest, finished: FinishedChat, x_memory: MemoryHeader = None, x_memory_task: TaskHeader = None
) -> Status[RecordedAnswer]:
    """Writes down a turn that took place elsewhere or earlier, and learns from it."""
    turn = _turn(request, finished.messages, _use(finished.memory, x_memory), x_memory_task, asks=False)
    if turn.kept_out:
        passed = chat.record_passed(turn, reason=turn.kept_out, model=finished.model or "")
        return Status(201, RecordedAnswer.of(passed))
    turn = replace(turn, occurred_at=finished.occurred_at, decision_id=finished.decision_id or turn.decision_id)
    recorded = chat.record(
        turn,
        chat.Reply(finished.reply, model=finished.model or ""),
        beside=lambda recorded: keep_answer(request, RecordedAnswer.of(recorded), status=201),
    )
    return Status(201, RecordedAnswer.of(recorded))

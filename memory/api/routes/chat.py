"""Turns: answered here, answered elsewhere with memory from here, or only written down."""

from dataclasses import replace

from django.http import HttpResponse
from ninja import Router, Status

from memory import chat
from memory.api.auth import ApiRequest, BearerKey
from memory.api.capacity import turn_limiter
from memory.api.conversation_id import PARAMETER as CONVERSATION_ID
from memory.api.idempotency import PARAMETER as IDEMPOTENCY_KEY
from memory.api.idempotency import answer_for_later, claim_key, idempotent, keep_answer
from memory.api.people import TaskHeader
from memory.api.requests import ChatRequest, ContextRequest, FinishedChat, refuse_blank_question
from memory.api.responses import ChatAnswer, ContextAnswer, RecordedAnswer, answers, note_recorded
from memory.api.turns import MemoryHeader, memory_use, turn_of

router = Router(tags=["Chat"], auth=BearerKey("record"))

_HEADERS = {"parameters": [CONVERSATION_ID, IDEMPOTENCY_KEY]}


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
    refuse_blank_question(turn.messages)
    asked = turn_of(request, turn.messages, use=memory_use(x_memory, turn.memory), task=x_memory_task)
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
    refuse_blank_question(asked.conversation)
    use = memory_use(x_memory, asked.memory)
    turn = turn_of(request, asked.conversation, use=use, task=x_memory_task, is_preview=bool(asked.preview))
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
    turn = turn_of(request, finished.messages, use=memory_use(x_memory, finished.memory), task=x_memory_task)
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

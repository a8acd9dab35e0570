"""Anthropic's Messages API, for clients that take nothing but an address and a key."""

from collections.abc import Mapping

from django.http import HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from ninja import Router
from pydantic import BaseModel, JsonValue, RootModel

from memory import chat, llm
from memory.api.anthropic.answers import as_message
from memory.api.anthropic.conversation import Block, messages_of
from memory.api.anthropic.events import NativeEvents, TranslatedEvents
from memory.api.anthropic.requests import CountRequest, MessagesRequest
from memory.api.anthropic.token_estimate import estimated_tokens
from memory.api.anthropic.translation import completion_body
from memory.api.auth import ApiRequest, BearerKey
from memory.api.capacity import turn_limiter
from memory.api.conversation_id import PARAMETER
from memory.api.errors import request_id, with_upstream_status
from memory.api.event_stream import Encoding
from memory.api.parsing import body_json
from memory.api.people import TaskHeader
from memory.api.refusals import ANTHROPIC_VERSION
from memory.api.requests import refuse_blank_question
from memory.api.turns import OR_STREAMED, MemoryHeader, answer_to, memory_use, turn_of
from memory.chat import relay
from memory.events import Message

router = Router(tags=["Chat clients"], auth=BearerKey("record"))


class AnthropicObject(RootModel[dict[str, JsonValue]]):
    """An object in Anthropic's shape, as their documentation describes it."""


class TokenCount(BaseModel):
    """How many tokens a request has, memory counted."""

    input_tokens: int


class AnthropicErrorDetail(BaseModel):
    """`type` is the case, `message` names the cure."""

    type: str
    message: str


class AnthropicError(BaseModel):
    """Every refusal to a client of Anthropic's API."""

    type: str
    error: AnthropicErrorDetail
    request_id: str


_FAILURES = (400, 401, 402, 403, 404, 408, 409, 413, 415, 429, 500, 502, 503, 504, 507, 529)


def _answers(answer: type[BaseModel]) -> Mapping[int, type[BaseModel]]:
    return {200: answer} | dict.fromkeys(_FAILURES, AnthropicError)


@router.post(
    "/messages",
    response=_answers(AnthropicObject),
    summary="A turn in Anthropic's shape",
    auth=BearerKey("record", takes_tokens=True),
    openapi_extra=OR_STREAMED,
)
def create(
    request: ApiRequest, asked: MessagesRequest, x_memory: MemoryHeader = None, x_memory_task: TaskHeader = None
) -> HttpResponseBase:
    """As `/v1/chat/completions`, in the shape of Anthropic's Messages API, with errors in theirs, too.

    To Anthropic it goes out as it was sent, with memory behind the cache breakpoints there are; for other providers it
    is translated, and what they cannot do is refused.
    """
    refuse_blank_question(asked.messages)
    turn = _turn(request, asked, x_memory, x_memory_task)
    call = _call(request, asked, turn, is_conversation=x_memory_task == "chat")
    encoding = _encoding(call, request) if asked.stream else None
    return answer_to(call, request, encoding=encoding, written=lambda answer: _written(answer, call, request))


def _turn(
    request: ApiRequest, asked: CountRequest, x_memory: MemoryHeader, task: TaskHeader, *, is_preview: bool = False
) -> chat.Turn:
    messages = messages_of(asked.system, asked.messages)
    use = memory_use(x_memory)
    return turn_of(request, messages, use=use, task=task, metadata=asked.metadata, is_preview=is_preview)


def _call(request: ApiRequest, asked: MessagesRequest, turn: chat.Turn, *, is_conversation: bool) -> relay.Call:
    """The call as its provider takes it. Raises the refusal of what it cannot do."""
    if llm.speaks_messages():
        return relay.Call(_body(request), turn, is_conversation=is_conversation, native=_native(request))
    fields = {"provider": llm.provider_of_chats(), "limit_field": llm.limit_field()}
    body = completion_body(_body(request), asked.messages, **fields)
    return relay.Call(body, turn, is_conversation=is_conversation)


def _body(request: ApiRequest) -> Block:
    body = body_json(request)
    return body if isinstance(body, dict) else {}


def _native(request: ApiRequest) -> llm.NativeMessages:
    headers = request.headers
    version, betas = headers.get(ANTHROPIC_VERSION, ""), headers.get("anthropic-beta", "")
    return llm.NativeMessages(llm.ClientHeaders(version, betas, is_beta=request.GET.get("beta") == "true"))


def _encoding(call: relay.Call, request: ApiRequest) -> Encoding:
    if call.native is not None:
        return NativeEvents(request_id(request))
    return TranslatedEvents(request_id(request), with_thinking=_wants_thinking(request))


def _written(answer: Block, call: relay.Call, request: ApiRequest) -> Block:
    return answer if call.native is not None else as_message(answer, with_thinking=_wants_thinking(request))


def _wants_thinking(request: ApiRequest) -> bool:
    thinking = _body(request).get("thinking")
    return isinstance(thinking, dict) and thinking.get("type") in ("enabled", "adaptive")


@router.post(
    "/messages/count_tokens",
    response=_answers(TokenCount),
    summary="Tokens of a request",
    openapi_extra={"parameters": [PARAMETER]},
)
def count_tokens(
    request: ApiRequest, asked: CountRequest, x_memory: MemoryHeader = None, x_memory_task: TaskHeader = None
) -> HttpResponse:
    """How many tokens `/v1/messages` would send for this, memory counted. Nothing is written.

    Anthropic counts them itself. For other providers it is an estimate: three bytes a token, 1,500 a picture.
    """
    turn = _turn(request, asked, x_memory, x_memory_task, is_preview=True)
    native = _native(request) if llm.speaks_messages() else None
    call = relay.Call(_body(request), turn, is_conversation=x_memory_task == "chat", native=native)
    with turn_limiter.slot():
        body = relay.body_of(call)
        if native is None:
            sent = body.get("messages")
            messages = [Message.model_validate(one) for one in sent] if isinstance(sent, list) else []
            return JsonResponse({"input_tokens": estimated_tokens(messages, body.get("tools"))})
        try:
            return JsonResponse(native.count_tokens(body))
        except llm.LLMError as error:
            raise with_upstream_status(error) from error

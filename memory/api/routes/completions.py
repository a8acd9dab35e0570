"""OpenAI's chat completions, for chat clients that take nothing but an address and a key."""

import logging
from collections.abc import Iterator
from typing import Annotated

from django.http import HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from ninja import Router
from pydantic import ConfigDict, Field, JsonValue

from memory import events, llm
from memory.api.anthropic.model_list import model_entry, model_page
from memory.api.auth import ApiRequest, BearerKey
from memory.api.capacity import turn_limiter
from memory.api.errors import ApiError
from memory.api.event_stream import event
from memory.api.people import TaskHeader
from memory.api.refusals import speaks_anthropic
from memory.api.requests import EXAMPLE_MESSAGE, Body, Bounded, Content, example, refuse_blank_question
from memory.api.turns import CLIENT_ANSWERS, OR_STREAMED, MemoryHeader, answer_to, memory_use, turn_of
from memory.chat import relay

logger = logging.getLogger(__name__)

router = Router(tags=["Chat clients"], auth=BearerKey("record"))


class ClientMessage(events.Message):
    """One message in OpenAI's shape. Everything in it is handed on as it was sent."""

    role: Annotated[str, Field(min_length=1, max_length=64)]
    content: Content = None


class CompletionRequest(Body):
    """A chat completion in OpenAI's shape. Fields that are not named here are handed on."""

    model_config = ConfigDict(
        extra="allow", json_schema_extra=example({"model": "caesar", "messages": [EXAMPLE_MESSAGE]})
    )

    messages: Annotated[list[ClientMessage], Field(min_length=1), Bounded]
    model: Annotated[str, Field(max_length=256)] | None = None
    """Model to ask; `caesar`, or none, for the configured one."""
    stream: bool | None = None
    """Give the answer chunk by chunk, as server-sent events."""
    metadata: JsonValue = None
    """Among its fields the client's name for the conversation: `conversation_id`, `chat_id`, ..."""


@router.post(
    "/chat/completions",
    response=CLIENT_ANSWERS,
    summary="A chat client's turn",
    auth=BearerKey("record", takes_tokens=True),
    openapi_extra=OR_STREAMED,
)
def complete(
    request: ApiRequest, asked: CompletionRequest, x_memory: MemoryHeader = None, x_memory_task: TaskHeader = None
) -> HttpResponseBase:
    """Memory goes into the system message, the model's answer is handed on as it comes, the turn is recorded.

    Handed on untouched are a client's own errands (titles, tags, search queries), calls with `X-Memory: off` or
    `X-Memory-Task: errand`, temporary chats, and other people than the operator.
    """
    refuse_blank_question(asked.messages)
    turn = turn_of(request, asked.messages, use=memory_use(x_memory), task=x_memory_task, metadata=asked.metadata)
    call = relay.Call(asked.model_dump(exclude_unset=True), turn, is_conversation=x_memory_task == "chat")
    return answer_to(call, request, encoding=_Chunks() if asked.stream else None, written=lambda answer: answer)


class _Chunks:
    """`data: {...}` for each chunk, and `data: [DONE]`; or an error as the last of them."""

    def chunk(self, chunk: dict[str, JsonValue]) -> Iterator[bytes]:
        """The chunk as it is."""
        yield event(chunk)

    def error(self, error: ApiError) -> Iterator[bytes]:
        """The envelope in place of a chunk."""
        yield event(error.body)

    def end(self) -> Iterator[bytes]:
        """What clients wait for."""
        yield b"data: [DONE]\n\n"


# --- models ---------------------------------------------------------------------------------------------------------


@router.get("/models", response=CLIENT_ANSWERS, summary="Models")
def models(request: ApiRequest) -> HttpResponse:
    """The models a client may ask for: `caesar` for the configured one, and those of its provider.

    In Anthropic's shape, a page at a time, where the header `anthropic-version` says that the client reads that.
    """
    if speaks_anthropic(request):
        after, before, limit = (request.GET.get(name, "") for name in ("after_id", "before_id", "limit"))
        return JsonResponse(model_page(_names(), after=after, before=before, limit=limit))
    return JsonResponse({"object": "list", "data": [_model(name) for name in _names()]})


@router.get("/models/{path:name}", response=CLIENT_ANSWERS, summary="One model")
def model(request: ApiRequest, name: str) -> HttpResponse:
    """One of them. 404 where the provider does not list it."""
    if name not in _names():
        message = f"There is no model {name[:200]}. GET /v1/models lists them."
        raise ApiError(404, message, code="model_not_found", param="model")
    return JsonResponse(model_entry(name) if speaks_anthropic(request) else _model(name))


def _names() -> list[str]:
    """`caesar`, and what the provider offers. Without the latter where its server cannot say: the turn may still work.

    Raises `llm.LLMError` where no turn can be had at all.
    """
    configured = llm.route_for("chat").model
    try:
        with turn_limiter.slot():  # it waits for the provider as a turn does
            offered = llm.list_models("chat")
    except llm.LLMError as error:
        logger.warning("No list of models: %s", error)
        offered = []
    return list(dict.fromkeys([relay.OWN_MODEL, *filter(None, [configured]), *offered]))


def _model(name: str) -> dict[str, JsonValue]:
    return {"id": name, "object": "model", "created": 0, "owned_by": "caesar"}

"""OpenAI's chat completions, for chat clients that take nothing but an address and a key."""

import json
import logging
from collections.abc import Iterator
from typing import Annotated

from django.db import DatabaseError
from django.http import HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from ninja import Router
from pydantic import ConfigDict, Field, JsonValue, RootModel

from memory import chat, events, llm
from memory.api.auth import ApiRequest, BearerKey
from memory.api.capacity import limit_write_wait, turn_limiter
from memory.api.conversation_id import PARAMETER, conversation_id
from memory.api.errors import ApiError, as_api_error, request_id
from memory.api.people import TaskHeader, kept_out_reason
from memory.api.requests import EXAMPLE_MESSAGE, Body, Bounded, Content, example, refuse_blank_question
from memory.api.responses import RECORDED, answers, note_recorded
from memory.api.routes.chat import MemoryHeader
from memory.chat import relay
from memory.conversation import Conversation

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


class OpenAIObject(RootModel[dict[str, JsonValue]]):
    """An object in OpenAI's shape, as their documentation describes it."""


_EVENTS: dict[str, JsonValue] = {"text/event-stream": {}}
_ANSWERS = answers(200, OpenAIObject, 402, 403, 404, 409, 429, 502, 504)


@router.post(
    "/chat/completions",
    response=_ANSWERS,
    summary="A chat client's turn",
    auth=BearerKey("record", takes_tokens=True),
    openapi_extra={"parameters": [PARAMETER], "responses": {200: {"content": _EVENTS}}},
)
def complete(
    request: ApiRequest, asked: CompletionRequest, x_memory: MemoryHeader = None, x_memory_task: TaskHeader = None
) -> HttpResponseBase:
    """Memory goes into the system message, the model's answer is handed on as it comes, the turn is recorded.

    Handed on untouched are a client's own errands (titles, tags, search queries), calls with `X-Memory: off` or
    `X-Memory-Task: errand`, temporary chats, and other people than the operator.
    """
    refuse_blank_question(asked.messages)
    kept_out = kept_out_reason(request, x_memory_task)
    turn = chat.Turn(
        conversation=Conversation(asked.messages, conversation_id(request, asked.metadata)),
        use=chat.NO_MEMORY if kept_out or x_memory == "off" else chat.MemoryUse(),
        kept_out=kept_out,
        now=request.auth.now,
    )
    call = relay.Call(asked.model_dump(exclude_unset=True), turn, is_conversation=x_memory_task == "chat")
    try:
        response = _streamed(call, request) if asked.stream else _answered_at_once(call)
    except llm.LLMError as error:
        raise with_upstream_status(error) from error
    response.headers["X-Decision-Id"] = turn.decision_id
    return response


def _answered_at_once(call: relay.Call) -> HttpResponse:
    with turn_limiter.slot():
        completed = relay.complete(call)
    response = HttpResponse(_ascii_json(completed.answer), content_type="application/json")
    note_recorded(response, completed.recorded)
    return response


def with_upstream_status(error: llm.LLMError) -> ApiError:
    """A provider's failure with the status the provider gave, which is what clients go by; ours where it gave none."""
    answer = as_api_error(error)
    if error.http_status is not None and 400 <= error.http_status <= 599:
        answer.status = error.http_status
    return answer


def _ascii_json(value: dict[str, JsonValue]) -> str:
    """As JSON, in ASCII: a chunk may end between the halves of a surrogate pair, which nothing else can write.

    Some servers write NaN and Infinity, which are no JSON and stop a client from reading the rest: null.
    """
    try:
        return json.dumps(value, separators=(",", ":"), allow_nan=False)
    except ValueError:
        finite = json.loads(json.dumps(value), parse_constant=lambda name: None)
        return json.dumps(finite, separators=(",", ":"))


# --- streams --------------------------------------------------------------------------------------------------------


def _streamed(call: relay.Call, request: ApiRequest) -> StreamingHttpResponse:
    """The answer as server-sent events. The first chunk is there by now: what goes wrong before it has its status."""
    limit_write_wait(request)
    turn_limiter.acquire()
    try:
        stream = relay.stream(call)
    except BaseException:
        turn_limiter.release()
        raise
    response = StreamingHttpResponse(_EventStream(stream, request), content_type="text/event-stream")
    response.headers["Cache-Control"] = "no-cache"
    response.headers["X-Accel-Buffering"] = "no"  # or nginx would hold the chunks back
    return response


class _EventStream:
    """A stream's events. The server closes it when it is sent or when the client has gone."""

    def __init__(self, stream: relay.Stream, request: ApiRequest) -> None:
        self._stream, self._request = stream, request
        self._is_closed = False

    def __iter__(self) -> Iterator[bytes]:
        """`data: {...}` for each chunk and `data: [DONE]`, or an error as the last of them."""
        try:
            for chunk in self._stream:
                yield _event(chunk)
        except llm.LLMError as error:
            yield _event(with_upstream_status(error).body)
        except DatabaseError as error:
            # The status is sent: the stream itself has to say that something went wrong.
            logger.exception("Request %s failed in its stream", request_id(self._request))
            yield _event(as_api_error(error).body)
        else:
            yield from self._said_of_recording()
            yield b"data: [DONE]\n\n"

    def _said_of_recording(self) -> Iterator[bytes]:
        """A comment where the turn is not on record: the headers are sent, and clients pass over comments."""
        recorded = self._stream.recorded
        if recorded is not None and recorded.when != "now":
            yield f": {RECORDED}: {recorded.when}\n\n".encode()

    def close(self) -> None:
        """Write the turn down where the client hung up, and let the thread go."""
        if not self._is_closed:
            self._is_closed = True
            turn_limiter.release()
            self._stream.close()


def _event(value: dict[str, JsonValue]) -> bytes:
    return f"data: {_ascii_json(value)}\n\n".encode()


# --- models ---------------------------------------------------------------------------------------------------------


@router.get("/models", response=_ANSWERS, summary="Models")
def models(request: ApiRequest) -> HttpResponse:
    """The models a client may ask for: `caesar` for the configured one, and those of its provider."""
    return JsonResponse({"object": "list", "data": [_model(name) for name in _names()]})


@router.get("/models/{path:name}", response=_ANSWERS, summary="One model")
def model(request: ApiRequest, name: str) -> HttpResponse:
    """One of them. 404 where the provider does not list it."""
    if name not in _names():
        message = f"There is no model {name[:200]}. GET /v1/models lists them."
        raise ApiError(404, message, code="model_not_found", param="model")
    return JsonResponse(_model(name))


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

"""From a request to the turn it asks for, and from the answer of its model to ours: the same for every API."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Final, Literal

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from ninja import Header
from pydantic import BeforeValidator, JsonValue, RootModel, WithJsonSchema

from memory import chat, llm
from memory.api.auth import ApiRequest
from memory.api.capacity import turn_limiter
from memory.api.conversation_id import PARAMETER, conversation_id
from memory.api.errors import with_upstream_status
from memory.api.event_stream import Encoding, ascii_json, streamed
from memory.api.people import Task, kept_out_reason, lowered
from memory.api.requests import MemoryOptions
from memory.api.responses import answers, note_recorded
from memory.chat import relay
from memory.conversation import Conversation
from memory.events import Message

MemoryHeader = Annotated[
    Literal["off"] | None,
    BeforeValidator(lowered),
    WithJsonSchema({"type": "string", "enum": ["off"]}),
    Header(None, alias="X-Memory"),
]
"""`off`: neither inject nor learn."""


class OpenAIObject(RootModel[dict[str, JsonValue]]):
    """An object in OpenAI's shape, as their documentation describes it."""


CLIENT_ANSWERS = answers(200, OpenAIObject, 402, 403, 404, 409, 429, 502, 504)
"""What a call of a chat client's may answer with."""
OR_STREAMED: Final[dict[str, Any]] = {
    "parameters": [PARAMETER],
    "responses": {200: {"content": {"text/event-stream": {}}}},
}
"""What the OpenAPI document says beside that of a turn that may be streamed."""


def memory_use(header: str | None, options: MemoryOptions | None = None) -> chat.MemoryUse:
    """What memory may do: the body's wishes, and neither where the header says off."""
    options = options or MemoryOptions()
    on = header != "off"
    return chat.MemoryUse(inject=on and options.inject is not False, learn=on and options.learn is not False)


def turn_of(
    request: ApiRequest,
    messages: Sequence[Message],
    *,
    use: chat.MemoryUse,
    task: Task | None,
    metadata: JsonValue = None,
    is_preview: bool = False,
) -> chat.Turn:
    """The turn that a request asks for. `metadata`: of its body, where a client may name the conversation."""
    kept_out = kept_out_reason(request, task, is_preview=is_preview)
    return chat.Turn(
        conversation=Conversation(messages, conversation_id(request, metadata)),
        use=chat.NO_MEMORY if kept_out else use,
        kept_out=kept_out,
        now=request.auth.now,
    )


Written = Callable[[dict[str, JsonValue]], dict[str, JsonValue]]
"""How an API writes an answer that came as a `chat.completion`."""


def answer_to(
    call: relay.Call, request: ApiRequest, *, encoding: Encoding | None, written: Written
) -> HttpResponseBase:
    """The model's answer to a client's call: in the events of `encoding`, or whole where that is None.

    Raises `ApiError` with the provider's own status where it failed before anything was sent.
    """
    try:
        response = streamed(call, request, encoding) if encoding else _whole(call, written)
    except llm.LLMError as error:
        raise with_upstream_status(error) from error
    response.headers["X-Decision-Id"] = call.turn.decision_id
    return response


def _whole(call: relay.Call, written: Written) -> HttpResponse:
    with turn_limiter.slot():
        completed = relay.complete(call)
    response = HttpResponse(ascii_json(written(completed.answer)), content_type="application/json")
    note_recorded(response, completed.recorded)
    return response

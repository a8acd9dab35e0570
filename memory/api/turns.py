"""From a request to the turn it asks for: its conversation, what memory may do with it, why memory keeps out."""

from collections.abc import Sequence
from typing import Annotated, Literal

from ninja import Header
from pydantic import BeforeValidator, JsonValue, WithJsonSchema

from memory import chat
from memory.api.auth import ApiRequest
from memory.api.conversation_id import conversation_id
from memory.api.people import Task, kept_out_reason, lowered
from memory.api.requests import MemoryOptions
from memory.conversation import Conversation
from memory.events import Message

MemoryHeader = Annotated[
    Literal["off"] | None,
    BeforeValidator(lowered),
    WithJsonSchema({"type": "string", "enum": ["off"]}),
    Header(None, alias="X-Memory"),
]
"""`off`: neither inject nor learn."""


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

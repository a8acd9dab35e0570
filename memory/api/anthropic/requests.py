"""What a request in Anthropic's shape may hold. Fields that are not named here are handed on."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Discriminator, Field, JsonValue, Tag

from memory import events
from memory.api.errors import UNION_TAG_PREFIX
from memory.api.requests import EXAMPLE_MESSAGE, Body, Bounded, example


def _content_kind(content: object) -> str | None:
    """Which kind of content this is, by its JSON type."""
    if isinstance(content, str):
        return UNION_TAG_PREFIX + "text"
    return UNION_TAG_PREFIX + "blocks" if isinstance(content, list) else None


Blocks = Annotated[
    Annotated[str, Tag(UNION_TAG_PREFIX + "text")]
    | Annotated[list[dict[str, JsonValue]], Tag(UNION_TAG_PREFIX + "blocks")],
    Discriminator(
        _content_kind, custom_error_type="content", custom_error_message="must be text or a list of blocks (objects)"
    ),
]


class AnthropicMessage(events.Message):
    """One message: `content` is text or a list of blocks."""

    role: Literal["user", "assistant", "system"]
    content: Blocks


class CountRequest(Body):
    """A request whose tokens are to be counted."""

    model_config = ConfigDict(
        extra="allow", json_schema_extra=example({"model": "caesar", "messages": [EXAMPLE_MESSAGE]})
    )

    messages: Annotated[list[AnthropicMessage], Field(min_length=1), Bounded]
    model: Annotated[str, Field(max_length=256)] | None = None
    """Model to ask; `caesar`, or none, for the configured one."""
    system: Blocks | None = None
    """Operator prompt. Memory stands beside it, or behind the cache breakpoints there are."""
    metadata: JsonValue = None
    """Among its fields `user_id`: who asks, and in Claude Code's form the conversation, too."""


class MessagesRequest(CountRequest):
    """A turn in Anthropic's shape."""

    model_config = ConfigDict(
        json_schema_extra=example({"model": "caesar", "max_tokens": 1024, "messages": [EXAMPLE_MESSAGE]})
    )

    max_tokens: Annotated[int, Field(ge=0, le=1_000_000)] | None = None
    """Longest answer, in tokens."""
    stream: bool | None = None
    """Give the answer event by event, as server-sent events."""

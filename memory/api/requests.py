"""What a request may hold. Unknown fields are ignored, wrong types are not."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Literal, Self

from django.conf import settings
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    JsonValue,
    Tag,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from memory import events, transcript
from memory.api.errors import UNION_TAG_PREFIX, invalid
from memory.text.lines import encodable, one_line

_RFC_3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)", re.ASCII)
_EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
_LARGEST_ID = 2**63 - 1

JsonObject = dict[str, JsonValue]


def invalid_value(predicate: str) -> PydanticCustomError:
    """A refusal of a value; `predicate` goes on after the value's name: "must be ..."."""
    return PydanticCustomError("refused", "{predicate}", {"predicate": predicate})


def _moment(value: object) -> object:
    """RFC 3339 with an offset, as an aware time in UTC. None stays None."""
    if value is None:
        return None
    if not isinstance(value, str) or not _RFC_3339.fullmatch(value):
        raise invalid_value("must be a time with its offset, such as 2026-05-20T09:00:00+02:00 (RFC 3339)")
    try:
        moment = datetime.fromisoformat(value.upper()).astimezone(UTC)
    except (ValueError, OverflowError):
        raise invalid_value("is no time that exists") from None
    if moment < _EARLIEST:
        raise invalid_value("must not lie before 1970")
    return moment


Moment = Annotated[datetime | None, BeforeValidator(_moment)]

Role = Literal["system", "developer", "user", "assistant", "tool"]


def _content_kind(content: object) -> str | None:
    """Which kind of content this is, by its JSON type."""
    if isinstance(content, str):
        return UNION_TAG_PREFIX + "text"
    if isinstance(content, list):
        return UNION_TAG_PREFIX + "parts"
    return UNION_TAG_PREFIX + "nothing" if content is None else None


Content = Annotated[
    Annotated[str, Tag(UNION_TAG_PREFIX + "text")]
    | Annotated[list[dict[str, JsonValue]], Tag(UNION_TAG_PREFIX + "parts")]
    | Annotated[None, Tag(UNION_TAG_PREFIX + "nothing")],
    Discriminator(
        _content_kind, custom_error_type="content", custom_error_message="must be text or a list of parts (objects)"
    ),
]


_ONLY_ASSISTANT_WITHOUT_CONTENT: JsonObject = {
    "anyOf": [
        {"properties": {"role": {"const": "assistant"}}},
        {"properties": {"content": {"type": ["string", "array"]}}, "required": ["content"]},
    ]
}


class IncomingMessage(events.Message):
    """One message: `content` is text or a list of parts; the assistant's may be null. Other fields are passed on."""

    model_config = ConfigDict(json_schema_extra=_ONLY_ASSISTANT_WITHOUT_CONTENT)

    role: Role
    content: Content = Field(default=None, validate_default=True)

    @field_validator("role")
    @classmethod
    def _one_name_for_system(cls, role: Role) -> Role:
        return "system" if role == "developer" else role

    @field_validator("content")
    @classmethod
    def _only_the_assistant_without_content(cls, content: Content, info: ValidationInfo) -> Content:
        if content is None and info.data.get("role", "assistant") != "assistant":
            raise invalid_value("must be text or a list of parts; only the assistant's may be null")
        return content


def _integral(value: object) -> object:
    """A number without a fraction as the whole number that JSON takes it for."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Whole = BeforeValidator(_integral)
"""Takes 16.0 for 16, as JSON does."""


def _require_operator(messages: list[IncomingMessage]) -> list[IncomingMessage]:
    if not any(message.role == "user" for message in messages):
        raise invalid_value("must hold at least one message with the role user")
    return messages


def _bounded(messages: object) -> object:
    """The list as it is. Looked at before its messages are, and no `maxItems` of the document: tests would fill it."""
    most = settings.CAESAR.api.max_messages
    if isinstance(messages, list) and len(messages) > most:
        raise invalid_value(
            f"must hold at most {most:,} messages and holds {len(messages):,}; send the newest ones, or raise "
            "CAESAR_API__MAX_MESSAGES"
        )
    return messages


Bounded = BeforeValidator(_bounded)
"""Refuses a list of more than `CAESAR_API__MAX_MESSAGES` messages, whatever they hold."""

_HOLDS_USER_MESSAGE: JsonObject = {"contains": {"properties": {"role": {"const": "user"}}, "required": ["role"]}}

Messages = Annotated[list[IncomingMessage], Field(min_length=1), Bounded]
MessagesWithOperator = Annotated[
    list[IncomingMessage],
    Field(min_length=1, json_schema_extra=_HOLDS_USER_MESSAGE),
    AfterValidator(_require_operator),
    Bounded,
]


def refuse_blank_question(messages: Sequence[events.Message], *, places: Sequence[str] | None = None) -> None:
    """Raise the 422 where the operator's newest message is blank: no model is paid for an answer to nothing.

    A message that was answered is history, as in the steps of a tool. `places`: where in the body each message's
    content stands, where that is not `messages[0].content` and so on.
    """
    speakers = ((place, message.role) for place, message in reversed(list(enumerate(messages))))
    newest, role = next(((place, role) for place, role in speakers if role in ("user", "assistant")), (0, ""))
    if role == "user" and transcript.is_blank(messages[newest]):
        place = places[newest] if places else f"messages[{newest}].content"
        raise invalid(
            f"{place} is blank. Send what the operator says: text that can be seen, or a picture.", param=place
        )


EXAMPLE_MESSAGE: JsonObject = {"role": "user", "content": "By the way, my dog's name is Beans."}


class Body(BaseModel):
    """A request's body."""

    model_config = ConfigDict(strict=True, extra="ignore", use_attribute_docstrings=True)


def example(body: JsonObject) -> JsonObject:
    """What the document shows of a body, and what "Try it out" on its page sends."""
    return {"examples": [body]}


class MemoryOptions(Body):
    """What memory may do with this turn; both unless said otherwise."""

    inject: bool | None = None
    """Put memory into the prompt."""
    learn: bool | None = None
    """Learn facts from the turn, and sum it up."""


class ChatRequest(Body):
    """One turn."""

    model_config = ConfigDict(json_schema_extra=example({"messages": [EXAMPLE_MESSAGE]}))

    messages: MessagesWithOperator
    model: Annotated[str, Field(max_length=256)] | None = None
    """Model to ask, instead of the configured one."""
    max_tokens: Annotated[int, Field(ge=1, le=1_000_000), Whole] | None = None
    """Longest answer, in tokens."""
    memory: MemoryOptions | None = None


def _visible(text: str) -> str:
    if not one_line(text):
        raise invalid_value("is blank: send what the operator says, as text that can be seen")
    return text


_ONE_OF_BOTH: list[JsonValue] = [
    {"required": ["messages"], "properties": {"messages": {"type": "array"}, "message": {"type": "null"}}},
    {"required": ["message"], "properties": {"message": {"type": "string"}, "messages": {"type": "null"}}},
]


class ContextRequest(Body):
    """What is to be remembered for: `messages`, or `message` as a short form for one message of the operator."""

    model_config = ConfigDict(
        json_schema_extra=example({"message": "What should I feed my dog?"}) | {"oneOf": _ONE_OF_BOTH}
    )

    messages: MessagesWithOperator | None = None
    message: Annotated[str, Field(min_length=1), AfterValidator(_visible)] | None = None
    system: str | None = None
    """Operator prompt that follows memory; unset, the system message among `messages`, else the configured one."""
    preview: bool | None = None
    """Only look: writes nothing, and the answer has no `decision_id`."""
    memory: MemoryOptions | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.messages is None) == (self.message is None):
            raise invalid_value("must hold either messages or message, and not both")
        return self

    @property
    def conversation(self) -> Sequence[events.Message]:
        """The messages, however they were sent."""
        return self.messages or [events.Message(role="user", content=self.message)]


class FinishedChat(Body):
    """A turn that took place elsewhere, or earlier."""

    model_config = ConfigDict(json_schema_extra=example({"messages": [EXAMPLE_MESSAGE], "reply": "What a good name."}))

    messages: Messages
    reply: str
    """What the assistant answered."""
    model: Annotated[str, Field(max_length=256)] | None = None
    occurred_at: Moment = None
    """When it took place, with an offset, for history: from 1970 to five minutes from now; unset, now."""
    decision_id: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")] | None = None
    """The `decision_id` of the context this turn was given, which ties the chat to its receipt."""
    memory: MemoryOptions | None = None


class FactValue(Body):
    """A fact's value in the operator's words."""

    model_config = ConfigDict(json_schema_extra=example({"value": "Beans"}))

    value: str
    """1 to 500 characters, counted when line breaks and runs of spaces are one space each."""
    expected: str | None = None
    """The value the operator saw: where the fact has another one by now, nothing changes (409)."""


class AcceptedValue(Body):
    """How a waiting claim is accepted."""

    model_config = ConfigDict(json_schema_extra=example({}))

    value: str | None = None
    """The corrected value; the claim's own where it is left out."""
    expected: str | None = None
    """The value of the fact that the operator saw beside it, "" for none: where it changed, nothing happens (409)."""


# --- queries ----------------------------------------------------------------------------------------------------

Words = Annotated[str, AfterValidator(encodable)]
RowId = Annotated[int, Field(ge=1, le=_LARGEST_ID)]


class FactsQuery(BaseModel):
    """A stretch of the facts."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    before: str | None = None
    """The `next` of the page before this one."""
    limit: Annotated[int, Field(ge=1, le=1_000)] = 100
    retired: bool = False
    """Instead of the facts that hold, those that are no longer true, the last ended first."""


class WaitingQuery(BaseModel):
    """A stretch of the claims that wait for review."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    before: RowId | None = None
    """The `next` of the page before this one."""
    limit: Annotated[int, Field(ge=1, le=1_000)] = 100


class AuditQuery(BaseModel):
    """A stretch of the timeline; every condition that is set must hold."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    type: Words | None = None
    """Name of an event, such as `memory.fact.added`."""
    fact: Words | None = None
    """Key of a fact: its history."""
    chat: RowId | None = None
    """`audit_log_id` of a chat: what came of it."""
    decision: Words | None = None
    """A `decision_id`: what one turn did."""
    conversation: Words | None = None
    """A client's name for a conversation, as it was sent in `X-Conversation-Id`: its turns."""
    client: Words | None = None
    """Label of an API key: what its client said, what was learned from that, and what it did."""
    q: Annotated[Words, Field(max_length=500)] | None = None
    """Words that the row holds, in any order and whatever their case; the last one may be only begun."""
    before: RowId | None = None
    """The `next` of the page before this one."""
    limit: Annotated[int, Field(ge=1, le=500)] = 50

"""The items of a request's `input`: messages with their parts, calls of functions, their results, reasoning.

Unknown fields are ignored. What only OpenAI's own servers could look up (files by their id, earlier items) is refused
with the cure.
"""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag, WithJsonSchema

from memory.api.errors import UNION_TAG_PREFIX
from memory.api.requests import Body, invalid_value

_BUILT_IN = (
    "is an item of one of OpenAI's built-in tools, which do not exist here: leave it out, or put what it found into a "
    "message"
)
_STORED = "is the address of an item that OpenAI's servers keep; nothing is kept here: send the item itself"
_ITEMS = "must be a message, function_call, function_call_output or reasoning"
_PARTS = "must be input_text, input_image, input_file, input_audio, output_text or refusal"


def _only_null(predicate: str) -> tuple[BeforeValidator, WithJsonSchema]:
    """What makes a field refuse every value but null, with these words."""

    def check(value: object) -> None:
        if value is not None:
            raise invalid_value(predicate)

    return BeforeValidator(check), WithJsonSchema({"type": "null"})


NoFileId = Annotated[None, *_only_null("is the id of a file that is not here: send the file itself, as a data URL")]
NoFileUrl = Annotated[None, *_only_null("is not fetched from here: send the file itself, in file_data")]

# --- parts of a message ---------------------------------------------------------------------------------------------


class TextPart(Body):
    """What was said, by whoever speaks."""

    type: Literal["input_text", "output_text", "text"]
    text: str


class RefusalPart(Body):
    """The model's refusal, in words."""

    type: Literal["refusal"]
    refusal: str


class ImagePart(Body):
    """A picture: an address, or a data URL."""

    type: Literal["input_image"]
    file_id: NoFileId = None
    image_url: str
    detail: str | None = None


class FilePart(Body):
    """A file, as a data URL."""

    type: Literal["input_file"]
    file_id: NoFileId = None
    file_url: NoFileUrl = None
    file_data: str
    filename: str | None = None


class Sound(Body):
    """Sound, in base64."""

    data: str
    format: str


class AudioPart(Body):
    """Something said aloud."""

    type: Literal["input_audio"]
    input_audio: Sound


_TAG_BY_PART = {
    "input_text": "text",
    "output_text": "text",
    "text": "text",
    "refusal": "refusal",
    "input_image": "image",
    "input_file": "file",
    "input_audio": "audio",
}


def _part_kind(part: object) -> str | None:
    kind = part.get("type") if isinstance(part, dict) else getattr(part, "type", None)
    tag = _TAG_BY_PART.get(kind) if isinstance(kind, str) else None
    return tag and UNION_TAG_PREFIX + tag


Part = Annotated[
    Annotated[TextPart, Tag(UNION_TAG_PREFIX + "text")]
    | Annotated[RefusalPart, Tag(UNION_TAG_PREFIX + "refusal")]
    | Annotated[ImagePart, Tag(UNION_TAG_PREFIX + "image")]
    | Annotated[FilePart, Tag(UNION_TAG_PREFIX + "file")]
    | Annotated[AudioPart, Tag(UNION_TAG_PREFIX + "audio")],
    Discriminator(_part_kind, custom_error_type="part", custom_error_message=_PARTS),
]


def _content_kind(content: object) -> str | None:
    if isinstance(content, str):
        return UNION_TAG_PREFIX + "text"
    return UNION_TAG_PREFIX + "parts" if isinstance(content, list) else None


Content = Annotated[
    Annotated[str, Tag(UNION_TAG_PREFIX + "text")] | Annotated[list[Part], Tag(UNION_TAG_PREFIX + "parts")],
    Discriminator(_content_kind, custom_error_type="content", custom_error_message="must be text or a list of parts"),
]

# --- items ----------------------------------------------------------------------------------------------------------


class MessageItem(Body):
    """One message. `type` may be left out."""

    type: Literal["message"] | None = None
    role: Literal["user", "assistant", "system", "developer"]
    content: Content


class CallItem(Body):
    """A function that the model calls."""

    type: Literal["function_call"]
    call_id: Annotated[str, Field(min_length=1)]
    name: Annotated[str, Field(min_length=1)]
    arguments: str
    """JSON, as the model wrote it."""


class ResultItem(Body):
    """What a function gave."""

    type: Literal["function_call_output"]
    call_id: Annotated[str, Field(min_length=1)]
    output: Content


class Summary(Body):
    """A piece of reasoning."""

    text: str


class ReasoningItem(Body):
    """What the model thought. Only what came from here is handed back, and only between the steps of a tool."""

    type: Literal["reasoning"]
    summary: list[Summary] = []
    encrypted_content: str | None = None


_TAG_BY_ITEM = {
    "message": "message",
    "function_call": "call",
    "function_call_output": "result",
    "reasoning": "reasoning",
}


def _item_kind(item: object) -> str | None:
    kind = item.get("type") if isinstance(item, dict) else getattr(item, "type", "")
    tag = _TAG_BY_ITEM.get("message" if kind is None else kind) if isinstance(kind, str | None) else None
    return tag and UNION_TAG_PREFIX + tag


def _refuse_others(item: object) -> object:
    """The item; a refusal with its cure where it is of a type that only OpenAI's own servers understand."""
    kind = item.get("type") if isinstance(item, dict) else None
    if isinstance(kind, str) and kind not in _TAG_BY_ITEM:
        reason = _STORED if kind == "item_reference" else _BUILT_IN if _is_of_a_tool(kind) else _ITEMS
        raise invalid_value(f"of the type {kind[:60]} {reason}")
    return item


def _is_of_a_tool(kind: str) -> bool:
    return kind.endswith(("_call", "_call_output")) or kind.startswith("mcp_")


Item = Annotated[
    Annotated[MessageItem, Tag(UNION_TAG_PREFIX + "message")]
    | Annotated[CallItem, Tag(UNION_TAG_PREFIX + "call")]
    | Annotated[ResultItem, Tag(UNION_TAG_PREFIX + "result")]
    | Annotated[ReasoningItem, Tag(UNION_TAG_PREFIX + "reasoning")],
    Discriminator(_item_kind, custom_error_type="item", custom_error_message=_ITEMS),
    BeforeValidator(_refuse_others),
]

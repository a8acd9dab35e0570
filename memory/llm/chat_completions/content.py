"""What is in a message, for servers that do not take OpenAI's shape: words, pictures, and placeholders for the rest."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from pydantic import JsonValue

from memory.events import Message
from memory.llm.answers import validation
from memory.llm.http.client import JsonObject

_DATA_URL = re.compile(
    r"data:(?P<type>image/[\w.+-]{1,40})(?:;[\w=.-]{1,40})*;base64,(?P<data>.+)", re.DOTALL | re.IGNORECASE
)
_TEXT_TYPES = frozenset({"text", "input_text", "output_text"})
_PICTURE_TYPES = frozenset({"image_url", "input_image", "image"})
_THOUGHT_TYPES = frozenset({"thinking", "redacted_thinking", "reasoning"})
_TOOL_ROLES = frozenset({"tool", "function"})


@dataclass(frozen=True)
class Picture:
    """A picture: its `base64` and what it is in, such as image/png, or the `url` it lies at. `kind` is its part's."""

    kind: str
    media_type: str = ""
    base64: str = ""
    url: str = ""


Piece: TypeAlias = str | Picture


def pieces(message: Message) -> list[Piece]:
    """What a message holds, in its order, without blanks and without what a model thought.

    Tool calls and their results become words: servers take them only beside a list of tools, which a turn has not.
    """
    kept = [*content_pieces(message), *_calls(message)]
    return ["[result of a tool]", *kept] if message.role in _TOOL_ROLES else kept


def content_pieces(message: Message) -> list[Piece]:
    """The same without its tool calls."""
    return [piece for piece in _pieces_of(message.content) if isinstance(piece, Picture) or piece.strip()]


def left_out(kind: str) -> str:
    """The placeholder for a part that the server does not take."""
    return f"[{kind} left out]"


def _pieces_of(content: str | list[dict[str, JsonValue]] | None) -> Iterator[Piece]:
    if isinstance(content, str):
        yield validation.plain(content)
    for part in content if isinstance(content, list) else ():
        kind = validation.plain(part.get("type", "text")) or "part"
        if kind in _TEXT_TYPES:
            yield validation.plain(part.get("text"))
        elif kind in _PICTURE_TYPES:
            yield _picture(part, kind)
        elif kind not in _THOUGHT_TYPES:
            yield left_out(kind)


def _picture(part: JsonObject, kind: str) -> Picture:
    """A picture in OpenAI's shape (a data URL or an address) or in Anthropic's (`source`)."""
    source, address = part.get("source"), part.get("image_url")
    if isinstance(source, dict):
        media_type, data = validation.plain(source.get("media_type")), validation.plain(source.get("data"))
        return Picture(kind, media_type, data, validation.plain(source.get("url")))
    url = validation.plain(address.get("url") if isinstance(address, dict) else address).strip()
    match = _DATA_URL.fullmatch(url)
    if match:
        media_type = match["type"].lower()
        return Picture(kind, "image/jpeg" if media_type == "image/jpg" else media_type, match["data"])
    return Picture(kind, url="" if url.startswith("data:") else url)


def called(name: str, arguments: str) -> str:
    """The call of a tool, in words."""
    return f"[called the tool {name} with {arguments or 'nothing'}]"


def _calls(message: Message) -> Iterator[str]:
    """The tools that a message calls, in words."""
    for call in validation.objects((message.model_extra or {}).get("tool_calls")):
        function = call.get("function")
        if isinstance(function, dict):
            yield called(validation.plain(function.get("name")), validation.plain(function.get("arguments")))

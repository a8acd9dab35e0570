"""The content of a message, for servers that do not take OpenAI's shape: texts, pictures and placeholders."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from pydantic import JsonValue

from memory.events import Message
from memory.llm.answers.json_fields import clean_text, objects_in
from memory.llm.http.client import JsonObject

_DATA_URL = re.compile(
    r"data:(?P<type>image/[\w.+-]{1,40})(?:;[\w=.-]{1,40})*;base64,(?P<data>.+)", re.DOTALL | re.IGNORECASE
)
_TEXT_TYPES = frozenset({"text", "input_text", "output_text"})
_PICTURE_TYPES = frozenset({"image_url", "input_image", "image"})
_REASONING_TYPES = frozenset({"thinking", "redacted_thinking", "reasoning"})
_TOOL_ROLES = frozenset({"tool", "function"})


@dataclass(frozen=True)
class Picture:
    """A picture: `base64` and `media_type`, such as image/png, or a `url`. `kind` is the type of its message part."""

    kind: str
    media_type: str = ""
    base64: str = ""
    url: str = ""


Piece: TypeAlias = str | Picture


def pieces(message: Message) -> list[Piece]:
    """The texts and pictures of a message, in order, without blank texts and reasoning.

    Tool calls and their results are written out as text, for requests that offer no tools: servers accept them as such
    only beside a list of tools.
    """
    kept = [*content_pieces(message), *_calls(message)]
    return ["[result of a tool]", *kept] if message.role in _TOOL_ROLES else kept


def content_pieces(message: Message) -> list[Piece]:
    """The texts and pictures of a message without its tool calls."""
    return [piece for piece in _pieces_of(message.content) if isinstance(piece, Picture) or piece.strip()]


def placeholder(kind: str) -> str:
    """The text in place of a part that the server does not take."""
    return f"[{kind} left out]"


def _pieces_of(content: str | list[dict[str, JsonValue]] | None) -> Iterator[Piece]:
    if isinstance(content, str):
        yield clean_text(content)
    for part in content if isinstance(content, list) else ():
        kind = clean_text(part.get("type", "text")) or "part"
        if kind in _TEXT_TYPES:
            yield clean_text(part.get("text"))
        elif kind in _PICTURE_TYPES:
            yield _picture(part, kind)
        elif kind not in _REASONING_TYPES:
            yield placeholder(kind)


def _picture(part: JsonObject, kind: str) -> Picture:
    """A picture in OpenAI's shape (a data URL or an address) or in Anthropic's (`source`)."""
    source, address = part.get("source"), part.get("image_url")
    if isinstance(source, dict):
        media_type, data = clean_text(source.get("media_type")), clean_text(source.get("data"))
        return Picture(kind, media_type, data, clean_text(source.get("url")))
    url = clean_text(address.get("url") if isinstance(address, dict) else address).strip()
    match = _DATA_URL.fullmatch(url)
    if match:
        media_type = match["type"].lower()
        return Picture(kind, "image/jpeg" if media_type == "image/jpg" else media_type, match["data"])
    return Picture(kind, url="" if url.startswith("data:") else url)


def tool_call_text(name: str, arguments: str) -> str:
    """A tool call written out as text."""
    return f"[called the tool {name} with {arguments or 'nothing'}]"


def _calls(message: Message) -> Iterator[str]:
    """The tool calls of a message, written out as text."""
    for call in objects_in((message.model_extra or {}).get("tool_calls")):
        function = call.get("function")
        if isinstance(function, dict):
            yield tool_call_text(clean_text(function.get("name")), clean_text(function.get("arguments")))

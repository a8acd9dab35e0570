"""Messages in Anthropic's shape: a system prompt, and turns of content blocks."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from pydantic import JsonValue

from memory.events import Message
from memory.llm.chat_completions import content
from memory.llm.chat_completions.content import Picture, Piece
from memory.llm.http.client import JsonObject

SYSTEM_ROLES = frozenset({"system", "developer"})

RoleBlocks: TypeAlias = tuple[str, list[JsonObject]]
"""A message's role, "user" or "assistant", and its content blocks."""

_PICTURE_TYPES = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
_NO_USER_TURN = "[nothing said]"
_CONTINUE = "[go on]"


def system_prompt(messages: Sequence[Message]) -> str:
    """All system messages, wherever they stand, as one text with blank lines between; blank messages are dropped."""
    texts = (_text_of(content.pieces(message)) for message in messages if message.role in SYSTEM_ROLES)
    return "\n\n".join(text for text in texts if text.strip())


def _text_of(pieces: Iterable[Piece]) -> str:
    return "\n".join(content.placeholder(piece.kind) if isinstance(piece, Picture) else piece for piece in pieces)


def turns(messages: Sequence[Message]) -> list[JsonValue]:
    """The other messages as turns that alternate between user and assistant, with a user's turn first and last.

    Neighbouring messages of one role become one turn, and empty ones are dropped. The API would take an assistant's
    turn at the end as the start of its answer, which newer models refuse, so a short user's turn is added behind it.
    """
    return alternating_turns(role_blocks_of(messages))


def role_blocks_of(messages: Iterable[Message]) -> Iterator[RoleBlocks]:
    """The role and the content blocks of each message that is not a system message."""
    for message in messages:
        if message.role not in SYSTEM_ROLES:
            role = "assistant" if message.role == "assistant" else "user"
            yield role, [content_block(piece) for piece in content.pieces(message)]


def alternating_turns(role_blocks: Iterable[RoleBlocks]) -> list[JsonValue]:
    """The turns made of blocks and their roles, by the rules of `turns`."""
    merged: list[RoleBlocks] = []
    for role, blocks in role_blocks:
        if blocks and merged and merged[-1][0] == role:
            merged[-1][1].extend(blocks)
        elif blocks:
            merged.append((role, blocks))
    if not merged or merged[0][0] == "assistant":
        merged.insert(0, ("user", [content_block(_NO_USER_TURN)]))
    if merged[-1][0] == "assistant":
        merged.append(("user", [content_block(_CONTINUE)]))
    for _, blocks in merged:
        blocks.sort(key=lambda one: one["type"] != "tool_result")  # results stand first in their turn
    return [{"role": role, "content": _content(blocks)} for role, blocks in merged]


def _content(blocks: Sequence[JsonObject]) -> JsonValue:
    """Blocks as they are; a single text as a string, which every copy of the API takes."""
    if len(blocks) == 1 and blocks[0]["type"] == "text":
        return blocks[0]["text"]
    return list(blocks)


def content_block(piece: Piece) -> JsonObject:
    """A piece of a message as a block; a placeholder for a picture that the API does not take."""
    if isinstance(piece, str):
        return {"type": "text", "text": piece}
    if piece.base64 and piece.media_type in _PICTURE_TYPES:
        return {"type": "image", "source": {"type": "base64", "media_type": piece.media_type, "data": piece.base64}}
    if piece.url.startswith("https://"):
        return {"type": "image", "source": {"type": "url", "url": piece.url}}
    return {"type": "text", "text": content.placeholder(piece.kind)}

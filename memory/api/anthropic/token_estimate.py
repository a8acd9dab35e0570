"""How many tokens a request has, about, where the provider cannot be asked."""

import json
from collections.abc import Iterator, Sequence

from pydantic import JsonValue

from memory.events import Message

_BYTES_PER_TOKEN = 3
_TOKENS_PER_MESSAGE = 4
_TOKENS_PER_PICTURE = 1_500
_NO_TEXT = frozenset({"image_url", "image", "file"})


def estimated_tokens(messages: Sequence[Message], tools: JsonValue) -> int:
    """Three bytes of UTF-8 a token, rather too many than too few; 1,500 for a picture or a file; tools as JSON."""
    tokens = _of_text(json.dumps(tools, ensure_ascii=False)) if tools else 0
    for message in messages:
        tokens += _TOKENS_PER_MESSAGE + sum(_of_parts(message))
        calls = (message.model_extra or {}).get("tool_calls")
        tokens += _of_text(json.dumps(calls, ensure_ascii=False)) if calls else 0
    return tokens


def _of_parts(message: Message) -> Iterator[int]:
    if isinstance(message.content, str):
        yield _of_text(message.content)
    for part in message.content if isinstance(message.content, list) else ():
        text = part.get("text")
        yield _TOKENS_PER_PICTURE if part.get("type") in _NO_TEXT else _of_text(text if isinstance(text, str) else "")


def _of_text(text: str) -> int:
    return -(-len(text.encode()) // _BYTES_PER_TOKEN)

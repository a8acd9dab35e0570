"""Messages in Ollama's shape, and the context size that they need."""

from collections.abc import Sequence

from pydantic import JsonValue

from memory.events import Message
from memory.llm.answers.json_fields import clean_text
from memory.llm.chat_completions import content
from memory.llm.chat_completions.content import Picture, Piece
from memory.llm.http.client import JsonObject

MIN_CONTEXT_TOKENS = 8_192
MAX_CONTEXT_TOKENS = 32_768

_BYTES_PER_TOKEN = 3
_TOKENS_PER_MESSAGE = 16
_TOKENS_PER_PICTURE = 1_500
_SYSTEM_ROLES = frozenset({"system", "developer"})
_OTHER_ROLES = frozenset({"assistant", "tool"})


def plain_message(message: Message) -> JsonObject:
    """A message with tool calls and results written out as words: they are only taken beside a list of tools."""
    role = "user" if message.role == "tool" else message.role
    return message_with(role, content.pieces(message))


def message_with(role_sent: str, pieces: Sequence[Piece]) -> JsonObject:
    """A message as Ollama takes it: one text, with its pictures beside it."""
    pictures = [piece.base64 for piece in pieces if isinstance(piece, Picture) and piece.base64]
    texts = [
        piece if isinstance(piece, str) else content.placeholder(piece.kind)
        for piece in pieces
        if not _is_sent_as_picture(piece)
    ]
    role = "system" if role_sent in _SYSTEM_ROLES else role_sent if role_sent in _OTHER_ROLES else "user"
    sent: JsonObject = {"role": role, "content": "\n".join(texts)}
    return {**sent, "images": list[JsonValue](pictures)} if pictures else sent


def _is_sent_as_picture(piece: Piece) -> bool:
    """Whether a piece is sent as a picture. Ollama does not fetch pictures from an address."""
    return isinstance(piece, Picture) and bool(piece.base64)


def context_tokens(messages: Sequence[JsonObject], max_tokens: int) -> int:
    """The context size that messages and answer need: 8,192 tokens, doubled until they fit, and 32,768 at most.

    Ollama's own default is small, and what does not fit is dropped silently. Only three sizes are used, because Ollama
    reloads the model when the size changes. Three bytes of UTF-8 a token is a safe estimate for most languages.
    """
    needed = max_tokens
    for message in messages:
        texts, pictures = message.get("content"), message.get("images")
        needed += _TOKENS_PER_MESSAGE + len(clean_text(texts).encode()) // _BYTES_PER_TOKEN
        needed += _TOKENS_PER_PICTURE * (len(pictures) if isinstance(pictures, list) else 0)
    context = MIN_CONTEXT_TOKENS
    while context < min(needed, MAX_CONTEXT_TOKENS):
        context *= 2
    return context

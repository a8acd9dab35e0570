"""The one prompt: what memory would put before a message, for clients whose model is asked without this server."""

from typing import Final

from memory import chat
from memory.api.capacity import turn_limiter
from memory.conversation import Conversation
from memory.events import Message
from memory.mcp.calls import Call
from memory.mcp.jsonrpc import INVALID_PARAMS, JsonObject, RpcError
from memory.text.lines import encodable

NAME: Final = "memory"
_MOST_CHARS: Final = 20_000
_NOTHING: Final = "Nothing is remembered yet."

PROMPTS: Final[list[JsonObject]] = [
    {
        "name": NAME,
        "title": "What is remembered",
        "description": "What is remembered about the user, as it stands in a prompt; with a message, what fits it.",
        "arguments": [
            {
                "name": "message",
                "title": "Message",
                "description": "What the user is about to ask. It brings back past conversations that fit.",
                "required": False,
            }
        ],
    }
]


def get_prompt(call: Call, name: str, arguments: JsonObject) -> JsonObject:
    """The memory block for a message. Only a look: no recall is counted. Raises `RpcError` for another prompt."""
    if name != NAME:
        raise RpcError(INVALID_PARAMS, f"There is no such prompt. The one there is: {NAME}.")
    message = arguments.get("message", "")
    if not isinstance(message, str):
        raise RpcError(INVALID_PARAMS, "message must be text.")
    said = [Message(role="user", content=encodable(message)[:_MOST_CHARS])]
    turn = chat.Turn(conversation=Conversation(said), use=chat.MemoryUse(learn=False), now=call.now)
    with turn_limiter.slot():
        block = chat.compose(turn, system="").receipt.block
    content: JsonObject = {"type": "text", "text": block or _NOTHING}
    return {
        "description": "What is remembered about the user.",
        "messages": [{"role": "user", "content": content}],
    }

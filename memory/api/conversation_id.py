"""The client's own name for the conversation that goes on, wherever clients put it."""

from collections.abc import Iterator
from typing import Any, Final

from django.http import HttpRequest
from pydantic import JsonValue

from memory.text.messages import identifiers

HEADERS: Final = ("X-Conversation-Id", "X-OpenWebUI-Chat-Id", "X-Claude-Code-Session-Id")
METADATA: Final = ("conversation_id", "chat_id", "thread_id", "session_id")

PARAMETER: Final[dict[str, Any]] = {
    "in": "header",
    "name": HEADERS[0],
    "required": False,
    "schema": {"type": "string"},
    "description": "Any name of yours for the conversation: what was said in it before is then not recalled into it, "
    "however the messages were cut or edited. One that begins with `temporary:` or `local:` means that memory is off, "
    "and nothing that is said is stored.",
}
"""The header as the OpenAPI document has it."""


def conversation_id(request: HttpRequest, metadata: JsonValue = None) -> str | None:
    """The conversation's name in its normal form: from the headers, else from `metadata`, None where there is none.

    The first that is neither blank nor an unfilled template counts. Nothing in it is an error: a conversation without a
    name is one, too.
    """
    return next(filter(None, map(identifiers.normal_conversation_id, _names(request, metadata))), None)


def is_temporary(request: HttpRequest, metadata: JsonValue = None) -> bool:
    """Whether the client says, in any of these places, that the conversation is not to be kept."""
    return any(map(identifiers.is_temporary, _names(request, metadata)))


def _names(request: HttpRequest, metadata: JsonValue) -> Iterator[str]:
    """What the client calls it, in every place there is, best first."""
    for header in HEADERS:
        yield decoded(request.headers.get(header, ""))
    fields = metadata if isinstance(metadata, dict) else {}
    for field in METADATA:
        name = fields.get(field)
        if isinstance(name, str | int) and not isinstance(name, bool):
            yield str(name)
    user = fields.get("user_id")
    agent = identifiers.agent_user(user) if isinstance(user, str) else None
    if agent is not None:
        yield agent.session


def decoded(header: str) -> str:
    """A header's text: servers hand its bytes on as Latin-1, clients write UTF-8."""
    try:
        return header.encode("latin-1").decode()
    except UnicodeError:
        return header

"""Who asks, where clients say so, and why memory keeps out of a call: another person, a temporary chat, an errand."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Final, Literal, get_args
from urllib.parse import unquote

from django.conf import settings
from django.http import HttpRequest
from ninja import Header
from pydantic import BeforeValidator, JsonValue, WithJsonSchema

from memory import events
from memory.api.auth import ApiRequest
from memory.api.conversation_id import decoded, is_temporary
from memory.api.parsing import body_json
from memory.models import OperatorId, PersonId
from memory.models.operator.identity import IdKind
from memory.text.messages import identifiers

MAIL_HEADER: Final = "X-OpenWebUI-User-Email"
ACCOUNT_HEADER: Final = "X-OpenWebUI-User-Id"
NAME_HEADER: Final = "X-OpenWebUI-User-Name"

Task = Literal["errand", "chat"]


def lowered(value: object) -> object:
    """A header's value for comparison: in small letters, without blanks around it."""
    return value.strip().lower() if isinstance(value, str) else value


TaskHeader = Annotated[
    Task | None,
    BeforeValidator(lowered),
    WithJsonSchema({"type": "string", "enum": list(get_args(Task))}),
    Header(None, alias="X-Memory-Task"),
]
"""`errand`: a request of the client's own, which memory keeps out of. `chat`: none, whatever it looks like."""


def kept_out_reason(request: ApiRequest, task: Task | None, *, is_preview: bool = False) -> events.PassReason | None:
    """Why memory keeps out of this call, None where it does not. Reads the ids of people; notes new ones, and who came
    first, unless it is a preview."""
    body = body_json(request)
    fields = body if isinstance(body, dict) else {}
    if is_temporary(request, fields.get("metadata")):
        return "temporary"
    if task == "errand":
        return "errand"
    named = [name for name in map(identifiers.normal_person_id, settings.CAESAR.operator.ids) if name]
    now = request.auth.now
    ids = person_ids(request, fields, now=now)
    if not OperatorId.objects.is_operator(ids, named=named, now=now, may_note=not is_preview):
        return "other_person"
    return None


def leaves_no_words(request: HttpRequest) -> bool:
    """Whether the client says that what it asks is not kept: memory is off, or it is an errand of its own."""
    said = {name: lowered(request.headers.get(name)) for name in ("X-Memory", "X-Memory-Task")}
    return said["X-Memory"] == "off" or said["X-Memory-Task"] == "errand"


def person_ids(request: HttpRequest, body: dict[str, JsonValue], *, now: datetime) -> list[PersonId]:
    """The ids of whoever asks, the most reliable first, in normal form; blanks and unfilled templates are none.

    Nor is the id of a conversation where `user` holds one.
    """
    found: list[PersonId] = []
    for kind, raw in _sent_ids(request, body):
        value = identifiers.normal_person_id(raw)
        is_conversation = kind == "user" and identifiers.is_fresh_ulid(value, now)
        if value and not is_conversation:
            found.append(PersonId("mail" if "@" in value and kind != "name" else kind, value))
    return list(dict.fromkeys(found))


def _sent_ids(request: HttpRequest, body: dict[str, JsonValue]) -> Iterator[tuple[IdKind, str]]:
    """Each place that names the person. Headers come from the client itself, and before what a body says."""
    yield "mail", _header(request, MAIL_HEADER)
    yield "account", _header(request, ACCOUNT_HEADER)
    yield "safety", _text(body.get("safety_identifier"))
    yield "user", _text(body.get("user"))
    metadata = body.get("metadata")
    yield "metadata", _person_in(_text(metadata.get("user_id"))) if isinstance(metadata, dict) else ""
    yield "name", _header(request, NAME_HEADER)


def _header(request: HttpRequest, name: str) -> str:
    """A header's text. Open WebUI sends it percent-encoded where it is not ASCII."""
    return decoded(unquote(request.headers.get(name, "")))


def _person_in(user_id: str) -> str:
    """The account in a coding agent's id of the user, which names the session, too; any other id as it is."""
    agent = identifiers.agent_user(user_id)
    return user_id if agent is None else agent.account


def _text(value: JsonValue) -> str:
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""

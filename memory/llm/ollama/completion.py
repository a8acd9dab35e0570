"""Ollama's own chat API, which can turn thinking off, takes a schema, and lets the request set the context."""

import re
from collections.abc import Mapping, Sequence
from functools import partial
from urllib.parse import urlsplit

from pydantic import JsonValue

from memory.events import Message
from memory.llm.answers import validation
from memory.llm.answers.validation import Said, plain
from memory.llm.chat_completions import content
from memory.llm.chat_completions.content import Picture, Piece
from memory.llm.errors import LLMError, NotFound, RequestRefused
from memory.llm.http import client, requirements
from memory.llm.http.client import JsonObject
from memory.llm.http.fallbacks import Quirks
from memory.llm.types import Completion, Request, Route

LEAST_CONTEXT = 8_192
MOST_CONTEXT = 32_768

PATH = "/api/chat"

# A schema that a model's grammar does not take is a 500 there.
_QUIRKS: Mapping[str, re.Pattern[str]] = {
    "think": re.compile(r"think", re.IGNORECASE),
    "format": re.compile(r"\bformat\b|grammar|json[ _]schema", re.IGNORECASE),
}
_QUIRK_STATUSES = frozenset({400, 422, 500, 501})
_TOO_LONG = re.compile(r"context (?:length|size|window)", re.IGNORECASE)
_NO_MODEL = re.compile(r"\bmodel\b.{0,300}\bnot found\b", re.IGNORECASE | re.DOTALL)

_BYTES_PER_TOKEN = 3
_TOKENS_PER_MESSAGE = 16
_TOKENS_PER_PICTURE = 1_500
SYSTEM_ROLES = frozenset({"system", "developer"})
_ROLES = frozenset({"assistant", "tool"})


class Ollama:
    """The provider `ollama`."""

    def __init__(self) -> None:
        self._quirks = Quirks(_QUIRKS, statuses=_QUIRK_STATUSES)

    def check(self, route: Route) -> None:
        """Nothing, or `NotConfigured` where no model is set or the address is the one of another API of Ollama's."""
        requirements.check_model(route)
        _check_server(route)

    def complete(self, request: Request) -> Completion:
        """The server's answer. Raises `LLMError`.

        A request that is refused for naming `think` or `format` is sent once more without it; the server is not asked
        that way again.
        """
        sent = [*(["think"] if _is_for_memory(request) else []), *(["format"] if request.json_schema else [])]
        try:
            return self._quirks.asked(partial(_asked, request), route=request.route, sent=sent)
        except (NotFound, RequestRefused) as error:
            raise with_cure(error, request.route, is_for_memory=_is_for_memory(request)) from None

    def models(self, route: Route) -> list[str]:
        """The models that were pulled: `{"models": [{"name": "llama3.1:8b"}]}`. Raises `LLMError`."""
        _check_server(route)
        listed = client.look(route, "/api/tags", headers=headers(route))
        entries = listed.get("models") if isinstance(listed, dict) else None
        return validation.model_names(entries, field="name", route=route)


def _check_server(route: Route) -> None:
    if urlsplit(route.base_url).path.endswith(("/v1", "/api", PATH)):
        raise requirements.address_says_too_much(route, end_before="/v1 or /api")


def _is_for_memory(request: Request) -> bool:
    return request.task != "chat"


def with_cure(error: LLMError, route: Route, *, is_for_memory: bool) -> LLMError:
    """A missing model and a text that is too long with what helps; any other error as it is."""
    cure = ""
    if isinstance(error, NotFound) and _NO_MODEL.search(str(error)):
        cure = f"Get it with: ollama pull {route.model}"
    elif isinstance(error, RequestRefused) and _TOO_LONG.search(str(error)):
        cure = f"{MOST_CONTEXT:,} tokens are the most that are asked for. " + (
            "Lower CAESAR_MEMORY__FACTS_EXTRACT__MAX_CHARS." if is_for_memory else "Send a shorter chat."
        )
    if not cure:
        return error
    return type(error)(f"{error} {cure}", provider=error.provider, status=error.status)


# --- the request ------------------------------------------------------------------------------------------------


def _asked(request: Request, quirks: frozenset[str]) -> Completion:
    """The server's answer to a request without the parts that it refuses."""
    route = request.route
    answer = client.ask(route, PATH, headers=headers(route), body=_body(request, quirks))
    return validation.completion_from(_said(answer, request), request)


def headers(route: Route) -> Mapping[str, str]:
    """Ollama itself asks for no key; a proxy before it may, and so does ollama.com."""
    return {"Authorization": f"Bearer {route.api_key}"} if route.api_key else {}


def _body(request: Request, quirks: frozenset[str]) -> JsonObject:
    """The request as JSON.

    The memory's tasks want the whole of a text read and no time spent on thinking: `truncate` and `shift` make a text
    that is too long an error (older servers pass over both), and `think` is off. A chat keeps the server's defaults.
    """
    messages = [_message(message) for message in request.messages]
    body: JsonObject = {
        "model": request.route.model,
        "messages": list(messages),
        "stream": False,
        "options": {"num_predict": request.max_tokens, "num_ctx": context_for(messages, request.max_tokens)},
    }
    if _is_for_memory(request):
        body |= {"truncate": False, "shift": False}
        if "think" not in quirks:
            body["think"] = False
    if request.json_schema and "format" not in quirks:
        body["format"] = dict(request.json_schema)
    return body


def _message(message: Message) -> JsonObject:
    role = "user" if message.role == "tool" else message.role
    return message_of(role, content.pieces(message))


def message_of(said_by: str, found: Sequence[Piece]) -> JsonObject:
    """A message as Ollama takes it: one text, and its pictures beside it."""
    pictures = [piece.base64 for piece in found if isinstance(piece, Picture) and piece.base64]
    words = [
        piece if isinstance(piece, str) else content.left_out(piece.kind) for piece in found if not _is_seen(piece)
    ]
    role = "system" if said_by in SYSTEM_ROLES else said_by if said_by in _ROLES else "user"
    sent: JsonObject = {"role": role, "content": "\n".join(words)}
    return {**sent, "images": list[JsonValue](pictures)} if pictures else sent


def _is_seen(piece: Piece) -> bool:
    """Whether a piece goes out as a picture. Ollama fetches none from an address."""
    return isinstance(piece, Picture) and bool(piece.base64)


def context_for(messages: Sequence[JsonObject], max_tokens: int) -> int:
    """The context, in tokens, that messages and answer need: 8,192, doubled until they fit, 32,768 at most.

    Ollama's own default is small, and it drops what does not fit without a word. Few sizes, because Ollama loads the
    model anew for another one. Three bytes of UTF-8 a token is on the safe side for most languages.
    """
    needed = max_tokens
    for message in messages:
        words, pictures = message.get("content"), message.get("images")
        needed += _TOKENS_PER_MESSAGE + len(plain(words).encode()) // _BYTES_PER_TOKEN
        needed += _TOKENS_PER_PICTURE * (len(pictures) if isinstance(pictures, list) else 0)
    context = LEAST_CONTEXT
    while context < min(needed, MOST_CONTEXT):
        context *= 2
    return context


# --- the answer -------------------------------------------------------------------------------------------------


def _said(answer: JsonObject, request: Request) -> Said:
    """What the model said. What it thought (`thinking`) is left where it is."""
    message = answer.get("message")
    if not isinstance(message, dict):
        raise validation.bad_answer(request.route, "without a message in it")
    return Said(
        text=plain(message.get("content")),
        model=plain(answer.get("model")),
        stop=plain(answer.get("done_reason")),
        stop_name="done_reason",
        input_tokens=validation.count(answer, "prompt_eval_count"),
        output_tokens=validation.count(answer, "eval_count"),
        calls_tool=bool(message.get("tool_calls")),
        thought_in="thinking" if plain(message.get("thinking")).strip() else "",
    )

"""Anthropic's messages, as Anthropic and the servers that copy its API speak them."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from urllib.parse import urlsplit

from pydantic import JsonValue

from memory.events import Message
from memory.llm.answers import validation
from memory.llm.answers.validation import Said, plain
from memory.llm.chat_completions import content
from memory.llm.chat_completions.content import Picture, Piece
from memory.llm.http import client, requirements
from memory.llm.http.client import JsonObject
from memory.llm.http.fallbacks import Quirks
from memory.llm.types import Completion, JsonSchema, Request, Route

BASE_URL = "https://api.anthropic.com"
VERSION = "2023-06-01"
MOST_LISTED = 1000

PATH = "/v1/messages"
_KEY_REQUIRED_BY = "api.anthropic.com"

# Some models think whatever they are asked, and those refuse to be forced to a tool; some copies have no tools at all.
_QUIRKS: Mapping[str, re.Pattern[str]] = {"tool": re.compile(r"tool|input_schema", re.IGNORECASE)}
_QUIRK_STATUSES = frozenset({400, 404, 422})

_PICTURE_TYPES = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
SYSTEM_ROLES = frozenset({"system", "developer"})
_NOTHING_SAID = "[nothing said]"
_GO_ON = "[go on]"


class Anthropic:
    """The provider `anthropic`."""

    def __init__(self) -> None:
        self._quirks = Quirks(_QUIRKS, statuses=_QUIRK_STATUSES)

    def check(self, route: Route) -> None:
        """Nothing, or `NotConfigured` where model or key is missing. Only Anthropic's own server needs a key."""
        requirements.check_model(route)
        _check_server(route)

    def complete(self, request: Request) -> Completion:
        """The server's answer. Raises `LLMError`.

        A schema is asked for as the input of a tool that the model has to call. Where that is refused the request is
        sent once more without the tool; the server is not asked that way again.
        """
        sent = ["tool"] if request.json_schema else []
        return self._quirks.asked(partial(_asked, request), route=request.route, sent=sent)

    def models(self, route: Route) -> list[str]:
        """The models the server lists: `{"data": [{"id": "claude-x"}]}`. Raises `LLMError`."""
        _check_server(route)
        listed = client.look(route, f"/v1/models?limit={MOST_LISTED}", headers=headers(route))
        entries = listed.get("data") if isinstance(listed, dict) else listed
        return validation.model_names(entries, field="id", route=route)


def _check_server(route: Route) -> None:
    requirements.check_key(route, required_by=_KEY_REQUIRED_BY)
    if urlsplit(route.base_url).path.endswith(("/v1", PATH)):
        raise requirements.address_says_too_much(route, end_before="/v1")


# --- the request ------------------------------------------------------------------------------------------------


def _asked(request: Request, quirks: frozenset[str]) -> Completion:
    """The server's answer to a request without the parts that it refuses."""
    route = request.route
    schema = None if "tool" in quirks else request.json_schema
    answer = client.ask(route, PATH, headers=headers(route), body=_body(request, schema))
    return validation.completion_from(_said(answer, request, tool=_tool_name(request, schema)), request)


def headers(route: Route) -> Mapping[str, str]:
    """What a request carries beside its body: the version, and the key where there is one."""
    key = {"x-api-key": route.api_key} if route.api_key else {}
    return {"anthropic-version": VERSION, **key}


def _body(request: Request, schema: JsonSchema | None) -> JsonObject:
    """The request as JSON: system messages apart from the turns; with a schema the tool that has it as its input."""
    body: JsonObject = {
        "model": request.route.model,
        "max_tokens": request.max_tokens,
        "messages": turns(request.messages),
        "stream": False,
    }
    if system := system_prompt(request.messages):
        body["system"] = system
    if schema:
        name = _tool_name(request, schema)
        body["tools"] = [{"name": name, "description": "Gives the answer.", "input_schema": dict(schema)}]
        body["tool_choice"] = {"type": "tool", "name": name, "disable_parallel_tool_use": True}
    return body


def _tool_name(request: Request, schema: JsonSchema | None) -> str:
    """The name of the tool that takes the answer, its schema's title; "" where there is none."""
    if not schema:
        return ""
    title = plain(schema.get("title"))
    return title if re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", title) else request.task


def system_prompt(messages: Sequence[Message]) -> str:
    """The system messages, wherever they stand, as one text with a blank line between them; blank ones left out."""
    texts = (_words(content.pieces(message)) for message in messages if message.role in SYSTEM_ROLES)
    return "\n\n".join(text for text in texts if text.strip())


def _words(found: Iterable[Piece]) -> str:
    return "\n".join(content.left_out(piece.kind) if isinstance(piece, Picture) else piece for piece in found)


def turns(messages: Sequence[Message]) -> list[JsonValue]:
    """The other messages as turns: user and assistant by turns, a user's first and last, none without content.

    Messages of one side that follow each other are one turn. A conversation that ends with the assistant would be
    taken as the beginning of the answer, which newer models refuse: a word of the user's stands behind it.
    """
    return merged_turns(sides_of(messages))


def sides_of(messages: Iterable[Message]) -> Iterator[tuple[str, list[JsonObject]]]:
    """The messages that are no system's: whose side each is on, and its blocks."""
    for message in messages:
        if message.role not in SYSTEM_ROLES:
            role = "assistant" if message.role == "assistant" else "user"
            yield role, [block(piece) for piece in content.pieces(message)]


def merged_turns(sides: Iterable[tuple[str, list[JsonObject]]]) -> list[JsonValue]:
    """The turns of two sides, on the terms of `turns`."""
    merged: list[tuple[str, list[JsonObject]]] = []
    for role, blocks in sides:
        if blocks and merged and merged[-1][0] == role:
            merged[-1][1].extend(blocks)
        elif blocks:
            merged.append((role, blocks))
    if not merged or merged[0][0] == "assistant":
        merged.insert(0, ("user", [block(_NOTHING_SAID)]))
    if merged[-1][0] == "assistant":
        merged.append(("user", [block(_GO_ON)]))
    for _, blocks in merged:
        blocks.sort(key=lambda one: one["type"] != "tool_result")  # results stand first in their turn
    return [{"role": role, "content": _content(blocks)} for role, blocks in merged]


def _content(blocks: Sequence[JsonObject]) -> JsonValue:
    """Blocks as they are; a single text as a string, which every copy of the API takes."""
    if len(blocks) == 1 and blocks[0]["type"] == "text":
        return blocks[0]["text"]
    return list(blocks)


def block(piece: Piece) -> JsonObject:
    """A piece of a message as a block; a placeholder for a picture that the API does not take."""
    if isinstance(piece, str):
        return {"type": "text", "text": piece}
    if piece.base64 and piece.media_type in _PICTURE_TYPES:
        return {"type": "image", "source": {"type": "base64", "media_type": piece.media_type, "data": piece.base64}}
    if piece.url.startswith("https://"):
        return {"type": "image", "source": {"type": "url", "url": piece.url}}
    return {"type": "text", "text": content.left_out(piece.kind)}


# --- the answer -------------------------------------------------------------------------------------------------


def _said(answer: JsonObject, request: Request, *, tool: str) -> Said:
    """What the model said: the input it gave to `tool`, else its text blocks, one after the other.

    Blocks of other kinds are passed over, whatever their order: thinking, redacted or not, and other tools.
    """
    content, usage = answer.get("content"), answer.get("usage")
    if not isinstance(content, list | str):
        raise validation.bad_answer(request.route, "without any content in it")
    blocks = validation.objects(content)
    kinds = [plain(one.get("type")) for one in blocks]
    given = [_input(one) for one in blocks if _is_call_of(tool, one)]
    texts = [plain(one.get("text")) for one in blocks if one.get("type") == "text"]
    stop = plain(answer.get("stop_reason"))
    return Said(
        text="\n".join(given) if given else plain(content) or "".join(texts),
        model=plain(answer.get("model")),
        stop="end_turn" if given and stop == "tool_use" else stop,
        stop_name="stop_reason",
        input_tokens=validation.count(usage, "input_tokens"),
        output_tokens=validation.count(usage, "output_tokens"),
        calls_tool=any(kind.endswith("tool_use") for kind in kinds),
        thought_in="thinking" if any(kind in ("thinking", "redacted_thinking") for kind in kinds) else "",
    )


def _is_call_of(tool: str, one: JsonObject) -> bool:
    """Whether a block gives an answer to `tool`. A call without any input is a call that broke off."""
    return one.get("type") == "tool_use" and one.get("name") == tool and bool(one.get("input"))


def _input(one: JsonObject) -> str:
    """A tool's input as JSON text; some copies of the API give it as text already."""
    given = one.get("input")
    return given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)

"""Reads a chat-completions request, for servers that do not take OpenAI's shape."""

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import JsonValue, ValidationError

from memory.events import Message
from memory.llm.answers.json_fields import clean_text, objects_in, token_count
from memory.llm.errors import RequestRefused
from memory.llm.http import client
from memory.llm.http.client import JsonObject
from memory.llm.types import JsonSchema, Route


@dataclass(frozen=True)
class ToolCall:
    """A tool that an assistant's message calls."""

    id: str
    name: str
    arguments: JsonObject


@dataclass(frozen=True)
class Tool:
    """A tool that a request offers: `parameters` is the JSON schema of its arguments."""

    name: str
    description: str
    parameters: JsonSchema


# --- messages ---------------------------------------------------------------------------------------------------


def messages_in(body: JsonObject, route: Route) -> list[Message]:
    """The request's messages. Raises `RequestRefused` where one is malformed."""
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        raise refused(route, "messages", "must be a list of messages")
    return [_message(message, place, route) for place, message in enumerate(messages)]


def _message(message: JsonValue, place: int, route: Route) -> Message:
    try:
        return Message.model_validate(message)
    except ValidationError:
        raise refused(route, f"messages[{place}]", "must be an object with role and content") from None


def tool_calls(message: Message) -> list[ToolCall]:
    """The tools that an assistant's message calls."""
    found = objects_in((message.model_extra or {}).get("tool_calls"))
    return [ToolCall(clean_text(call.get("id")), *_function_of(call)) for call in found if message.role == "assistant"]


def _function_of(call: JsonObject) -> tuple[str, JsonObject]:
    function = call.get("function")
    function = function if isinstance(function, dict) else {}
    return clean_text(function.get("name")), _arguments(function.get("arguments"))


def _arguments(given: JsonValue) -> JsonObject:
    """Arguments as an object. They come as JSON text written by a model, which may be invalid."""
    value = client.parse_json(given) if isinstance(given, str) else given
    if isinstance(value, dict):
        return value
    if value is None:
        return {} if clean_text(given).strip() in ("", "null") else {"arguments": given}
    return {"arguments": value}


def tool_call_id(message: Message) -> str:
    """The id of the tool call whose result a message holds; "" where it holds none."""
    return clean_text((message.model_extra or {}).get("tool_call_id")) if message.role == "tool" else ""


# --- tools ------------------------------------------------------------------------------------------------------


def tools_in(body: JsonObject, route: Route) -> list[Tool]:
    """The tools that a request offers. Raises `RequestRefused` where one is not a function."""
    given = body.get("tools")
    return [_tool(tool, place, route) for place, tool in enumerate(given if isinstance(given, list) else [])]


def _tool(tool: JsonValue, place: int, route: Route) -> Tool:
    function = tool.get("function") if isinstance(tool, dict) else None
    if not isinstance(function, dict) or not clean_text(function.get("name")):
        raise refused(route, f"tools[{place}]", "must be a function with a name")
    parameters = function.get("parameters")
    schema: JsonSchema = parameters if isinstance(parameters, dict) and parameters else {"type": "object"}
    return Tool(clean_text(function.get("name")), clean_text(function.get("description")), schema)


def tool_choice(body: JsonObject, route: Route) -> tuple[str, str]:
    """The mode of `tool_choice`: "auto", "none", "required", or "function" with the name of the function.

    Raises `RequestRefused` for any other value.
    """
    choice = body.get("tool_choice") or "auto"
    if choice in ("auto", "none", "required"):
        return str(choice), ""
    function = choice.get("function") if isinstance(choice, dict) else None
    name = clean_text(function.get("name")) if isinstance(function, dict) else ""
    if not name:
        raise refused(route, "tool_choice", "must be auto, none, required or a function")
    return "function", name


# --- the rest ---------------------------------------------------------------------------------------------------


def refuse_untranslatable(body: JsonObject, route: Route) -> None:
    """Raises `RequestRefused` where a request asks for something that cannot be translated and changes the answer.

    Fields that do not change the meaning of the answer (`logprobs`, `user`, `metadata`, ...) are ignored instead.
    """
    if body.get("n") not in (None, 1):
        raise refused(route, "n", "must be 1: this provider gives one answer at a time")
    modalities = body.get("modalities")
    if body.get("audio") or (isinstance(modalities, list) and "audio" in modalities):
        raise refused(route, "audio" if body.get("audio") else "modalities", "cannot be met: this provider only writes")
    if body.get("functions"):
        raise refused(route, "functions", "is the old way to offer tools: send them in tools")


def refused(route: Route, field: str, problem: str) -> RequestRefused:
    """The error for a request that this provider cannot serve; `field` is the place in the body."""
    return RequestRefused(f"{field} {problem} (provider {route.provider}).", provider=route.provider, status=400)


def max_tokens_in(body: JsonObject) -> int | None:
    """The limit on the answer that a request sets; None where it sets none."""
    return token_count(body, "max_completion_tokens") or token_count(body, "max_tokens") or None


def numbers_in(body: JsonObject, *names: str) -> Iterator[tuple[str, int | float]]:
    """The named fields that hold a number."""
    for name in names:
        value = body.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield name, value


def stop_texts_in(body: JsonObject) -> list[str]:
    """The texts at which the answer must stop."""
    stop = body.get("stop")
    return [text for one in (stop if isinstance(stop, list) else [stop]) if (text := clean_text(one))]

"""What a chat-completions request asks, read for servers that do not take OpenAI's shape."""

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import JsonValue, ValidationError

from memory.events import Message
from memory.llm.answers import validation
from memory.llm.answers.validation import plain
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
    """The request's messages. Raises `RequestRefused` for one that is none."""
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
    found = validation.objects((message.model_extra or {}).get("tool_calls"))
    return [ToolCall(plain(call.get("id")), *_function_of(call)) for call in found if message.role == "assistant"]


def _function_of(call: JsonObject) -> tuple[str, JsonObject]:
    function = call.get("function")
    function = function if isinstance(function, dict) else {}
    return plain(function.get("name")), _arguments(function.get("arguments"))


def _arguments(given: JsonValue) -> JsonObject:
    """Arguments as an object: they come as a JSON text, which a model may have got wrong."""
    value = client.parsed(given) if isinstance(given, str) else given
    if isinstance(value, dict):
        return value
    if value is None:
        return {} if plain(given).strip() in ("", "null") else {"arguments": given}
    return {"arguments": value}


def answers_call(message: Message) -> str:
    """The id of the tool call that a message brings the result of; "" where it brings none."""
    return plain((message.model_extra or {}).get("tool_call_id")) if message.role == "tool" else ""


# --- tools ------------------------------------------------------------------------------------------------------


def tools_in(body: JsonObject, route: Route) -> list[Tool]:
    """The tools that a request offers. Raises `RequestRefused` for one that is no function."""
    given = body.get("tools")
    return [_tool(tool, place, route) for place, tool in enumerate(given if isinstance(given, list) else [])]


def _tool(tool: JsonValue, place: int, route: Route) -> Tool:
    function = tool.get("function") if isinstance(tool, dict) else None
    if not isinstance(function, dict) or not plain(function.get("name")):
        raise refused(route, f"tools[{place}]", "must be a function with a name")
    parameters = function.get("parameters")
    schema: JsonSchema = parameters if isinstance(parameters, dict) and parameters else {"type": "object"}
    return Tool(plain(function.get("name")), plain(function.get("description")), schema)


def tool_choice(body: JsonObject, route: Route) -> tuple[str, str]:
    """How tools are to be used, "auto", "none", "required" or "function", and for the last the name of the one.

    Raises `RequestRefused` for any other way.
    """
    choice = body.get("tool_choice") or "auto"
    if choice in ("auto", "none", "required"):
        return str(choice), ""
    function = choice.get("function") if isinstance(choice, dict) else None
    name = plain(function.get("name")) if isinstance(function, dict) else ""
    if not name:
        raise refused(route, "tool_choice", "must be auto, none, required or a function")
    return "function", name


# --- the rest ---------------------------------------------------------------------------------------------------


def refuse_untranslatable(body: JsonObject, route: Route) -> None:
    """Nothing, or `RequestRefused` where a request asks for what only OpenAI's own shape has a place for.

    What is of no consequence to the answer's meaning (`logprobs`, `user`, `metadata`, ...) is passed over instead.
    """
    if body.get("n") not in (None, 1):
        raise refused(route, "n", "must be 1: this provider gives one answer at a time")
    modalities = body.get("modalities")
    if body.get("audio") or (isinstance(modalities, list) and "audio" in modalities):
        raise refused(route, "audio" if body.get("audio") else "modalities", "cannot be met: this provider only writes")
    if body.get("functions"):
        raise refused(route, "functions", "is the old way to offer tools: send them in tools")


def refused(route: Route, field: str, problem: str) -> RequestRefused:
    """The error for a request that this provider cannot be asked; `field` is the place in the body."""
    return RequestRefused(f"{field} {problem} (provider {route.provider}).", provider=route.provider, status=400)


def max_tokens_in(body: JsonObject) -> int | None:
    """The longest answer that a request asks for; None where it names none."""
    return validation.count(body, "max_completion_tokens") or validation.count(body, "max_tokens") or None


def numbers_in(body: JsonObject, *names: str) -> Iterator[tuple[str, int | float]]:
    """Those of the named fields that hold a number."""
    for name in names:
        value = body.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield name, value


def stops_in(body: JsonObject) -> list[str]:
    """The texts that end an answer."""
    stop = body.get("stop")
    return [text for one in (stop if isinstance(stop, list) else [stop]) if (text := plain(one))]

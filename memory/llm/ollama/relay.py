"""Relaying to Ollama's own chat API: the client's request translated, and the answer in OpenAI's shape."""

import json
from collections.abc import Sequence
from functools import partial

from pydantic import JsonValue

from memory.events import Message
from memory.llm.chat_completions import content, requests
from memory.llm.chat_completions.responses import Relayed, RelayedStream, relayed_answer, relayed_stream, wants_usage
from memory.llm.errors import NotFound, RequestRefused
from memory.llm.http import client
from memory.llm.http.byte_stream import open_stream
from memory.llm.http.client import JsonObject
from memory.llm.ollama.messages import context_tokens, message_with
from memory.llm.ollama.server import PATH, with_hint
from memory.llm.ollama.stream import as_completion, chunks_in
from memory.llm.types import Route

_NUMBERS = ("temperature", "top_p", "top_k", "seed", "presence_penalty", "frequency_penalty")
_CANNOT_FORCE_TOOLS = (
    "must be auto or none: Ollama cannot be made to call a tool. With CAESAR_LLM__PROVIDER=openai and its /v1 address "
    "other values are passed on, and it passes over them"
)


class OllamaRelay:
    """How the provider `ollama` relays."""

    def relay(self, body: JsonObject, route: Route, *, max_tokens: int) -> Relayed:
        """The server's answer in OpenAI's shape. Raises `LLMError`."""
        translated = request_for(body, route, max_tokens=max_tokens)
        try:
            answer = client.post(route, PATH, headers=client.bearer_headers(route), body=translated)
        except (NotFound, RequestRefused) as error:
            raise with_hint(error, route, is_memory_task=False) from None
        return relayed_answer(as_completion(answer, route), route)

    def relay_stream(self, body: JsonObject, route: Route, *, max_tokens: int) -> RelayedStream:
        """The server's answer as OpenAI's chunks. Raises `LLMError`."""
        translated = request_for(body, route, max_tokens=max_tokens) | {"stream": True}
        try:
            stream = open_stream(route, PATH, headers=client.bearer_headers(route), body=translated)
        except (NotFound, RequestRefused) as error:
            raise with_hint(error, route, is_memory_task=False) from None
        return relayed_stream(stream, route, partial(chunks_in, stream, route=route, has_usage=wants_usage(body)))


def request_for(body: JsonObject, route: Route, *, max_tokens: int) -> JsonObject:
    """A chat-completions request translated for Ollama. Raises `RequestRefused`.

    The context is made large enough for the messages, the tools and the answer, which counts as `max_tokens` where the
    client sets no limit.
    """
    requests.refuse_untranslatable(body, route)
    messages = _messages(requests.messages_in(body, route))
    translated: JsonObject = {"model": route.model, "messages": list(messages), "stream": False}
    if tools := _tools(body, route):
        translated["tools"] = tools
    options: JsonObject = dict(requests.numbers_in(body, *_NUMBERS))
    if stops := requests.stop_texts_in(body):
        options["stop"] = list[JsonValue](stops)
    limit = requests.max_tokens_in(body)
    if limit:
        options["num_predict"] = limit
    options["num_ctx"] = context_tokens([*messages, *_extra_context(messages, tools)], limit or max_tokens)
    translated["options"] = options
    if wanted := _format(body.get("response_format")):
        translated["format"] = wanted
    return translated


def _messages(messages: Sequence[Message]) -> list[JsonObject]:
    """Messages as Ollama takes them. It identifies a tool's result by the name of the tool."""
    names: dict[str, str] = {}
    sent = []
    for message in messages:
        names |= {call.id: call.name for call in requests.tool_calls(message)}
        sent.append(_message(message, names.get(requests.tool_call_id(message), "")))
    return sent


def _message(message: Message, tool_name: str) -> JsonObject:
    translated = message_with(message.role, content.content_pieces(message))
    calls: list[JsonValue] = [
        {"id": call.id, "function": {"name": call.name, "arguments": call.arguments}}
        for call in requests.tool_calls(message)
    ]
    if calls:
        translated["tool_calls"] = calls
    if tool_name:
        translated |= {"tool_name": tool_name, "tool_call_id": requests.tool_call_id(message)}
    return translated


def _tools(body: JsonObject, route: Route) -> list[JsonValue]:
    """The tools, unchanged: Ollama takes OpenAI's shape. Empty where none may be used."""
    if not requests.tools_in(body, route):
        return []
    mode, _ = requests.tool_choice(body, route)
    if mode not in ("auto", "none"):
        raise requests.refused(route, "tool_choice", _CANNOT_FORCE_TOOLS)
    tools = body.get("tools")
    return tools if isinstance(tools, list) and mode == "auto" else []


def _extra_context(messages: Sequence[JsonObject], tools: Sequence[JsonValue]) -> list[JsonObject]:
    """Tool calls and tools as one more message, since they take up context too."""
    beside = [*(message["tool_calls"] for message in messages if "tool_calls" in message), *tools]
    return [{"content": json.dumps(beside)}] if beside else []


def _format(wanted: JsonValue) -> JsonValue:
    """What a `response_format` becomes in Ollama's `format`: a schema or "json"; None for text."""
    if not isinstance(wanted, dict):
        return None
    inner = wanted.get("json_schema")
    schema = inner.get("schema") if isinstance(inner, dict) else None
    return schema or ("json" if wanted.get("type") in ("json_object", "json_schema") else None)

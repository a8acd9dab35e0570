"""Relaying to Ollama's own chat API: a request in OpenAI's shape translated there, and the answer back."""

import json
from collections.abc import Iterator, Sequence

from pydantic import JsonValue

from memory.events import Message
from memory.llm.answers import validation
from memory.llm.answers.json_stream import objects_in_lines
from memory.llm.answers.validation import plain
from memory.llm.chat_completions import content, requests
from memory.llm.chat_completions.responses import (
    Envelope,
    Heard,
    Relayed,
    RelayedStream,
    relayed,
    tool_call,
    usage,
    wants_usage,
)
from memory.llm.errors import NotFound, RequestRefused
from memory.llm.http import client, error_mapping
from memory.llm.http.byte_stream import ByteStream, open_stream
from memory.llm.http.client import JsonObject
from memory.llm.ollama import completion
from memory.llm.types import Route

_NUMBERS = ("temperature", "top_p", "top_k", "seed", "presence_penalty", "frequency_penalty")
_NO_FORCE = (
    "must be auto or none: Ollama cannot be made to call a tool. With CAESAR_LLM__PROVIDER=openai and its /v1 address "
    "other values are passed on, and it passes over them"
)


class OllamaRelay:
    """The provider `ollama`."""

    def relay(self, body: JsonObject, route: Route, *, max_tokens: int) -> Relayed:
        """The server's answer in OpenAI's shape. Raises `LLMError`."""
        sent = request_for(body, route, max_tokens=max_tokens)
        try:
            answer = client.ask(route, completion.PATH, headers=completion.headers(route), body=sent)
        except (NotFound, RequestRefused) as error:
            raise completion.with_cure(error, route, is_for_memory=False) from None
        return relayed(_as_completion(answer, route), route)

    def relay_stream(self, body: JsonObject, route: Route, *, max_tokens: int) -> RelayedStream:
        """The server's answer as OpenAI's chunks. Raises `LLMError`."""
        sent = request_for(body, route, max_tokens=max_tokens) | {"stream": True}
        heard = Heard(route)
        try:
            stream = open_stream(
                route.base_url + completion.PATH, headers=completion.headers(route), body=sent, route=route
            )
        except (NotFound, RequestRefused) as error:
            raise completion.with_cure(error, route, is_for_memory=False) from None
        return RelayedStream(heard.noted(_chunks(stream, heard, route, has_usage=wants_usage(body))), heard, stream)


# --- the request ------------------------------------------------------------------------------------------------


def request_for(body: JsonObject, route: Route, *, max_tokens: int) -> JsonObject:
    """A chat-completions request as one of Ollama's. Raises `RequestRefused`.

    The context is made large enough for all of it; `max_tokens` counts there for an answer without a bound.
    """
    requests.refuse_untranslatable(body, route)
    messages = _messages(requests.messages_in(body, route))
    request: JsonObject = {"model": route.model, "messages": list(messages), "stream": False}
    if tools := _tools(body, route):
        request["tools"] = tools
    options: JsonObject = dict(requests.numbers_in(body, *_NUMBERS))
    if stops := requests.stops_in(body):
        options["stop"] = list[JsonValue](stops)
    longest = requests.max_tokens_in(body)
    if longest:
        options["num_predict"] = longest
    options["num_ctx"] = completion.context_for([*messages, *_as_words(messages, tools)], longest or max_tokens)
    request["options"] = options
    if wanted := _format(body.get("response_format")):
        request["format"] = wanted
    return request


def _messages(messages: Sequence[Message]) -> list[JsonObject]:
    """Messages as Ollama takes them, which knows a tool's result by the tool's name."""
    names: dict[str, str] = {}
    sent = []
    for message in messages:
        names |= {call.id: call.name for call in requests.tool_calls(message)}
        sent.append(_message(message, names.get(requests.answers_call(message), "")))
    return sent


def _message(message: Message, tool_name: str) -> JsonObject:
    found = completion.message_of(message.role, content.content_pieces(message))
    calls: list[JsonValue] = [
        {"id": call.id, "function": {"name": call.name, "arguments": call.arguments}}
        for call in requests.tool_calls(message)
    ]
    if calls:
        found["tool_calls"] = calls
    if tool_name:
        found |= {"tool_name": tool_name, "tool_call_id": requests.answers_call(message)}
    return found


def _tools(body: JsonObject, route: Route) -> list[JsonValue]:
    """The tools as they came, which Ollama takes; none where none is to be used."""
    if not requests.tools_in(body, route):
        return []
    how, _ = requests.tool_choice(body, route)
    if how not in ("auto", "none"):
        raise requests.refused(route, "tool_choice", _NO_FORCE)
    tools = body.get("tools")
    return tools if isinstance(tools, list) and how == "auto" else []


def _as_words(messages: Sequence[JsonObject], tools: Sequence[JsonValue]) -> list[JsonObject]:
    """What fills the context beside the messages' texts, as one more message."""
    beside = [*(message["tool_calls"] for message in messages if "tool_calls" in message), *tools]
    return [{"content": json.dumps(beside)}] if beside else []


def _format(wanted: JsonValue) -> JsonValue:
    """The schema, or "json", that a `response_format` stands for; None for text."""
    if not isinstance(wanted, dict):
        return None
    inner = wanted.get("json_schema")
    schema = inner.get("schema") if isinstance(inner, dict) else None
    return schema or ("json" if wanted.get("type") in ("json_object", "json_schema") else None)


# --- the answer -------------------------------------------------------------------------------------------------


def _as_completion(answer: JsonObject, route: Route) -> JsonObject:
    """A whole answer as OpenAI's `chat.completion`, what was thought beside the text as `reasoning_content`."""
    said = answer.get("message")
    if not isinstance(said, dict):
        raise validation.bad_answer(route, "without a message in it")
    if answer.get("done") is False:
        raise validation.bad_answer(route, "that is a piece of a stream, which was not asked for")
    calls: list[JsonValue] = list(_calls(said))
    text = plain(said.get("content"))
    message: JsonObject = {"content": text if text or not calls else None, "refusal": None}
    if thought := plain(said.get("thinking")):
        message["reasoning_content"] = thought
    if calls:
        message["tool_calls"] = calls
    return Envelope(plain(answer.get("model")) or route.model).answer(
        message, finish_reason=_finish_reason(answer, calls_tool=bool(calls)), usage=_usage(answer)
    )


def _calls(said: JsonObject) -> Iterator[JsonObject]:
    for call in validation.objects(said.get("tool_calls")):
        function = call.get("function")
        if isinstance(function, dict):
            yield tool_call(plain(call.get("id")), plain(function.get("name")), function.get("arguments"))


def _finish_reason(answer: JsonObject, *, calls_tool: bool) -> str:
    if answer.get("done_reason") == "length":
        return "length"
    return "tool_calls" if calls_tool else "stop"


def _usage(answer: JsonObject) -> JsonObject | None:
    return usage(validation.count(answer, "prompt_eval_count"), validation.count(answer, "eval_count"))


def _chunks(stream: ByteStream, heard: Heard, route: Route, *, has_usage: bool) -> Iterator[JsonObject]:
    """A stream's lines as OpenAI's chunks. Raises `LLMError`, also where it ends before a line that says so."""
    envelope: Envelope | None = None
    calls_so_far = 0
    for line in objects_in_lines(stream):
        said = line.get("message")
        if not isinstance(said, dict):
            raise validation.bad_answer(route, "without a message in it")
        if envelope is None:
            envelope = Envelope(plain(line.get("model")) or route.model, has_usage)
            yield envelope.chunk({"role": "assistant", "content": ""})
        calls: list[JsonValue] = [{"index": calls_so_far + place, **call} for place, call in enumerate(_calls(said))]
        calls_so_far += len(calls)
        yield from _pieces(envelope, said, calls)
        if line.get("done") is True:
            heard.count_tokens(_usage(line))
            yield envelope.chunk({}, finish_reason=_finish_reason(line, calls_tool=calls_so_far > 0))
            yield from envelope.usage_chunks(_usage(line))
            stream.finish()
            return
    raise stream.call.lost() if envelope else error_mapping.no_json(stream.call.server, "a stream with nothing in it")


def _pieces(envelope: Envelope, said: JsonObject, calls: list[JsonValue]) -> Iterator[JsonObject]:
    for name, told_as in (("thinking", "reasoning_content"), ("content", "content")):
        text = said.get(name)
        if isinstance(text, str) and text:
            yield envelope.chunk({told_as: text})
    if calls:
        yield envelope.chunk({"tool_calls": calls})

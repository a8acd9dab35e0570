"""Relaying to Anthropic's messages: a request in OpenAI's shape translated there, and the answer back."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import count

from pydantic import JsonValue

from memory.events import Message
from memory.llm.anthropic import completion
from memory.llm.anthropic.stream import as_completion, chunks_in
from memory.llm.chat_completions import content, requests
from memory.llm.chat_completions.responses import Heard, Relayed, RelayedStream, relayed, wants_usage
from memory.llm.http import client
from memory.llm.http.byte_stream import open_stream
from memory.llm.http.client import JsonObject
from memory.llm.http.fallbacks import Quirks
from memory.llm.types import Route

HIGHEST_TEMPERATURE = 1.0

# Newer models take no numbers for their sampling, or only one of them.
_QUIRKS: Mapping[str, re.Pattern[str]] = {"sampling": re.compile(r"temperature|top_p|top_k", re.IGNORECASE)}
_QUIRK_STATUSES = frozenset({400, 422})
_SAMPLING = ("temperature", "top_p", "top_k")

Side = tuple[str, list[JsonObject]]


class AnthropicRelay:
    """The provider `anthropic`."""

    def __init__(self) -> None:
        self._quirks = Quirks(_QUIRKS, statuses=_QUIRK_STATUSES)

    def relay(self, body: JsonObject, route: Route, *, max_tokens: int) -> Relayed:
        """The server's answer in OpenAI's shape. Raises `LLMError`.

        A model that takes no sampling numbers is asked once more without them, and not asked that way again.
        """
        sent = request_for(body, route, max_tokens=max_tokens)
        ask = partial(_asked, sent, route)
        return relayed(as_completion(self._quirks.asked(ask, route=route, sent=_quirky(sent)), route), route)

    def relay_stream(self, body: JsonObject, route: Route, *, max_tokens: int) -> RelayedStream:
        """The server's answer as OpenAI's chunks, on the terms of `relay`. Raises `LLMError`."""
        sent = request_for(body, route, max_tokens=max_tokens) | {"stream": True}
        open_one = partial(_opened, sent, route, wants_usage(body))
        return self._quirks.asked(open_one, route=route, sent=_quirky(sent))


def _quirky(sent: JsonObject) -> list[str]:
    return ["sampling"] if any(name in sent for name in _SAMPLING) else []


def _without(sent: JsonObject, quirks: frozenset[str]) -> JsonObject:
    left_out = _SAMPLING if "sampling" in quirks else ()
    return {name: value for name, value in sent.items() if name not in left_out}


def _asked(sent: JsonObject, route: Route, quirks: frozenset[str]) -> JsonObject:
    return client.ask(route, completion.PATH, headers=completion.headers(route), body=_without(sent, quirks))


def _opened(sent: JsonObject, route: Route, has_usage: bool, quirks: frozenset[str]) -> RelayedStream:
    body = _without(sent, quirks)
    stream = open_stream(route.base_url + completion.PATH, headers=completion.headers(route), body=body, route=route)
    heard = Heard(route)
    chunks = chunks_in(stream, heard, route, has_usage=has_usage)
    return RelayedStream(heard.noted(chunks), heard, stream)


# --- the request ------------------------------------------------------------------------------------------------


def request_for(body: JsonObject, route: Route, *, max_tokens: int) -> JsonObject:
    """A chat-completions request as one for messages. Raises `RequestRefused`.

    `response_format` is left out: Anthropic has none that a tool would not stand in for, and a tool is none.
    """
    requests.refuse_untranslatable(body, route)
    messages = requests.messages_in(body, route)
    tools = _tools(body, route)
    request: JsonObject = {
        "model": route.model,
        "max_tokens": requests.max_tokens_in(body) or max_tokens,
        "messages": completion.merged_turns(_sides(messages)) if tools else completion.turns(messages),
        "stream": False,
        **_sampling(body),
        **tools,
    }
    if system := completion.system_prompt(messages):
        request["system"] = system
    if stops := [text for text in requests.stops_in(body) if text.strip()]:  # blank ones are refused
        request["stop_sequences"] = list[JsonValue](stops)
    return request


def _sampling(body: JsonObject) -> JsonObject:
    """Temperature, where there is one, else top_p, which most models do not take beside it; and top_k.

    OpenAI's scale of temperatures goes to 2, this one to 1.
    """
    numbers = dict(requests.numbers_in(body, *_SAMPLING))
    if "temperature" in numbers:
        numbers.pop("top_p", None)
        numbers["temperature"] = min(numbers["temperature"], HIGHEST_TEMPERATURE)
    return dict(numbers)


def _tools(body: JsonObject, route: Route) -> JsonObject:
    """The tools offered and how they are to be used; nothing where there are none."""
    tools = requests.tools_in(body, route)
    if not tools:
        return {}
    offered: list[JsonValue] = [
        {
            "name": tool.name,
            **({"description": tool.description} if tool.description else {}),
            "input_schema": {"type": "object", **tool.parameters},
        }
        for tool in tools
    ]
    return {"tools": offered, "tool_choice": _tool_choice(body, route)}


def _tool_choice(body: JsonObject, route: Route) -> JsonObject:
    how, name = requests.tool_choice(body, route)
    if how == "none":
        return {"type": "none"}
    choice: JsonObject = {"type": {"auto": "auto", "required": "any"}.get(how, "tool")}
    if name:
        choice["name"] = name
    if body.get("parallel_tool_calls") is False:
        choice["disable_parallel_tool_use"] = True
    return choice


# --- tools in the history ---------------------------------------------------------------------------------------


def _sides(messages: Sequence[Message]) -> Iterator[Side]:
    """Whose side each message is on, and its blocks: calls of tools and their results as such.

    A call without its result right behind it, and a result without its call, are refused there: those become words.
    An id that was used before is refused too: `open_calls` has, for each id of the client's, the one that goes out.
    """
    said = [message for message in messages if message.role not in completion.SYSTEM_ROLES]
    used, open_calls = set[str](), dict[str, str]()
    for place, message in enumerate(said):
        if message.role == "assistant":
            open_calls = {call_id: _unused(call_id, used) for call_id in _answered_by(said[place + 1 :])}
            yield "assistant", _assistant_blocks(message, open_calls)
        elif sent_id := open_calls.pop(requests.answers_call(message), ""):
            yield "user", [_result(sent_id, message)]
        else:
            yield from completion.sides_of([message])


def _answered_by(following: Sequence[Message]) -> Iterator[str]:
    """The ids of the calls whose results come next."""
    for message in following:
        if message.role != "tool":
            break
        if call_id := requests.answers_call(message):
            yield call_id


def _unused(call_id: str, used: set[str]) -> str:
    """An id as the API takes it, each once."""
    plain_id = re.sub(r"[^a-zA-Z0-9_-]", "_", call_id)
    sent_id = next(one for place in count(1) if (one := f"{plain_id}_{place}" if place > 1 else plain_id) not in used)
    used.add(sent_id)
    return sent_id


def _assistant_blocks(message: Message, open_calls: dict[str, str]) -> list[JsonObject]:
    """A message's words, and the calls in it that are answered; no others stay in `open_calls`."""
    calls = {call.id: call for call in requests.tool_calls(message) if call.id in open_calls}
    for call_id in set(open_calls) - set(calls):
        del open_calls[call_id]
    unanswered = [call for call in requests.tool_calls(message) if call not in calls.values()]
    words = [content.called(call.name, json.dumps(call.arguments, ensure_ascii=False)) for call in unanswered]
    asked: list[JsonObject] = [
        {"type": "tool_use", "id": open_calls[call.id], "name": call.name, "input": call.arguments}
        for call in calls.values()
    ]
    return [*map(completion.block, [*content.content_pieces(message), *words]), *asked]


def _result(sent_id: str, message: Message) -> JsonObject:
    blocks: list[JsonValue] = [completion.block(piece) for piece in content.content_pieces(message)]
    return {"type": "tool_result", "tool_use_id": sent_id, **({"content": blocks} if blocks else {})}

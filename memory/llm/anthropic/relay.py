"""Relaying to Anthropic's messages API: the client's request translated, and the answer in OpenAI's shape."""

import json
import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import count

from pydantic import JsonValue

from memory.events import Message
from memory.llm.anthropic.messages import (
    SYSTEM_ROLES,
    RoleBlocks,
    alternating_turns,
    content_block,
    role_blocks_of,
    system_prompt,
    turns,
)
from memory.llm.anthropic.server import PATH, headers
from memory.llm.anthropic.stream import as_completion, chunks_in
from memory.llm.chat_completions import content, requests
from memory.llm.chat_completions.responses import Relayed, RelayedStream, relayed_answer, relayed_stream, wants_usage
from memory.llm.http import client
from memory.llm.http.byte_stream import open_stream
from memory.llm.http.capability_fallback import CapabilityFallback
from memory.llm.http.client import JsonObject
from memory.llm.types import Route

MAX_TEMPERATURE = 1.0

# Newer models take no sampling parameters, or only one of them.
_OPTIONAL_PARAMETERS = {"sampling": re.compile(r"temperature|top_p|top_k", re.IGNORECASE)}
_FALLBACK_STATUSES = frozenset({400, 422})
_SAMPLING_PARAMETERS = ("temperature", "top_p", "top_k")


class AnthropicRelay:
    """How the provider `anthropic` relays."""

    def __init__(self) -> None:
        super().__init__()
        self._sampling_fallback = CapabilityFallback(_OPTIONAL_PARAMETERS, statuses=_FALLBACK_STATUSES)

    def relay(self, body: JsonObject, route: Route, *, max_tokens: int) -> Relayed:
        """The server's answer in OpenAI's shape. Raises `LLMError`.

        Where a model refuses sampling parameters, the request is sent again without them, and later requests leave them
        out.
        """
        translated = request_for(body, route, max_tokens=max_tokens)
        answer = self._sampling_fallback.call(
            partial(_answer, translated, route), route=route, parameters=_optional_in(translated)
        )
        return relayed_answer(as_completion(answer, route), route)

    def relay_stream(self, body: JsonObject, route: Route, *, max_tokens: int) -> RelayedStream:
        """The server's answer as OpenAI's chunks; sampling parameters as in `relay`. Raises `LLMError`."""
        translated = request_for(body, route, max_tokens=max_tokens) | {"stream": True}
        open_one = partial(_open_stream, translated, route, wants_usage(body))
        return self._sampling_fallback.call(open_one, route=route, parameters=_optional_in(translated))


def _optional_in(translated: JsonObject) -> list[str]:
    return ["sampling"] if any(name in translated for name in _SAMPLING_PARAMETERS) else []


def _without(translated: JsonObject, unsupported: frozenset[str]) -> JsonObject:
    dropped = _SAMPLING_PARAMETERS if "sampling" in unsupported else ()
    return {name: value for name, value in translated.items() if name not in dropped}


def _answer(translated: JsonObject, route: Route, unsupported: frozenset[str]) -> JsonObject:
    return client.post(route, PATH, headers=headers(route), body=_without(translated, unsupported))


def _open_stream(translated: JsonObject, route: Route, has_usage: bool, unsupported: frozenset[str]) -> RelayedStream:
    stream = open_stream(route, PATH, headers=headers(route), body=_without(translated, unsupported))
    return relayed_stream(stream, route, partial(chunks_in, stream, route=route, has_usage=has_usage))


# --- the request ------------------------------------------------------------------------------------------------


def request_for(body: JsonObject, route: Route, *, max_tokens: int) -> JsonObject:
    """A chat-completions request translated for the messages API. Raises `RequestRefused`.

    `response_format` is dropped. The messages API has no such parameter, and a tool in its place would change the shape
    of the answer.
    """
    requests.refuse_untranslatable(body, route)
    messages = requests.messages_in(body, route)
    tools = _tools(body, route)
    translated: JsonObject = {
        "model": route.model,
        "max_tokens": requests.max_tokens_in(body) or max_tokens,
        "messages": alternating_turns(_role_blocks(messages)) if tools else turns(messages),
        "stream": False,
        **_sampling(body),
        **tools,
    }
    if system := system_prompt(messages):
        translated["system"] = system
    if stops := [text for text in requests.stop_texts_in(body) if text.strip()]:  # blank ones are refused
        translated["stop_sequences"] = list[JsonValue](stops)
    return translated


def _sampling(body: JsonObject) -> JsonObject:
    """The sampling parameters, without `top_p` beside a `temperature`: most models refuse the two together.

    OpenAI's temperatures go up to 2, Anthropic's to 1.
    """
    numbers = dict(requests.numbers_in(body, *_SAMPLING_PARAMETERS))
    if "temperature" in numbers:
        numbers.pop("top_p", None)
        numbers["temperature"] = min(numbers["temperature"], MAX_TEMPERATURE)
    return dict(numbers)


def _tools(body: JsonObject, route: Route) -> JsonObject:
    """The fields `tools` and `tool_choice`; no fields where no tools are offered."""
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
    mode, name = requests.tool_choice(body, route)
    if mode == "none":
        return {"type": "none"}
    choice: JsonObject = {"type": {"auto": "auto", "required": "any"}.get(mode, "tool")}
    if name:
        choice["name"] = name
    if body.get("parallel_tool_calls") is False:
        choice["disable_parallel_tool_use"] = True
    return choice


# --- tools in the history ---------------------------------------------------------------------------------------


def _role_blocks(messages: Sequence[Message]) -> Iterator[RoleBlocks]:
    """The role and the content blocks of each message, with tool calls and their results as blocks of their own.

    The API refuses a call that is not followed by its result, and a result without a call: those are written out as
    words. It also refuses an id that was used before, so ids are made unique; `open_calls` maps the client's id of a
    call that waits for its result to the id that is sent.
    """
    conversation = [message for message in messages if message.role not in SYSTEM_ROLES]
    used, open_calls = set[str](), dict[str, str]()
    for place, message in enumerate(conversation):
        if message.role == "assistant":
            open_calls = {call_id: _unique_id(call_id, used) for call_id in _result_ids(conversation[place + 1 :])}
            yield "assistant", _assistant_blocks(message, open_calls)
        elif sent_id := open_calls.pop(requests.tool_call_id(message), ""):
            yield "user", [_result_block(sent_id, message)]
        else:
            yield from role_blocks_of([message])


def _result_ids(following: Sequence[Message]) -> Iterator[str]:
    """The ids of the calls whose results come directly next."""
    for message in following:
        if message.role != "tool":
            break
        if call_id := requests.tool_call_id(message):
            yield call_id


def _unique_id(call_id: str, used: set[str]) -> str:
    """The id in characters that the API takes, with a number behind it where it was used before."""
    plain_id = re.sub(r"[^a-zA-Z0-9_-]", "_", call_id)
    sent_id = next(one for place in count(1) if (one := f"{plain_id}_{place}" if place > 1 else plain_id) not in used)
    used.add(sent_id)
    return sent_id


def _assistant_blocks(message: Message, open_calls: dict[str, str]) -> list[JsonObject]:
    """A message's content, then its calls that have results. Removes from `open_calls` what it does not call."""
    calls = {call.id: call for call in requests.tool_calls(message) if call.id in open_calls}
    for call_id in set(open_calls) - set(calls):
        del open_calls[call_id]
    unanswered = [call for call in requests.tool_calls(message) if call not in calls.values()]
    unanswered_texts = [
        content.tool_call_text(call.name, json.dumps(call.arguments, ensure_ascii=False)) for call in unanswered
    ]
    call_blocks: list[JsonObject] = [
        {"type": "tool_use", "id": open_calls[call.id], "name": call.name, "input": call.arguments}
        for call in calls.values()
    ]
    return [*map(content_block, [*content.content_pieces(message), *unanswered_texts]), *call_blocks]


def _result_block(sent_id: str, message: Message) -> JsonObject:
    blocks: list[JsonValue] = [content_block(piece) for piece in content.content_pieces(message)]
    return {"type": "tool_result", "tool_use_id": sent_id, **({"content": blocks} if blocks else {})}

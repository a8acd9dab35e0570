"""From a request of Responses to one of chat completions, which is what the turn is recorded and relayed as. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from memory.api.openai_responses.items import (
    AudioPart,
    CallItem,
    FilePart,
    ImagePart,
    Item,
    MessageItem,
    Part,
    ReasoningItem,
    RefusalPart,
    ResultItem,
    TextPart,
)
from memory.api.openai_responses.request import FunctionTool, PlainFormat, ResponsesRequest, SchemaFormat
from memory.api.requests import JsonObject
from memory.events import Message


@dataclass(frozen=True)
class Translated:
    """The messages of a request, and where in its body the content of each stands."""

    messages: Sequence[Message]
    places: Sequence[str]


def messages_of(asked: ResponsesRequest) -> Translated:
    """The conversation: the instructions as a system message, then one message or more for the items.

    An assistant's words and the calls that follow them become one message, as chat completions have it.
    """
    builder = _Messages()
    if asked.instructions:
        builder.add({"role": "system", "content": asked.instructions}, "instructions")
    if isinstance(asked.input, str):
        builder.add({"role": "user", "content": asked.input}, "input")
    else:
        is_step = _steps(asked.input)
        for number, item in enumerate(asked.input):
            builder.add_item(item, f"input[{number}]", is_step=is_step[number])
    return Translated([Message.model_validate(message) for message in builder.messages], builder.places)


def _steps(items: Sequence[Item]) -> Sequence[bool]:
    """Of each item, whether it stands behind the operator's last message: between the steps of a tool."""
    said = [number for number, item in enumerate(items) if isinstance(item, MessageItem) and item.role == "user"]
    last = said[-1] if said else -1
    return [number > last for number in range(len(items))]


@dataclass
class _Messages:
    """The messages so far."""

    messages: list[JsonObject] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    _thought: str = ""
    _is_open: bool = False
    """Whether the last message is the assistant's, and no other item came since."""

    def add(self, message: JsonObject, place: str) -> None:
        self.messages.append(message)
        self.places.append(place)
        self._is_open = message["role"] == "assistant"

    def add_item(self, item: Item, place: str, *, is_step: bool) -> None:
        if isinstance(item, ReasoningItem):
            self._add_reasoning(item, is_step=is_step)
        elif isinstance(item, CallItem):
            self._add_call(item, place)
        elif isinstance(item, ResultItem):
            result: JsonObject = {"role": "tool", "tool_call_id": item.call_id, "content": _content(item.output)}
            self.add(result, f"{place}.output")
        elif item.role == "assistant":
            self._add_answer(item, place)
        else:
            role = "user" if item.role == "user" else "system"
            self.add({"role": role, "content": _content(item.content)}, f"{place}.content")

    def _add_reasoning(self, item: ReasoningItem, *, is_step: bool) -> None:
        """Keep it for the calls that follow: some models ask for it back until their tools have answered."""
        if is_step and not item.encrypted_content:
            self._thought = "\n\n".join(piece.text for piece in item.summary)

    def _add_answer(self, item: MessageItem, place: str) -> None:
        text = _answer_text(item)
        if self._is_open and self.messages[-1].get("tool_calls"):
            said = self.messages[-1].get("content")
            self.messages[-1]["content"] = f"{said}\n{text}" if said else text
        else:
            self.add({"role": "assistant", "content": text}, f"{place}.content")

    def _add_call(self, item: CallItem, place: str) -> None:
        if not self._is_open:
            self.add({"role": "assistant", "content": None}, place)
        message = self.messages[-1]
        calls = message.setdefault("tool_calls", [])
        if isinstance(calls, list):
            function: JsonObject = {"name": item.name, "arguments": item.arguments}
            calls.append({"id": item.call_id, "type": "function", "function": function})
        if self._thought:
            message["reasoning_content"], self._thought = self._thought, ""


# --- content --------------------------------------------------------------------------------------------------------


def _answer_text(item: MessageItem) -> str:
    """What the assistant said, its refusals among it, as one text."""
    if isinstance(item.content, str):
        return item.content
    texts = (part.refusal if isinstance(part, RefusalPart) else getattr(part, "text", "") for part in item.content)
    return "\n".join(filter(None, texts))


def _content(content: str | Sequence[Part]) -> JsonValue:
    """Text as text, also where it is a list with one text in it, which every server takes; else a list of parts."""
    if isinstance(content, str):
        return content
    if len(content) == 1 and isinstance(content[0], TextPart):
        return content[0].text
    return [_part(part) for part in content]


def _part(part: Part) -> JsonObject:
    if isinstance(part, ImagePart):
        detail: JsonObject = {"detail": part.detail} if part.detail else {}
        return {"type": "image_url", "image_url": {"url": part.image_url, **detail}}
    if isinstance(part, FilePart):
        name: JsonObject = {"filename": part.filename} if part.filename else {}
        return {"type": "file", "file": {**name, "file_data": part.file_data}}
    if isinstance(part, AudioPart):
        return {"type": "input_audio", "input_audio": part.input_audio.model_dump()}
    return {"type": "text", "text": part.refusal if isinstance(part, RefusalPart) else part.text}


# --- the rest of the body -------------------------------------------------------------------------------------------


def body_of(asked: ResponsesRequest, *, limit_field: str) -> JsonObject:
    """The fields of a chat completion beside its messages. `limit_field`: what its server calls the longest answer."""
    wanted: JsonObject = {
        "model": asked.model,
        limit_field: asked.max_output_tokens,
        "temperature": asked.temperature,
        "top_p": asked.top_p,
        "reasoning_effort": asked.effort,
        "user": asked.user,
        "safety_identifier": asked.safety_identifier,
        "service_tier": asked.service_tier,
        "verbosity": asked.verbosity,
        "response_format": _response_format(asked.form),
        **_tool_fields(asked),
    }
    if asked.stream:
        wanted |= {"stream": True, "stream_options": {"include_usage": True}}
    return {name: value for name, value in wanted.items() if value is not None}


def _response_format(form: PlainFormat | SchemaFormat) -> JsonObject | None:
    """None for text, which is what servers give anyway."""
    if isinstance(form, SchemaFormat):
        given = form.model_dump(by_alias=True, exclude={"type"}, exclude_none=True)
        return {"type": "json_schema", "json_schema": given}
    return {"type": "json_object"} if form.type == "json_object" else None


def _tool_fields(asked: ResponsesRequest) -> JsonObject:
    """The functions that may be called; nothing without any, where servers refuse a choice among them."""
    choice, names = _choice(asked.tool_choice)
    tools = [tool for tool in asked.tools or [] if names is None or tool.name in names]
    if not tools:
        return {}
    return {
        "tools": [_tool(tool) for tool in tools],
        "tool_choice": choice,
        "parallel_tool_calls": asked.parallel_tool_calls,
    }


def _tool(tool: FunctionTool) -> JsonObject:
    return {"type": "function", "function": tool.model_dump(exclude={"type"}, exclude_none=True)}


def _choice(choice: JsonValue) -> tuple[JsonValue, set[str] | None]:
    """The choice in the words of chat completions, and the names of the functions that may be called, None for all."""
    if not isinstance(choice, dict):
        return choice, None
    if choice["type"] == "function":
        return {"type": "function", "function": {"name": choice["name"]}}, None
    return choice["mode"], set(_names(choice["tools"]))


def _names(tools: JsonValue) -> Iterator[str]:
    for tool in tools if isinstance(tools, list) else ():
        if isinstance(tool, dict):
            yield str(tool["name"])

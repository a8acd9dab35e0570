"""A request in Anthropic's shape as a chat completion, for providers that speak that; what has no counterpart is
refused.

Not refused is what does not change the meaning of an answer: cache breakpoints, `thinking`, effort, service tiers.
"""

from collections.abc import Iterator, Mapping, Sequence

from pydantic import JsonValue

from memory.api.anthropic.conversation import THINKING, Block, objects_in, text_in
from memory.api.anthropic.requests import AnthropicMessage
from memory.api.errors import ApiError, invalid

_SAME = ("model", "temperature", "top_p", "top_k")
_TAKEN_BLOCKS = {"text", "image", "document", "search_result", "tool_use", "tool_result", *THINKING}
_SOURCES = {"image": ("base64", "url"), "document": ("text", "content", "base64")}
_CHOICES: Mapping[str, str] = {"auto": "auto", "none": "none", "any": "required"}
_REFUSED = ("container", "mcp_servers")


def completion_body(body: Block, messages: Sequence[AnthropicMessage], *, provider: str, limit_field: str) -> Block:
    """The chat completion that asks for the same, without its messages. Raises the refusal of what cannot be asked.

    `limit_field`: what the provider calls the longest answer.
    """
    for name in _REFUSED:
        if body.get(name):
            raise _refused(name, "works at Anthropic's own API alone", provider)
    _refuse_blocks(messages, provider)
    translated: Block = {name: body[name] for name in _SAME if body.get(name) is not None}
    if (limit := body.get("max_tokens")) is not None:
        if limit == 0:
            raise _refused("max_tokens", "must be at least 1", provider)
        translated[limit_field] = limit
    if body.get("stop_sequences"):
        translated["stop"] = body["stop_sequences"]
    if body.get("stream"):
        translated |= {"stream": True, "stream_options": {"include_usage": True}}
    return translated | _tools(body, provider) | _format(body)


def _refused(param: str, problem: str, provider: str) -> ApiError:
    return invalid(f"{param} {problem}; chats go to the provider {provider}.", param=param)


# --- blocks -------------------------------------------------------------------------------------------------------


def _refuse_blocks(messages: Sequence[AnthropicMessage], provider: str) -> None:
    """Raise the refusal of the first block that the provider cannot be given."""
    for place, block in _blocks(messages):
        kind = text_in(block, "type")
        source = block.get("source")
        source_kind = text_in(source, "type") if isinstance(source, dict) else ""
        if kind not in _TAKEN_BLOCKS:
            raise _refused(place, f"is a block {kind[:100]!r}, which Anthropic's own API alone takes", provider)
        if source_kind not in _SOURCES.get(kind, (source_kind,)):
            raise _refused(f"{place}.source", f"of type {source_kind[:100]!r} cannot be sent on", provider)
        if kind == "image" and source_kind == "url" and provider == "ollama":
            raise _refused(place, "is a picture on the web, which is not fetched: send its data", provider)
        if kind == "document" and source_kind == "base64" and provider != "openai":
            raise _refused(place, "is a file, which this provider does not take: send its text", provider)
    if messages[-1].role == "assistant":
        place = f"messages[{len(messages) - 1}]"
        raise _refused(place, "is the assistant's, which no answer can go on with: end with a user's message", provider)


def _blocks(messages: Sequence[AnthropicMessage]) -> Iterator[tuple[str, Block]]:
    """Every block with its place, those inside the results of tools and documents too."""
    for number, message in enumerate(messages):
        if isinstance(message.content, list):
            yield from _with_places(f"messages[{number}].content", message.content)


def _with_places(place: str, blocks: Sequence[Block]) -> Iterator[tuple[str, Block]]:
    for number, block in enumerate(blocks):
        here = f"{place}[{number}]"
        yield here, block
        source = block.get("source")
        if block.get("type") == "tool_result":
            yield from _with_places(f"{here}.content", objects_in(block.get("content")))
        if block.get("type") == "document" and isinstance(source, dict):
            yield from _with_places(f"{here}.source.content", objects_in(source.get("content")))


# --- tools and formats --------------------------------------------------------------------------------------------


def _tools(body: Block, provider: str) -> Block:
    """The fields for tools; none where no tools are offered."""
    offered: list[JsonValue] = [
        _tool(tool, number, provider) for number, tool in enumerate(objects_in(body.get("tools")))
    ]
    if not offered:
        return {}
    choice = body.get("tool_choice")
    chosen: Block = choice if isinstance(choice, dict) else {"type": "auto"}
    alone: Block = {"parallel_tool_calls": False} if chosen.get("disable_parallel_tool_use") is True else {}
    return {"tools": offered, "tool_choice": _choice(chosen, provider), **alone}


def _tool(tool: Block, number: int, provider: str) -> Block:
    if tool.get("type") not in (None, "custom"):
        kind = str(tool.get("type"))[:100]
        raise _refused(f"tools[{number}]", f"is {kind!r}, a tool that Anthropic's own API alone has", provider)
    schema = tool.get("input_schema")
    function: Block = {"name": text_in(tool, "name"), "parameters": schema if isinstance(schema, dict) else {}}
    if description := text_in(tool, "description"):
        function["description"] = description
    return {"type": "function", "function": function}


def _choice(choice: Block, provider: str) -> JsonValue:
    kind = text_in(choice, "type")
    if kind == "tool" and (name := text_in(choice, "name")):
        return {"type": "function", "function": {"name": name}}
    if kind not in _CHOICES:
        raise _refused("tool_choice", "must be auto, any, none or a tool with its name", provider)
    return _CHOICES[kind]


def _format(body: Block) -> Block:
    """The form of the answer: a JSON schema, wherever the client's version of the API puts it."""
    config = body.get("output_config")
    wanted = config.get("format") if isinstance(config, dict) else body.get("output_format")
    schema = wanted.get("schema") if isinstance(wanted, dict) and wanted.get("type") == "json_schema" else None
    if not isinstance(schema, dict):
        return {}
    return {"response_format": {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}}}

"""Anthropic's messages in the shape in which turns are recorded, recalled for, and sent to other providers.

The results of tools are messages of their own there. Thinking is left out, and documents are marked as pasted matter,
so that nothing in them is taken for the operator's words.
"""

import json
from collections.abc import Iterator, Sequence

from pydantic import JsonValue

from memory import transcript
from memory.api.anthropic.requests import AnthropicMessage
from memory.events import Message
from memory.text.lines import one_line
from memory.text.messages import pasted

Block = dict[str, JsonValue]

THINKING = frozenset({"thinking", "redacted_thinking"})
FAILED = "[the tool failed]"


def objects_in(value: JsonValue) -> list[Block]:
    """The objects in a list; an empty list for any other value."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text_in(holder: Block, name: str) -> str:
    """A text field; "" where it holds none."""
    value = holder.get(name)
    return value if isinstance(value, str) else ""


def messages_of(system: str | list[Block] | None, messages: Sequence[AnthropicMessage]) -> list[Message]:
    """The messages, a system message first where there is a system prompt."""
    found: list[Message] = []
    if prompt := system_text(system):
        found.append(Message(role="system", content=prompt))
    for message in messages:
        found.extend(_from(message))
    return found


def system_text(system: str | list[Block] | None) -> str:
    """A system prompt as one text, its blocks with blank lines between."""
    if isinstance(system, list):
        return "\n\n".join(text for block in system if (text := text_in(block, "text")))
    return system or ""


def _from(message: AnthropicMessage) -> Iterator[Message]:
    if message.role == "system":
        yield Message(role="system", content=system_text(message.content))
    elif message.role == "assistant":
        yield _from_assistant(message.content)
    elif isinstance(message.content, str):
        yield Message(role="user", content=message.content)
    else:
        yield from _from_user(message.content)


# --- the user's ---------------------------------------------------------------------------------------------------


def _from_user(blocks: list[Block]) -> Iterator[Message]:
    """The results of tools, then what else there is.

    Where that holds no words of the operator's (a client's reminders, a picture that a tool gave), it belongs to the
    last result: the message is a step between tools, and no new question.
    """
    results = [_result(block) for block in blocks if block.get("type") == "tool_result"]
    rest = [part for block in blocks if block.get("type") != "tool_result" for part in parts_of(block)]
    said = Message(role="user", content=_joined(rest))
    if results and not transcript.own_words(said):
        results[-1] = results[-1].model_copy(update={"content": _joined([*_parts_in(results[-1]), *rest])})
        yield from results
        return
    yield from results
    if rest or not results:
        yield said


def _result(block: Block) -> Message:
    content = block.get("content")
    inner = [part for one in objects_in(content) for part in parts_of(one)]
    parts = [_text_part(content)] if isinstance(content, str) else inner
    failed = [_text_part(FAILED)] if block.get("is_error") is True else []
    content_sent = _joined([*failed, *parts])
    return Message.model_validate(
        {"role": "tool", "content": content_sent, "tool_call_id": text_in(block, "tool_use_id")}
    )


def _parts_in(message: Message) -> list[Block]:
    return message.content if isinstance(message.content, list) else [_text_part(message.content or "")]


def _joined(parts: list[Block]) -> str | list[Block]:
    """Parts as they are; one text alone, or none, as a string."""
    if not parts:
        return ""
    is_text = len(parts) == 1 and parts[0].get("type") == "text"
    return text_in(parts[0], "text") if is_text else parts


# --- blocks -------------------------------------------------------------------------------------------------------


def _text_part(text: str) -> Block:
    return {"type": "text", "text": text}


def parts_of(block: Block) -> list[Block]:
    """A block as parts of a message in OpenAI's shape; a block of another kind as its kind alone."""
    kind = text_in(block, "type") or "part"
    if kind == "text":
        return [_text_part(text_in(block, "text"))]
    if kind == "image":
        return [_image(block)]
    if kind == "document":
        return _document(block)
    if kind == "search_result":
        texts = [text_in(one, "text") for one in objects_in(block.get("content"))]
        return [_pasted("search_result", text_in(block, "title"), texts)]
    return [] if kind in THINKING else [{"type": kind}]


def _image(block: Block) -> Block:
    source = _source(block)
    if source.get("type") == "base64":
        url = f"data:{text_in(source, 'media_type')};base64,{text_in(source, 'data')}"
    else:
        url = text_in(source, "url")
    return {"type": "image_url", "image_url": {"url": url}} if url else {"type": "image"}


def _source(block: Block) -> Block:
    source = block.get("source")
    return source if isinstance(source, dict) else {}


def _document(block: Block) -> list[Block]:
    """A document's text between tags; its pictures, and a file, as parts of their own."""
    source, title = _source(block), text_in(block, "title")
    kind = source.get("type")
    if kind == "text":
        return [_pasted("document", title, [text_in(block, "context"), text_in(source, "data")])]
    if kind == "content":
        content = source.get("content")
        if isinstance(content, str):
            return [_pasted("document", title, [content])]
        inner = objects_in(content)
        pictures = [part for one in inner if one.get("type") != "text" for part in parts_of(one)]
        return [_pasted("document", title, [text_in(one, "text") for one in inner]), *pictures]
    if kind == "base64":
        data = f"data:{text_in(source, 'media_type')};base64,{text_in(source, 'data')}"
        return [{"type": "file", "file": {"filename": title or "document.pdf", "file_data": data}}]
    return [{"type": "document"}]


def _pasted(tag: str, title: str, texts: Sequence[str]) -> Block:
    """Texts between tags that mark them as pasted (`memory.text.messages.pasted`), which nothing in them can close."""
    name = one_line(title).translate({ord(sign): None for sign in '<>"'})
    head = f'<{tag} title="{name}">' if name else f"<{tag}>"
    return _text_part("\n".join([head, *map(pasted.without_delimiters, filter(None, texts)), f"</{tag}>"]))


# --- the assistant's ----------------------------------------------------------------------------------------------


def _from_assistant(content: str | list[Block] | None) -> Message:
    if not isinstance(content, list):
        return Message(role="assistant", content=content)
    calls: list[JsonValue] = [_call(block) for block in content if block.get("type") == "tool_use"]
    others = [block for block in content if block.get("type") not in {"tool_use", *THINKING}]
    if all(block.get("type") == "text" for block in others):
        words: JsonValue = "".join(text_in(block, "text") for block in others)
    else:
        words = [part for block in others for part in parts_of(block)]
    fields: Block = {"role": "assistant", "content": words or (None if calls else "")}
    return Message.model_validate({**fields, "tool_calls": calls} if calls else fields)


def _call(block: Block) -> Block:
    arguments = json.dumps(block.get("input") or {}, ensure_ascii=False)
    function: Block = {"name": text_in(block, "name"), "arguments": arguments}
    return {"id": text_in(block, "id"), "type": "function", "function": function}

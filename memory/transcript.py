"""One message in any client's shape: who speaks, its plain text, and the form in which it is stored. Pure."""

import re
from collections.abc import Sequence

from pydantic import JsonValue

from memory.events import Message
from memory.text import wording
from memory.text.lines import encodable, one_line
from memory.text.messages import pasted

SYSTEM_ROLES = frozenset({"system", "developer"})
OPERATOR_ROLES = frozenset({"user"})
ASSISTANT_ROLES = frozenset({"assistant"})

_BLOCK_LINE = re.compile(r"[ \t]*- ")


def is_operator(message: Message) -> bool:
    """Whether the operator speaks. Only these words may teach (decision 1)."""
    return message.role in OPERATOR_ROLES


def is_assistant(message: Message) -> bool:
    """Whether the model speaks, in words or by calling a tool."""
    return message.role in ASSISTANT_ROLES


def is_system(message: Message) -> bool:
    """Whether this is the client's own operator prompt."""
    return message.role in SYSTEM_ROLES


def with_memory_block(system: Message, block: str, *, position: wording.Position) -> Message:
    """A system message with the memory block before or after its own content, whose parts stay as they are.

    The same message where `block` is "". A memory block that the client sent back is replaced.
    """
    if not block:
        return system
    content: str | list[dict[str, JsonValue]]
    if isinstance(system.content, list):
        part: dict[str, JsonValue] = {"type": "text", "text": block}
        content = [part, *system.content] if position == "top" else [*system.content, part]
    else:
        content = wording.join_prompt(_without_echo(system.content or ""), block, position=position)
    return system.model_copy(update={"content": content})


def _without_echo(prompt: str) -> str:
    return without_memory_block(prompt).strip("\n") if wording.PREFACE in prompt else prompt


def plain_text(message: Message) -> str:
    """A message's text, or its text parts, one per line. Other parts are left out. The result is `encodable`."""
    content = message.content
    if content is None:
        return ""
    text = content if isinstance(content, str) else "\n".join(_part_texts(content))
    return encodable(text)


def _part_texts(parts: Sequence[dict[str, JsonValue]]) -> list[str]:
    return [text for part in parts if isinstance(text := part.get("text"), str) and _is_text_part(part)]


def _is_text_part(part: dict[str, JsonValue]) -> bool:
    return part.get("type", "text") in ("text", "input_text", "output_text")


def own_words(message: Message) -> str:
    """What the speaker said themself, stripped: no memory block, and of the operator nothing that was pasted."""
    text = whole_words(message)
    return without_memory_block(pasted.own_words(text)).strip() if is_operator(message) else text


def whole_words(message: Message) -> str:
    """The plain text without a memory block pasted into it, stripped; documents and quotations are still in it."""
    return without_memory_block(plain_text(message)).strip()


def without_memory_block(text: str) -> str:
    """`text` without the lines that `wording` puts into a prompt, so that memory never learns from itself."""
    if not any(heading in text for heading in (wording.PREFACE, wording.FACTS_HEADING, wording.EPISODES_HEADING)):
        return text
    kept: list[str] = []
    in_block = False
    for line in text.splitlines():
        if line.strip() in (wording.FACTS_HEADING, wording.EPISODES_HEADING):
            in_block = True
        elif line.strip() != wording.PREFACE and not (in_block and _BLOCK_LINE.match(line)):
            in_block = False  # a blank line ends a block: what follows is the operator's own list
            kept.append(line)
    return "\n".join(kept)


def placeholder(message: Message) -> str:
    """What stands for a message without words, such as a picture alone: the types of its parts."""
    parts = message.content if isinstance(message.content, list) else []
    return " ".join(f"[{part.get('type', 'part')}]" for part in parts)


def is_blank(message: Message) -> bool:
    """Whether there is nothing in it: no text that can be seen, and no other part."""
    parts = message.content if isinstance(message.content, list) else []
    return all(map(_is_text_part, parts)) and not one_line(plain_text(message))


def storable(messages: Sequence[Message]) -> list[Message]:
    """The messages as the audit log stores them: all text, encodable; pictures and other parts as placeholders."""
    return [Message.model_validate(_storable_fields(message)) for message in messages]


def _storable_fields(message: Message) -> dict[str, JsonValue]:
    # Not `mode="json"`: that raises for a name that cannot be encoded, before it is replaced here.
    fields = {encodable(key): _encodable_json(value) for key, value in message.model_dump(exclude_unset=True).items()}
    if isinstance(message.content, list):
        fields["content"] = [_storable_part(part) for part in message.content]
    return fields


def _storable_part(part: dict[str, JsonValue]) -> dict[str, JsonValue]:
    kind = part.get("type", "text")
    if kind == "placeholder" and isinstance(of := part.get("of"), str):  # it was stored before
        return {"type": "placeholder", "of": encodable(of)}
    if _is_text_part(part) and isinstance(part.get("text"), str):
        return {"type": _encodable_json(kind), "text": _encodable_json(part["text"])}
    return {"type": "placeholder", "of": encodable(kind) if isinstance(kind, str) else "part"}


def _encodable_json(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return encodable(value)
    if isinstance(value, list):
        return [_encodable_json(item) for item in value]
    if isinstance(value, dict):
        return {encodable(key): _encodable_json(item) for key, item in value.items()}
    return value

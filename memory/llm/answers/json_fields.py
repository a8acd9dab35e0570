"""Plain values out of JSON of any shape: text, token counts and objects, whatever a server or a client sent."""

from pydantic import JsonValue

from memory.llm.http.client import JsonObject
from memory.text.lines import without_surrogates


def clean_text(value: JsonValue) -> str:
    """A string as every encoding and database takes it; "" for anything else."""
    return without_surrogates(value).replace("\0", "") if isinstance(value, str) else ""


def content_text(content: JsonValue) -> str:
    """The text of a message's content: a string, or the text parts of a list, one after the other."""
    if isinstance(content, list):
        return "".join(map(_part_text, content))
    return clean_text(content)


def _part_text(part: JsonValue) -> str:
    if isinstance(part, dict):
        return clean_text(part.get("text")) if part.get("type", "text") in ("text", "output_text") else ""
    return clean_text(part)


def token_count(holder: JsonValue, name: str) -> int | None:
    """A token count in an object, or None where it holds none."""
    number = holder.get(name) if isinstance(holder, dict) else None
    return number if isinstance(number, int) and not isinstance(number, bool) and number >= 0 else None


def objects_in(value: JsonValue) -> list[JsonObject]:
    """The objects in a list; an empty list for any other value."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []

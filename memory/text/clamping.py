"""Cuts the strings of a payload to the bound that a row has for them."""

from collections.abc import Sequence
from typing import NamedTuple

from pydantic import JsonValue

from memory.text import lines


def fits(value: JsonValue, max_chars: int) -> bool:
    """Whether no string in a value is longer than `max_chars`, as in most rows."""
    if isinstance(value, str):
        return len(value) <= max_chars
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return not parts or all(fits(part, max_chars) for part in parts)


class Clamped(NamedTuple):
    """A JSON value with its strings cut to a bound, and whether any was cut."""

    value: JsonValue
    was_cut: bool


def clamp(value: JsonValue, max_chars: int) -> Clamped:
    """`value` with every string of more than `max_chars` characters cut, ending in a mark (SR-008)."""
    if isinstance(value, str):
        return Clamped(lines.cut_middle(value, max_chars), len(value) > max_chars)
    if isinstance(value, list):
        return _joined([clamp(item, max_chars) for item in value])
    if isinstance(value, dict):
        parts = {key: clamp(item, max_chars) for key, item in value.items()}
        return Clamped({key: part.value for key, part in parts.items()}, any(part.was_cut for part in parts.values()))
    return Clamped(value, False)


def _joined(parts: Sequence[Clamped]) -> Clamped:
    return Clamped([part.value for part in parts], any(part.was_cut for part in parts))

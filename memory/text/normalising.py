"""Keys, values and messages in one normal form; their hashes. Pure."""

import hashlib
import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from pydantic import JsonValue

from memory.text import keys
from memory.text.dates import parse_day
from memory.text.lines import one_line, shorten
from memory.text.marks import normalised
from memory.text.quotes import Quoted
from memory.text.secrets.shapes import is_secret as is_secret
from memory.text.template_tokens import prompt_line

MAX_KEY_CHARS = 128
MAX_VALUE_CHARS = 500


class TextRefused(ValueError):
    """A key or value that cannot be kept. The message says what to do about it."""


@dataclass(frozen=True)
class Claim:
    """What one chat says about the operator: `key` and `value` in normal form, `confidence` in 0..1.

    `quote`: the operator's words as the extractor gives them; "" where it gave none. `said`: where they were found.
    `valid_until`: the last day it holds. `is_older`: it was said before the chat, some time after `said_after` (None:
    nobody knows).
    """

    key: str
    value: str
    confidence: float
    quote: str = ""
    said: Quoted | None = None
    valid_until: date | None = None
    is_older: bool = False
    said_after: datetime | None = None

    @property
    def hash(self) -> str:
        """The identity of what it says: the same for the same key and value, ignoring case and spacing."""
        return claim_hash(self.key, self.value)


def normal_key(raw: str) -> str:
    """The one spelling of a key: NFC, trimmed, lower case, inner spaces and hyphens as `_` (decision 5).

    Raises `TextRefused` where nothing is left or more than 128 characters are.
    """
    key = normalised(prompt_line(raw).lower(), "NFC").replace(" ", "_").replace("-", "_")
    if not key:
        raise TextRefused("The key is empty. Give it a name such as dog.name.")
    if len(key) > MAX_KEY_CHARS:
        raise TextRefused(f"The key has {len(key)} characters. Use at most {MAX_KEY_CHARS}.")
    return key


def key_spellings(key: str) -> list[str]:
    """Every spelling under which a key may be stored: as given, its normal form, then the others, each once.

    Rows of earlier editions and of other tools hold hyphens, and singular or plural of a namespace.
    """
    try:
        normal = normal_key(key)
    except TextRefused:
        return [key]
    return list(dict.fromkeys([key, normal, *keys.other_spellings(normal)]))


def operator_value(raw: str) -> str:
    """A value as the operator typed it, on one line. Raises `TextRefused` where it is blank or over-long."""
    value = prompt_line(raw)
    if not value:
        raise TextRefused("The value is empty. Write what should be remembered.")
    if len(value) > MAX_VALUE_CHARS:
        raise TextRefused(f"The value has {len(value)} characters. Use at most {MAX_VALUE_CHARS}.")
    return value


def same_value(one: str, other: str) -> bool:
    """Whether two values say the same, ignoring case and spacing."""
    return _comparable(one) == _comparable(other)


def is_one_of(value: str, others: Iterable[str]) -> bool:
    """Whether a value says the same as one of the others."""
    comparable = _comparable(value)
    return any(_comparable(other) == comparable for other in others)


def _comparable(value: str) -> str:
    return "".join(one_line(value).casefold().split())


def parse_claim(entry: JsonValue) -> Claim | None:
    """One entry of an extractor's answer as a claim; None where it cannot be kept (decision 5).

    Reasons are a wrong type, a blank or over-long key, a blank value, a confidence that is no number, or a secret.
    """
    if not isinstance(entry, dict):
        return None
    raw_key, value, confidence = entry.get("key"), _value_text(entry.get("value")), _parse_confidence(entry)
    if not isinstance(raw_key, str) or not value or confidence is None:
        return None
    try:
        key = normal_key(raw_key)
    except TextRefused:
        return None
    if is_secret(value, key=key):
        return None
    quote, valid_until = quote_in(entry), parse_day(entry.get("valid_until"))
    return Claim(key, shorten(value, MAX_VALUE_CHARS), confidence, quote=quote, valid_until=valid_until)


def quote_in(entry: dict[str, JsonValue]) -> str:
    """The quotation of an entry, several of them with "..." between; "" where it has none."""
    raw = entry.get("quote")
    parts = raw if isinstance(raw, list) else [raw]
    return " ... ".join(words for part in parts if isinstance(part, str) and (words := _unlabelled(one_line(part))))


def _unlabelled(words: str) -> str:
    """Words without the name of their speaker, which some models copy along."""
    speaker, colon, said = words.partition(":")
    return said.strip() if colon and speaker.strip(" \"'“").lower() in ("operator", "user") else words


def why_no_claim(entry: JsonValue) -> Literal["malformed", "secret", "unknown_value"]:
    """Why `parse_claim` keeps nothing of this entry."""
    if not isinstance(entry, dict) or not isinstance(raw_key := entry.get("key"), str) or not prompt_line(raw_key):
        return "malformed"
    value = entry.get("value")
    if value is None or (isinstance(value, str) and not prompt_line(value)):
        return "unknown_value"
    return "secret" if is_secret(_value_text(value), key=raw_key) else "malformed"


def _value_text(value: JsonValue) -> str:
    """A plain value, or a list of plain values, as text on one line; "" for anything else."""
    if isinstance(value, list):
        parts = [_value_text(item) for item in value if not isinstance(item, list | dict)]
        return ", ".join(parts) if len(parts) == len(value) and all(parts) else ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        if value.is_integer() and abs(value) < 1e19:
            return str(int(value))
        return f"{value:.15g}" if math.isfinite(value) else ""
    if isinstance(value, int):
        return str(value) if value.bit_length() <= 256 else ""
    return prompt_line(value) if isinstance(value, str) else ""


def _parse_confidence(entry: dict[str, JsonValue]) -> float | None:
    """The model's own rating clamped to 0..1; 1.0 where there is none; None where it is no number."""
    raw = entry.get("confidence")
    if raw is None:
        return 1.0
    if isinstance(raw, bool) or not isinstance(raw, int | float | str):
        return None
    try:
        number = float(raw)
    except (ValueError, OverflowError):
        return None
    return min(max(number, 0.0), 1.0) if math.isfinite(number) else None


# --- hashes -----------------------------------------------------------------------------------------------------


def message_hash(text: str) -> str:
    """A message's identity: SHA-256 of its text, ignoring case and the amount of space between words."""
    return _sha256(one_line(text).casefold())


def claim_hash(key: str, value: str) -> str:
    """The identity of a claim: SHA-256 of its key and its value, ignoring the value's case and spacing."""
    return _sha256(f"{key}\n{_comparable(value)}")


def fingerprint(before: str, message: str) -> str:
    """The identity of a sequence of messages: a hash chain.

    `before`: the fingerprint of the sequence without its last message ("" for none). `message`: the hash of the last
    one. Two conversations share a fingerprint exactly where all their messages up to there are the same.
    """
    return _sha256(before + message)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()

"""Keys, values and messages in one normal form; their hashes; the shapes of secrets. Pure."""

import hashlib
import math
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pydantic import JsonValue

from memory.lines import one_line, shorten

MAX_KEY_CHARS = 128
MAX_VALUE_CHARS = 500


class TextRefused(ValueError):
    """A key or value that cannot be kept; the message names the cure."""


@dataclass(frozen=True)
class Claim:
    """What one chat says about the operator: `key` and `value` in normal form, `confidence` in 0..1."""

    key: str
    value: str
    confidence: float


def normal_key(raw: str) -> str:
    """The one spelling of a key: NFC, trimmed, lower case, inner spaces as `_` (DESIGN 3.5).

    Raises `TextRefused` where nothing is left or more than 128 characters are.
    """
    key = unicodedata.normalize("NFC", one_line(raw).lower()).replace(" ", "_")
    if not key:
        raise TextRefused("The key is empty. Give it a name such as dog.name.")
    if len(key) > MAX_KEY_CHARS:
        raise TextRefused(f"The key has {len(key)} characters. Use at most {MAX_KEY_CHARS}.")
    return key


def spellings(key: str) -> list[str]:
    """The key as it is given and in its normal form: rows from elsewhere may hold either."""
    try:
        return list(dict.fromkeys([key, normal_key(key)]))
    except TextRefused:
        return [key]


def operator_value(raw: str) -> str:
    """A value as the operator typed it, on one line. Raises `TextRefused` where it is blank or over-long."""
    value = one_line(raw)
    if not value:
        raise TextRefused("The value is empty. Write what should be remembered.")
    if len(value) > MAX_VALUE_CHARS:
        raise TextRefused(f"The value has {len(value)} characters. Use at most {MAX_VALUE_CHARS}.")
    return value


def same_value(one: str, other: str) -> bool:
    """Whether two values say the same, ignoring case and spacing."""
    return _comparable(one) == _comparable(other)


def _comparable(value: str) -> str:
    return "".join(one_line(value).casefold().split())


def claim_from(entry: JsonValue) -> Claim | None:
    """One entry of an extractor's answer as a claim, or None where it cannot be kept (DESIGN 3.5).

    Entries fall one by one: a wrong type, a blank, an unusable confidence or a secret costs that entry alone.
    """
    if not isinstance(entry, dict):
        return None
    raw_key, value, confidence = entry.get("key"), _readable(entry.get("value")), _confidence(entry)
    if not isinstance(raw_key, str) or not value or confidence is None:
        return None
    try:
        key = normal_key(raw_key)
    except TextRefused:
        return None
    if is_secret(value, key=key):
        return None
    return Claim(key, shorten(value, MAX_VALUE_CHARS), confidence)


def _readable(value: JsonValue) -> str:
    """A plain value, or a list of plain values, as text on one line; "" for what has no readable form."""
    if isinstance(value, list):
        parts = [_readable(item) for item in value if not isinstance(item, list | dict)]
        return ", ".join(parts) if len(parts) == len(value) and all(parts) else ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.15g}" if math.isfinite(value) else ""
    if isinstance(value, int):
        return str(value) if value.bit_length() <= 256 else ""
    return one_line(value) if isinstance(value, str) else ""


def _confidence(entry: dict[str, JsonValue]) -> float | None:
    """The self-rating clamped to 0..1; 1.0 where there is none; None where it is no number."""
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
    """A message's identity: SHA-256 of its text without regard to case and spacing."""
    return _sha256(_comparable(text))


def fingerprints(texts: Iterable[str]) -> list[str]:
    """The identity of each beginning of a sequence of messages: (n texts) -> (n hashes), the last for the whole.

    Two conversations share the k-th hash exactly where their first k messages are the same.
    """
    hashes: list[str] = []
    for text in texts:
        hashes.append(_sha256((hashes[-1] if hashes else "") + message_hash(text)))
    return hashes


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


# --- secrets ----------------------------------------------------------------------------------------------------

_SECRET_KEY = re.compile(
    r"(?:^|[._-])(?:(?:pass(?:word|wd|code|phrase)|passwort|mot_de_passe|contrase[nñ]a|pin_?code|api_?key|access_?key|"
    r"private_?key|credential|cvv|cvc|ssn|iban|(?:credit_?|debit_?)?card_?(?:number|no))s?(?:$|[._-])"
    r"|(?:pin|token|secret)$)"
)
_SECRET_SHAPES = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY|PRIVATE KEY-----"
    r"|\b(?:sk|pk|rk)[-_](?:[a-z]+[-_])?[A-Za-z0-9_-]{12,}"
    r"|\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-|hf_|npm_|pypi-|AIza|ya29\.)[A-Za-z0-9_-]{10,}"
    r"|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"
    r"|\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"
    r"|\b(?:bearer|basic)\s+[A-Za-z0-9+/_.=-]{12,}"
    r"|\bssh-(?:rsa|ed25519)\s+AAAA"
    r"|\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{1,200}:[^\s/@]{1,200}@",
    re.IGNORECASE,
)
_SECRET_TALK = re.compile(
    r"\b(?:pass(?:word|wd|code|phrase)|passwort|kennwort|mot de passe|contraseña|salasana|lösenord|wachtwoord|senha|"
    r"pin(?: code| number)?|api[ _-]?key|secret key|access token|token|cvv|cvc)\b"
    r"\s*(?:is|=|:|was|ist|est|es|on|är|for\b.{1,60}\bis)\s*\S",
    re.IGNORECASE,
)
_TOKEN_WORD = re.compile(r"[A-Za-z0-9_+/=-]{32,}")
_DIGIT_RUN = re.compile(r"\d(?:[ .\-/]?\d){11,}")


def is_secret(value: str, *, key: str = "") -> bool:
    """Whether a value has the shape of something that must never be learned: card numbers, keys, tokens, passwords."""
    if _SECRET_KEY.search(key):
        return True
    if _SECRET_SHAPES.search(value) or _SECRET_TALK.search(value):
        return True
    return any(_luhn(run) for run in _digit_runs(value)) or any(map(_looks_random, _TOKEN_WORD.findall(value)))


def _digit_runs(value: str) -> Iterator[str]:
    for match in _DIGIT_RUN.finditer(value):
        yield re.sub(r"\D", "", match.group())


def _luhn(digits: str) -> bool:
    """Whether 13 to 19 digits carry the check digit of a payment card (ISO/IEC 7812)."""
    if not 13 <= len(digits) <= 19:
        return False
    doubled = [int(digit) * (2 if place % 2 else 1) for place, digit in enumerate(reversed(digits))]
    return sum(number - 9 if number > 9 else number for number in doubled) % 10 == 0


def _looks_random(word: str) -> bool:
    """Whether a long word mixes letters and digits the way tokens do and words do not."""
    digits = sum(character.isdigit() for character in word)
    return digits >= 4 and len(word) - digits >= 4 and len(set(word)) >= 12

"""JSON as models write it: stray commas, raw control characters, no escapes, bare words. Linear in time."""

import json
import re
from dataclasses import dataclass, field

from pydantic import JsonValue

MAX_DEPTH = 32

_TOKEN = re.compile(
    r"""\s*+(?:(?P<mark>[\[\]{},:])|(?P<string>"(?:[^"\\]++|\\.)*+")|(?P<word>[^\s\[\]{},:"]++))""", re.DOTALL
)
_INVALID_ESCAPE = re.compile(r"""(?:[^\\]|\\(?:["\\/bfnrt']|u[0-9a-fA-F]{4}))*+\\""", re.DOTALL)
_NUMBER = re.compile(r"-?\d+(?P<fraction>(?:\.\d+)?(?:[eE][+-]?\d+)?)", re.ASCII)
_WORDS: dict[str, JsonValue] = {
    "true": True,
    "True": True,
    "false": False,
    "False": False,
    "null": None,
    "None": None,
    "NaN": float("nan"),
    "Infinity": float("inf"),
    "-Infinity": float("-inf"),
}
_DECODER = json.JSONDecoder(strict=False)


class Broken(Exception):
    """The JSON cannot continue at `position`; `is_cut` where the text ends there."""

    def __init__(self, position: int, *, is_cut: bool = False) -> None:
        self.position = position
        self.is_cut = is_cut


@dataclass
class Reader:
    """Reads one JSON value, forgiving commas, raw control characters, wrong escapes and bare words as field values.

    `pairs` counts the names with a colon read so far: text without any was probably not meant as JSON.
    """

    text: str
    pairs: int = field(default=0, init=False)

    def value(self, position: int, *, depth: int = 0, in_object: bool = False) -> tuple[JsonValue, int]:
        """The value at `position` and where it ends. Raises `Broken`."""
        token = self._token(position)
        if token["string"]:
            return self._text(token), token.end()
        if token["word"]:
            return _scalar(token, allow_any=in_object), token.end()
        if token["mark"] not in "[{" or depth == MAX_DEPTH:
            raise Broken(_start(token))
        return self._list(token.end(), depth + 1) if token["mark"] == "[" else self._object(token.end(), depth + 1)

    def _list(self, position: int, depth: int) -> tuple[JsonValue, int]:
        items: list[JsonValue] = []
        while (token := self._token(position))["mark"] != "]":
            if token["mark"] == ",":
                position = token.end()
            else:
                item, position = self.value(position, depth=depth)
                items.append(item)
        return items, token.end()

    def _object(self, position: int, depth: int) -> tuple[JsonValue, int]:
        fields: dict[str, JsonValue] = {}
        while (token := self._token(position))["mark"] != "}":
            if token["mark"] == ",":
                position = token.end()
            else:
                name, position = self._name(token)
                fields[name], position = self.value(position, depth=depth, in_object=True)
        return fields, token.end()

    def _name(self, token: re.Match[str]) -> tuple[str, int]:
        """A field's name, and where the value after its colon begins."""
        if not token["string"]:
            raise Broken(_start(token))
        colon = self._token(token.end())
        if colon["mark"] != ":":
            raise Broken(_start(colon))
        self.pairs += 1
        return self._text(token), colon.end()

    def _text(self, token: re.Match[str]) -> str:
        text = _string(token["string"])
        if text is None:
            raise Broken(_start(token))
        return text

    def _token(self, position: int) -> re.Match[str]:
        token = _TOKEN.match(self.text, position)
        if token is None:  # the text ends, or a string in it never does
            raise Broken(position, is_cut=True)
        return token


def _start(token: re.Match[str]) -> int:
    """Where a token begins, after the white space before it."""
    return token.start(token.lastgroup or 0)


def _string(token: str) -> str | None:
    """The text of a JSON string; None where it cannot be told.

    Where one escape is none (`C:\\Users\\new`), the model escaped nothing, and every backslash is one. That cannot be,
    where a quotation mark inside is escaped. `\\'` is the escape of other languages, and means the mark.
    """
    body = token[1:-1]
    if not _INVALID_ESCAPE.match(body):
        text: str = _DECODER.decode(_without_escaped_apostrophes(token))
        return text
    return None if '\\"' in body else body


def _without_escaped_apostrophes(token: str) -> str:
    return re.sub(r"(\\\\)|\\'", lambda escape: escape[1] or "'", token) if "\\'" in token else token


def _scalar(token: re.Match[str], *, allow_any: bool) -> JsonValue:
    """A number or a literal. With `allow_any` any other word becomes text, so that only its entry is lost."""
    word = token["word"]
    if word in _WORDS:
        return _WORDS[word]
    if number := _NUMBER.fullmatch(word):
        return float(word) if number["fraction"] or len(word) > 300 else int(word)
    if not allow_any:
        raise Broken(_start(token))
    return str(word)

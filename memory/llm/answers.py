"""The JSON inside a model's answer: fences, reasoning, prose and wrapping objects taken off. Pure, linear in time.

What counts as the answer, best first; among equals the last one, because drafts come first:

1. a list with an entry (an object with a `key`), bare or wrapped; an empty list that is wrapped (`{"facts": []}`) or
   stands on a line of its own
2. entry objects one after another, without a list around them
3. a list of other objects; an object that maps dotted names to values
4. `[]` at the start or the end of a line with words in it; within a sentence it is no answer, nor is `[1]`

JSON that breaks off at the end of the text is a truncated answer, whatever stands before it. JSON that is broken
elsewhere rules out everything but a list with an entry, since what follows may be its torn tail.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from pydantic import JsonValue

from memory.llm.errors import BadAnswer, Truncated

MAX_DEPTH = 32


def entries(text: str) -> list[JsonValue]:
    """The entries of an extractor's answer, unchecked; an empty list where the model says that there are none.

    Numbers no JSON has (NaN, Infinity, 1e999) come out as floats that are not finite, so that the caller can drop
    the one entry. Raises `BadAnswer`, and nothing else, where there is no answer, or only a part of one.
    """
    found = _in_whole(text)
    if found is not None:
        return found
    rest = without_reasoning(text)
    if not rest:
        raise BadAnswer("The answer holds nothing but reasoning." if text.strip() else "The answer is empty.")
    return _best(f"\n{rest}\n")


# --- reasoning --------------------------------------------------------------------------------------------------

_TAG = re.compile(
    r"(?P<line_start>^[ \t]*)?<(?P<closing>/?)(?:think|thinking|thought|reasoning)\s*+>", re.IGNORECASE | re.MULTILINE
)


def without_reasoning(text: str) -> str:
    """`text` without its reasoning blocks, stripped.

    A closing tag alone ends reasoning that began before the text did. An opening tag that is never closed counts at
    the start of a line only, and takes all that follows: within a sentence it is somebody talking about the tag.
    """
    kept: list[str] = []
    position, opening = 0, None
    for tag in _TAG.finditer(text):
        if tag["closing"]:
            if opening:
                kept.append(text[position : opening.start()])
            else:
                kept.clear()
            position, opening = tag.end(), None
        elif opening is None or (opening["line_start"] is None and tag["line_start"] is not None):
            opening = tag
    unclosed = opening is not None and opening["line_start"] is not None
    kept.append(text[position : opening.start()] if opening and unclosed else text[position:])
    return "".join(kept).strip()


# --- reading JSON as models write it ----------------------------------------------------------------------------

_TOKEN = re.compile(
    r"""\s*+(?:(?P<mark>[\[\]{},:])|(?P<string>"(?:[^"\\]++|\\.)*+")|(?P<word>[^\s\[\]{},:"]++))""", re.DOTALL
)
_ESCAPE = re.compile(r"""\\(?:(?P<valid>["\\/bfnrt]|u[0-9a-fA-F]{4})|(?P<other>.))""", re.DOTALL)
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


class _Broken(Exception):
    """No JSON goes on at `position`; with `is_cut` because the text ends there."""

    def __init__(self, position: int, *, is_cut: bool = False) -> None:
        self.position = position
        self.is_cut = is_cut


@dataclass
class _Reader:
    """Reads one JSON value, forgiving commas, raw control characters, wrong escapes and bare words as field values.

    `pairs` counts the names with a colon read so far: what has none was hardly meant as JSON.
    """

    text: str
    pairs: int = field(default=0, init=False)

    def value(self, position: int, *, depth: int = 0, in_object: bool = False) -> tuple[JsonValue, int]:
        """The value at `position` and where it ends. Raises `_Broken`."""
        token = self._token(position)
        if token["string"]:
            return _string(token["string"]), token.end()
        if token["word"]:
            return _scalar(token, allow_any=in_object), token.end()
        if token["mark"] not in "[{" or depth == MAX_DEPTH:
            raise _Broken(_start(token))
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
            raise _Broken(_start(token))
        colon = self._token(token.end())
        if colon["mark"] != ":":
            raise _Broken(_start(colon))
        self.pairs += 1
        return _string(token["string"]), colon.end()

    def _token(self, position: int) -> re.Match[str]:
        token = _TOKEN.match(self.text, position)
        if token is None:  # the text ends, or a string in it never does
            raise _Broken(position, is_cut=True)
        return token


def _start(token: re.Match[str]) -> int:
    """Where a token begins, after the white space before it."""
    return token.start(token.lastgroup or 0)


def _string(token: str) -> str:
    """The text of a JSON string; a backslash before a character that needs none is dropped (`\\'`)."""
    try:
        text: str = _DECODER.decode(token)
    except ValueError:
        text = _DECODER.decode(_ESCAPE.sub(lambda escape: escape[0] if escape["valid"] else escape["other"], token))
    return text


def _scalar(token: re.Match[str], *, allow_any: bool) -> JsonValue:
    """A number or a literal; with `allow_any` every other word as text, so that it costs its entry alone."""
    word = token["word"]
    if word in _WORDS:
        return _WORDS[word]
    if number := _NUMBER.fullmatch(word):
        return float(word) if number["fraction"] or len(word) > 300 else int(word)
    if not allow_any:
        raise _Broken(_start(token))
    return str(word)


# --- finding it -------------------------------------------------------------------------------------------------

_BRACKET = re.compile(r"[\[{]")
_FENCED = re.compile(r"\s*+```\w*+\s(?P<body>.*)```\s*", re.DOTALL)
_BETWEEN = re.compile(r"[\s,;*-]*+(?:\d{1,4}[.)]\s*+)?")
_LINE_START = re.compile(r"\n[ \t\r`*]*(?:json)?[ \t\r`*]*\Z", re.IGNORECASE)
_LINE_END = re.compile(r"[ \t\r`*.]*\n")
_NEAR = 24

_DOTTED = re.compile(r"[\w-]+(?:\.[\w-]+)+")
_WRAPPERS = ("facts", "entries", "items", "memories", "results", "data")

_WITH_ENTRY, _BARE_ENTRIES, _OTHER, _AT_EDGE = 4, 3, 2, 1


class _Piece(NamedTuple):
    """A whole JSON value, and where it stands in the text."""

    value: JsonValue
    start: int
    end: int


class _Reading(NamedTuple):
    """A list that may be the answer, and how much it looks like one."""

    rank: int
    entries: list[JsonValue]


def _in_whole(text: str) -> list[JsonValue] | None:
    """The entries where the whole text is one JSON value, fenced or as a JSON string too; None where it is not.

    Looked at first, so that a value that talks about reasoning tags is read as it stands.
    """
    fenced = _FENCED.fullmatch(text)
    body = (fenced["body"] if fenced else text).strip()
    if not body.startswith(("[", "{", '"')):
        return None
    try:
        value, end = _Reader(body).value(0)
    except _Broken:
        return None
    if end != len(body):
        return None
    if isinstance(value, str):
        return entries(value)
    reading = _reading(value, empty_rank=_WITH_ENTRY)
    return reading.entries if reading else None


def _best(text: str) -> list[JsonValue]:
    """The best reading of a text with line breaks at both ends. Raises `BadAnswer` where there is none."""
    pieces, is_torn = _pieces(text)
    readings = list(_readings(text, pieces))
    if not readings:
        raise BadAnswer("The answer holds broken JSON." if is_torn else _no_answer(pieces))
    rank = max(reading.rank for reading in readings)
    best = [reading.entries for reading in readings if reading.rank == rank]
    if is_torn and not (rank == _WITH_ENTRY and best[-1]):
        raise BadAnswer("The answer holds broken JSON.")
    if rank == _BARE_ENTRIES and any(other != best[-1] for other in best):
        raise BadAnswer("The answer holds entries here and there, but no list of them.")
    return best[-1]


def _no_answer(pieces: Sequence[_Piece]) -> str:
    return "The answer holds JSON, but no facts." if pieces else "The answer holds no JSON."


def _pieces(text: str) -> tuple[list[_Piece], bool]:
    """Every outermost JSON value, and whether some JSON is broken. Raises `Truncated` where some breaks off.

    After a break the search goes on where it is: the brackets passed on the way would break at the same place, so
    none is tried twice, and the time stays linear.
    """
    pieces: list[_Piece] = []
    position, is_torn = 0, False
    while bracket := _BRACKET.search(text, position):
        reader = _Reader(text)
        try:
            value, position = reader.value(bracket.start())
            pieces.append(_Piece(value, bracket.start(), position))
        except _Broken as broken:
            if broken.is_cut and reader.pairs:
                raise Truncated("The answer breaks off inside its JSON.") from None
            is_torn = is_torn or reader.pairs > 0
            position = max(broken.position, bracket.end())
    return pieces, is_torn


def _readings(text: str, pieces: Sequence[_Piece]) -> Iterator[_Reading]:
    """What each value means as an answer, in order; entry objects that follow each other are one list."""
    run: list[JsonValue] = []
    run_end = 0
    for piece in pieces:
        if not _is_entry(piece.value):
            reading = _reading(piece.value, empty_rank=_rank_of_empty(text, piece))
            yield from [reading] if reading else []
        elif run and _BETWEEN.fullmatch(text, run_end, piece.start):
            run.append(piece.value)
            run_end = piece.end
        else:
            run, run_end = [piece.value], piece.end
            yield _Reading(_BARE_ENTRIES, run)


def _rank_of_empty(text: str, piece: _Piece) -> int:
    """How much an empty list says where it stands: alone on its line, at one end of it, or within a sentence (0)."""
    starts = _LINE_START.search(text[max(piece.start - _NEAR, 0) : piece.start])
    ends = _LINE_END.match(text[piece.end : piece.end + _NEAR])
    return _WITH_ENTRY if starts and ends else _AT_EDGE if starts or ends else 0


def _reading(value: JsonValue, *, empty_rank: int) -> _Reading | None:
    """A value as an answer, or None where it is none."""
    if not value:
        return _Reading(empty_rank, []) if empty_rank and isinstance(value, list | dict) else None
    if isinstance(value, list):
        return _listed(value)
    if not isinstance(value, dict):
        return None
    if _is_entry(value):
        return _Reading(_BARE_ENTRIES, [value])
    return _unwrapped(value)


def _listed(values: list[JsonValue]) -> _Reading | None:
    if any(map(_is_entry, values)):
        return _Reading(_WITH_ENTRY, values)
    if len(values) == 1 and isinstance(values[0], dict) and (inside := _unwrapped(values[0])):
        return inside
    return _Reading(_OTHER, values) if any(isinstance(value, dict) for value in values) else None


def _unwrapped(value: dict[str, JsonValue]) -> _Reading | None:
    """The list in a wrapping object: under a usual name, or in its only list or object."""
    if "error" in value:
        return None
    for name in _WRAPPERS:
        if name in value:
            return _wrapped(value[name], may_map=name == "facts")
    if value and all(map(_DOTTED.fullmatch, value)):
        return _Reading(_OTHER, _mapped(value))
    inside = [item for item in value.values() if isinstance(item, list | dict)]
    return _wrapped(inside[0], may_map=False) if len(inside) == 1 else None


def _wrapped(value: JsonValue, *, may_map: bool) -> _Reading | None:
    """What stands in a wrapping object as an answer; with `may_map` an object of any names and values too."""
    if isinstance(value, str):
        found = _in_whole(value)
        return None if found is None else _Reading(_WITH_ENTRY, found)
    reading = _reading(value, empty_rank=_WITH_ENTRY)
    if reading is None and may_map and isinstance(value, dict) and "error" not in value:
        return _Reading(_WITH_ENTRY, _mapped(value))
    return reading


def _mapped(names: dict[str, JsonValue]) -> list[JsonValue]:
    """`{"dog.name": "Beans"}` as entries; a value may be an object with `value` and `confidence`."""
    return [
        {"key": name, **(value if isinstance(value, dict) and "value" in value else {"value": value})}
        for name, value in names.items()
    ]


def _is_entry(value: JsonValue) -> bool:
    return isinstance(value, dict) and "key" in value

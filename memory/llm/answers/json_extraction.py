"""Finds the JSON inside a model's answer, behind fences, reasoning, prose and wrapping objects. Pure, linear in time.

What counts as the answer, best first. Among equals the last one counts, because drafts come first:

1. a list with an entry (an object with a `key`), bare or wrapped; an empty list that is wrapped (`{"facts": []}`) or
   stands on a line of its own
2. entry objects one after another, without a list around them
3. a list of other objects; an object that maps dotted names to values
4. `[]` at the start or the end of a line of words; within a sentence it does not count, and neither does `[1]`

Where the text announces its answer ("Final answer: []"), everything before that is a draft, whatever its rank.

JSON that breaks off at the end of the text makes the answer truncated, whatever else it holds. After JSON that is
broken elsewhere, only a list with an entry counts, because other values may be the remains of the broken one.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pydantic import JsonValue

from memory.llm.answers.lenient_json import Broken, Reader
from memory.llm.answers.reasoning import without_reasoning
from memory.llm.errors import BadAnswer, Truncated


def entries(text: str) -> list[JsonValue]:
    """The entries of an extractor's answer, not validated; an empty list where the model says that it found nothing.

    Numbers that JSON does not have (NaN, Infinity, 1e999) become floats that are not finite, so that the caller can
    drop that one entry. Raises only `BadAnswer`, where there is no answer or only a part of one.
    """
    found = _in_whole(text)
    if found is not None:
        return found
    rest = without_reasoning(text)
    if not rest:
        raise BadAnswer("The answer holds nothing but reasoning." if text.strip() else "The answer is empty.")
    return _best(f"\n{rest}\n")


# --- finding it -------------------------------------------------------------------------------------------------

_BRACKET = re.compile(r"[\[{]")
_FENCED = re.compile(r"\s*+```\w*+\s(?P<body>.*)```\s*", re.DOTALL)
_BETWEEN = re.compile(r"[\s,;*-]*+(?:\d{1,4}[.)]\s*+)?")
_LINE_START = re.compile(r"\n[ \t\r`*]*(?:json)?[ \t\r`*]*\Z", re.IGNORECASE)
_LINE_END = re.compile(r"[ \t\r`*.]*\n")
_NEAR = 24

_ANNOUNCED = re.compile(
    r"(?:\b(?:final|answer|conclusion|corrected|revised|endgültige?|antwort|réponse|respuesta|risposta|resposta|ответ)\b"
    r"|答案|回答|答え)[^\n\[\]{}]{0,60}(?:\s|[`*_#>:-]|json)*\Z",
    re.IGNORECASE,
)
_ANNOUNCED_WITHIN = 120

_DOTTED = re.compile(r"[\w-]+(?:\.[\w-]+)+")
_WRAPPERS = ("facts", "entries", "items", "memories", "results", "data")

_LIST_WITH_ENTRY, _BARE_ENTRIES, _OTHER_LIST, _EMPTY_AT_LINE_EDGE = 4, 3, 2, 1


class _Piece(NamedTuple):
    """A whole JSON value, and where it stands in the text."""

    value: JsonValue
    start: int
    end: int


class _Candidate(NamedTuple):
    """A list that may be the answer, how much it looks like one, and where in the text it begins."""

    rank: int
    entries: list[JsonValue]
    start: int = 0


def _in_whole(text: str) -> list[JsonValue] | None:
    """The entries where the whole text is one JSON value, possibly fenced or as a JSON string; None otherwise.

    Tried first, so that a value that mentions reasoning tags is left intact.
    """
    fenced = _FENCED.fullmatch(text)
    body = (fenced["body"] if fenced else text).strip()
    if not body.startswith(("[", "{", '"')):
        return None
    try:
        value, end = Reader(body).value(0)
    except Broken:
        return None
    if end != len(body):
        return None
    if isinstance(value, str):
        return entries(value)
    candidate = _candidate(value, empty_rank=_LIST_WITH_ENTRY)
    return candidate.entries if candidate else None


def _best(text: str) -> list[JsonValue]:
    """The best candidate in a text with line breaks at both ends. Raises `BadAnswer` where there is no candidate."""
    pieces, is_torn = _pieces(text)
    candidates = _announced(text, pieces, list(_candidates(text, pieces)))
    if not candidates:
        raise BadAnswer("The answer holds broken JSON." if is_torn else _no_answer(pieces))
    rank = max(candidate.rank for candidate in candidates)
    best = [candidate.entries for candidate in candidates if candidate.rank == rank]
    if is_torn and not (rank == _LIST_WITH_ENTRY and best[-1]):
        raise BadAnswer("The answer holds broken JSON.")
    if rank == _BARE_ENTRIES and any(other != best[-1] for other in best):
        raise BadAnswer("The answer holds entries here and there, but no list of them.")
    return best[-1]


def _no_answer(pieces: Sequence[_Piece]) -> str:
    return "The answer holds JSON, but no facts." if pieces else "The answer holds no JSON."


def _pieces(text: str) -> tuple[list[_Piece], bool]:
    """Every outermost JSON value, and whether some JSON is broken. Raises `Truncated` where some breaks off.

    After broken JSON the search continues behind the break. Brackets before it would break at the same place, so none
    is tried twice, and the time stays linear.
    """
    pieces: list[_Piece] = []
    position, is_torn = 0, False
    while bracket := _BRACKET.search(text, position):
        reader = Reader(text)
        try:
            value, position = reader.value(bracket.start())
            pieces.append(_Piece(value, bracket.start(), position))
        except Broken as broken:
            if broken.is_cut and reader.pairs:
                raise Truncated("The answer breaks off inside its JSON.") from None
            is_torn = is_torn or reader.pairs > 0
            position = max(broken.position, bracket.end())
    return pieces, is_torn


def _announced(text: str, pieces: Sequence[_Piece], candidates: list[_Candidate]) -> list[_Candidate]:
    """The candidates from the last announced value on; all of them where the text announces none."""
    if not candidates:
        return candidates
    last = candidates[-1].start
    for place in reversed(range(len(pieces))):
        start = pieces[place].start
        if start <= last and _is_announced(text, start, after=pieces[place - 1].end if place else 0):
            return [candidate for candidate in candidates if candidate.start >= start]
    return candidates


def _is_announced(text: str, start: int, *, after: int) -> bool:
    """Whether the words between `after` and `start` announce the answer."""
    return _ANNOUNCED.search(text, max(start - _ANNOUNCED_WITHIN, after), start) is not None


def _candidates(text: str, pieces: Sequence[_Piece]) -> Iterator[_Candidate]:
    """Each value as a candidate, in order; entry objects that directly follow each other make one list."""
    run: list[JsonValue] = []
    run_end = end = 0
    for piece in pieces:
        after, end = end, piece.end
        if not _is_entry(piece.value):
            candidate = _candidate(piece.value, empty_rank=_rank_of_empty(text, piece, after=after))
            yield from [candidate._replace(start=piece.start)] if candidate else []
        elif run and _BETWEEN.fullmatch(text, run_end, piece.start):
            run.append(piece.value)
            run_end = piece.end
        else:
            run, run_end = [piece.value], piece.end
            yield _Candidate(_BARE_ENTRIES, run, piece.start)


def _rank_of_empty(text: str, piece: _Piece, *, after: int) -> int:
    """The rank of an empty list by its place: alone on its line, at one end of it, or within a sentence (0).

    At the end of a line that announces it, it ranks as if it were alone.
    """
    if piece.value:
        return 0
    starts = _LINE_START.search(text[max(piece.start - _NEAR, 0) : piece.start])
    ends = _LINE_END.match(text[piece.end : piece.end + _NEAR])
    if ends and (starts or _is_announced(text, piece.start, after=after)):
        return _LIST_WITH_ENTRY
    return _EMPTY_AT_LINE_EDGE if starts or ends else 0


def _candidate(value: JsonValue, *, empty_rank: int) -> _Candidate | None:
    """A value as a candidate, or None where it cannot be an answer."""
    if not value:
        return _Candidate(empty_rank, []) if empty_rank and isinstance(value, list | dict) else None
    if isinstance(value, list):
        return _from_list(value)
    if not isinstance(value, dict):
        return None
    if _is_entry(value):
        return _Candidate(_BARE_ENTRIES, [value])
    return _from_object(value)


def _from_list(values: list[JsonValue]) -> _Candidate | None:
    if any(map(_is_entry, values)):
        return _Candidate(_LIST_WITH_ENTRY, values)
    if len(values) == 1 and isinstance(values[0], dict) and (inside := _from_object(values[0])):
        return inside
    return _Candidate(_OTHER_LIST, values) if any(isinstance(value, dict) for value in values) else None


def _from_object(value: dict[str, JsonValue]) -> _Candidate | None:
    """The list in a wrapping object: under a usual name, or in its only list or object."""
    if "error" in value:
        return None
    for name in _WRAPPERS:
        if name in value:
            return _from_wrapper(value[name], may_map=name == "facts")
    if value and all(map(_DOTTED.fullmatch, value)):
        return _Candidate(_OTHER_LIST, _entries_of_map(value))
    inside = [item for item in value.values() if isinstance(item, list | dict)]
    return _from_wrapper(inside[0], may_map=False) if len(inside) == 1 else None


def _from_wrapper(value: JsonValue, *, may_map: bool) -> _Candidate | None:
    """The value inside a wrapping object as a candidate. With `may_map` it may be an object of any names and values."""
    if isinstance(value, str):
        found = _in_whole(value)
        return None if found is None else _Candidate(_LIST_WITH_ENTRY, found)
    candidate = _candidate(value, empty_rank=_LIST_WITH_ENTRY)
    if candidate is None and may_map and isinstance(value, dict) and "error" not in value:
        return _Candidate(_LIST_WITH_ENTRY, _entries_of_map(value))
    return candidate


def _entries_of_map(names: dict[str, JsonValue]) -> list[JsonValue]:
    """`{"dog.name": "Beans"}` as entries; a value may be an object with `value` and `confidence`."""
    return [
        {"key": name, **(value if isinstance(value, dict) and "value" in value else {"value": value})}
        for name, value in names.items()
    ]


def _is_entry(value: JsonValue) -> bool:
    return isinstance(value, dict) and "key" in value

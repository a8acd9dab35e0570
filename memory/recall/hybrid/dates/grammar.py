"""The grammar of dates of one language, made from tables of words and phrases. Pure.

A table gives a class of words a line: "month: january february ...". The place of a word in its line is its value,
from 0 (months and numbers `n` from 1); forms of one word are parted by "|", and "_" holds the place of none. A line
without a head goes on with the one before.
A phrase is the line of its kind: "ago: {n} {unit} ago". {x} stands for a word of class x, [..] may be missing, "a|b" is
either word, and "relative relative=1: last night" sets a value. {day}, {last_day}, {year} and {n} are numbers, too.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import TypeAlias, cast

from memory.recall.hybrid.dates.ranges import Kind, Values
from memory.recall.hybrid.dates.tokens import Token, folded

_MONTHS = {"month", "name", "weak", "located"}
_COUNTED_FROM_ONE = {*_MONTHS, "n"}
_YEARS = range(1900, 2100)
_MAX_NUMBER_DIGITS = 4

NUMBER = "0"
END = ""

Key: TypeAlias = tuple[str, int | None]
"""What a token may stand for: a class, as "{month}", with its value, or the word itself, which has none."""

SHARED = """
    day: {day} [{ordinal}] [{of}] {name} [.] [{of}] [{year}]
    day: {day} [{ordinal}] {to} {last_day} [{ordinal}] [{of}] {name} [.] [{of}] [{year}]
    month: {in} {month}
    month: [{in}] {name} [{of}] {year}
    last_named_month: {last} {month}
    last_named_month: [{in}] {month} {after}
    this_named_month: {this} {month}
    this_named_month: [{in}] {month} [{of}] {this} {unit}
    month_of_last_year: [{in}] {month} [{of}] {last} {unit}
    month_of_last_year: [{in}] {month} [{of}] [{the}] {unit} {after}
    year: {in_year} {year}
    ago: {ago_before} {n} {unit}
    ago: {n} {unit} {ago_after}
    few_ago: {ago_before} {few} {unit}
    few_ago: {few} {unit} {ago_after}
    last_unit: {last} {unit}
    last_unit: {unit} {after}
    this_unit: {this} {unit}
    last_few: {last} {n} {unit}
    weekday: {on} {weekday}
    weekday: {last} {weekday}
    weekday: [{on}] {weekday} {after}
    this_weekday: {this} {weekday}
    weekday_of_last_week: [{on}] {weekday} [{of}] {last} {unit}
    weekday_of_last_week: {last} {unit} {weekday}
    weekday_of_last_week: [{on}] {weekday} [{of}] [{the}] {unit} {after}
    season: {season} [{of}] {year}
    last_season: {last} {season}
    last_season: {season} {after}
    this_season: {this} {season}
    relative: {relative}
"""
"""Phrases of every language; those with a class that a language has not are not among its own."""


@dataclass(slots=True)
class _Node:
    """A place in the tree of all phrases: where the next token leads, and what ends here."""

    edges: dict[str, "_Node"] = field(default_factory=dict)
    kind: Kind | None = None
    values: Values = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase found in tokens[start:end]."""

    kind: Kind
    values: Values
    start: int
    end: int
    grammar: "Grammar"


class Grammar:
    """The phrases of one language. `classes` and `phrases` are lines as the module's docstring has them.

    Months are a `month` where they need but a preposition, a `name` where they need a day or a year, and `weak` where
    they may be another word. Classes with a meaning of their own:
    - `capital`: words that are a `month` or `name` only with a capital letter;
    - `since`: lets a range go on until today;
    - `not_after`, `not_before`: words that make the phrase behind or before them none;
    - `unsure`: words that need a message in this language;
    - `common`: words by which a language is known.
    """

    def __init__(self, name: str, classes: str, phrases: str = "") -> None:
        self.name = name
        self._classes = {name: _words(name, line) for name, line in _lines(classes)}
        self._classes.setdefault("name", self._classes["month"])
        self._words = {name: frozenset(words) for name, words in self._classes.items()}
        self._keys = self._keys_by_word()
        self._root = _Node()
        for head, line in _lines(SHARED + phrases):
            self._add(head, line)

    def words(self, name: str) -> frozenset[str]:
        """The words of a class, without accents; none where this language has no such class."""
        return self._words.get(name, frozenset())

    def beginnings(self) -> Mapping[str, frozenset[str]]:
        """Each word that a phrase may begin with, and the words that may follow it. NUMBER stands for any number, and
        END among what follows says that the word may be all."""
        following: dict[str, set[str]] = {}
        for edge, node in self._root.edges.items():
            for word in self._words_on(edge):
                follow = following.setdefault(word, set()).union(*map(self._words_on, node.edges))
                following[word] = follow | {END} if node.kind else follow
        return {word: frozenset(words) for word, words in following.items()}

    def _words_on(self, edge: str) -> frozenset[str]:
        if not edge.startswith("{"):
            return frozenset({edge})
        return self.words(edge.strip("{}")) | (frozenset({NUMBER}) if edge in _NUMBER_EDGES else frozenset())

    def longest(self, tokens: Sequence[Token], start: int) -> Phrase | None:
        """The longest phrase that begins with this token."""
        best: Phrase | None = None
        ways: list[tuple[_Node, int, tuple[Key, ...]]] = [(self._root, start, ())]
        while ways:
            node, end, keys = ways.pop()
            if node.kind is not None and (best is None or end > best.end):
                values = {_value_name(edge): value for edge, value in keys if value is not None}
                best = Phrase(node.kind, {**values, **node.values}, start, end, self)
            if node.edges and end < len(tokens):
                for key in self._keys_of(tokens[end]):
                    if (following := node.edges.get(key[0])) is not None:
                        ways.append((following, end + 1, (*keys, key)))
        return best

    def _keys_of(self, token: Token) -> Iterable[Key]:
        if token.kind == "number":
            return _number_keys(token.text)
        keys = self._keys.get(token.text, ())
        if token.is_lower_case and token.text in self.words("capital"):
            keys = tuple(key for key in keys if key[0] not in ("{month}", "{name}"))
        return (*keys, (token.text, None))

    def _keys_by_word(self) -> Mapping[str, tuple[Key, ...]]:
        keys: dict[str, tuple[Key, ...]] = {}
        for name, words in self._classes.items():
            for word, value in words.items():
                keys[word] = (*keys.get(word, ()), (f"{{{name}}}", value))
        return keys

    def _add(self, head: str, line: str) -> None:
        kind, *settings = head.split()
        values = {name: int(value) for name, _, value in (setting.partition("=") for setting in settings)}
        for names in product(*(self._choices(element) for element in line.split())):
            node = self._root
            for name in filter(None, names):
                node = node.edges.setdefault(name, _Node())
            if names and node.kind is None:
                node.kind, node.values = cast(Kind, kind), values

    def _choices(self, element: str) -> list[str]:
        """The keys that may stand in one place of a phrase, "" where it may be missing; [] where it has no words."""
        inner = element.strip("[]")
        missing = [""] if inner != element else []
        if inner.startswith("{"):
            return [*missing, *([inner] if inner.strip("{}") in self._classes or inner in _NUMBER_EDGES else [])]
        return [*missing, *map(folded, inner.split("|"))]


_NUMBER_EDGES = frozenset({"{day}", "{last_day}", "{year}", "{n}"})


def _value_name(edge: str) -> str:
    name = edge.strip("{}")
    return "month" if name in _MONTHS else name


def _number_keys(digits: str) -> Iterator[Key]:
    if len(digits) > _MAX_NUMBER_DIGITS:
        return
    number = int(digits)
    if len(digits) <= 2:
        yield "{day}", number
        yield "{last_day}", number
    if len(digits) == _MAX_NUMBER_DIGITS and number in _YEARS:
        yield "{year}", number
    yield "{n}", number


def _lines(text: str) -> list[tuple[str, str]]:
    """Head and rest of each line; a line without a head goes on with the one before."""
    lines: list[tuple[str, str]] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        head, colon, rest = line.partition(": ")
        lines.append((head, rest.strip()) if colon else (lines[-1][0], f"{lines.pop()[1]} {line}"))
    return lines


def _words(name: str, line: str) -> dict[str, int]:
    first = 1 if name in _COUNTED_FROM_ONE else 0
    return {
        folded(form): value
        for value, forms in enumerate(line.split(), first)
        for form in forms.split("|")
        if form != "_"
    }

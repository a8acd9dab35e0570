"""Holds an extractor's answer against what the operator said: what may be learned, what waits, what ends (27, 28)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import JsonValue

from memory.models import Ending
from memory.text import normalising
from memory.text.lines import one_line
from memory.text.quotes import SaidWords

_YES = (True, 1, "true", "True", "yes")


@dataclass(frozen=True)
class EndingEntry:
    """An entry that says a key has ended, as the extractor gives it. `value`: what ended; "" where it does not say."""

    key: str
    value: str
    quote: str
    asked: bool


@dataclass(frozen=True)
class Weighed:
    """Claims with the words they were said in, claims whose quote was not said, and what ends."""

    claims: Sequence[normalising.Claim]
    waiting: Sequence[normalising.Claim]
    endings: Sequence[Ending]


def is_ending(entry: JsonValue) -> bool:
    """Whether an entry of an answer says that a fact ends, so that it is no claim."""
    return isinstance(entry, dict) and (_says(entry, "ends") or _says(entry, "forget"))


def parse_ending(entry: JsonValue) -> EndingEntry | None:
    """One such entry; None where its key cannot be read."""
    if not isinstance(entry, dict) or not isinstance(raw := entry.get("key"), str):
        return None
    try:
        key = normalising.normal_key(raw)
    except normalising.TextRefused:
        return None
    value = entry.get("value")
    named = one_line(value) if isinstance(value, str) else ""
    return EndingEntry(key, named, normalising.quote_in(entry), asked=_says(entry, "forget"))


def weigh(
    claims: Sequence[normalising.Claim],
    endings: Sequence[EndingEntry],
    *,
    texts: Mapping[int, str],
    offered: Collection[str],
) -> Weighed:
    """What an answer's entries are worth.

    `texts`: {index of a message: the operator's new words in it}. `offered`: the keys that the request named, which
    alone may end. A claim without a quote is taken as it is (ADR-0033), with the words that say its value where there
    are any.
    """
    said = SaidWords(texts)
    found: list[normalising.Claim] = []
    waiting: list[normalising.Claim] = []
    for claim in claims:
        where = said.find(claim.quote) if _has_words(claim.quote) else said.find_value(claim.value)
        if where or not _has_words(claim.quote):
            found.append(replace(claim, said=where))
        elif not normalising.is_secret(claim.quote):
            waiting.append(claim)
    return Weighed(found, waiting, [_ending(entry, said, offered) for entry in endings])


def _ending(entry: EndingEntry, said: SaidWords, offered: Collection[str]) -> Ending:
    known = next((key for key in offered if entry.key in normalising.key_spellings(key)), None)
    where = said.find(entry.quote) if known is not None and _has_words(entry.quote) else None
    return Ending(known or entry.key, entry.value, where, asked=entry.asked)


def _has_words(quote: str) -> bool:
    return any(map(str.isalnum, quote))


def _says(entry: Mapping[str, JsonValue], name: str) -> bool:
    value = entry.get(name)
    return isinstance(value, bool | int | str) and value in _YES

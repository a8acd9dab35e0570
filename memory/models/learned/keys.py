"""Which stored facts a claim is about, and which it contradicts: by all spellings of its key (decisions 3, 5)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Protocol, TypeVar

from memory.text import keys, normalising
from memory.text.normalising import Claim


class Stored(Protocol):
    """A stored fact, as far as its key and value go."""

    key: str
    value: str


class MayEnd(Stored, Protocol):
    """A stored fact, with when it ended."""

    retired_at: datetime | None


Fact = TypeVar("Fact", bound=Stored)
Ended = TypeVar("Ended", bound=MayEnd)


def related_keys(claims: Iterable[Claim]) -> list[str]:
    """Every key under which a fact may be stored that one of these claims is about, or contradicts."""
    return list(dict.fromkeys(key for claim in claims for key in (*_same(claim), *keys.opposite_keys(claim.key))))


def _same(claim: Claim) -> list[str]:
    naming = keys.other_naming(claim.key, claim.value)
    return [*normalising.key_spellings(claim.key), *([naming] if naming else [])]


def under_stored_keys(claims: Sequence[Claim], stored: Mapping[str, Fact]) -> dict[str, Claim]:
    """{key: claim}, each under the key that is stored already. Of claims that say the same or contradict, the last."""
    latest: dict[str, Claim] = {}
    for claim in claims:
        key = next((key for key in _same(claim) if key in latest or _is_about(claim, stored.get(key))), claim.key)
        for contrary in keys.opposite_keys(key):
            latest.pop(contrary, None)
        latest.pop(key, None)
        latest[key] = replace(claim, key=key)
    return latest


def _is_about(claim: Claim, fact: Stored | None) -> bool:
    """Whether this stored fact is what the claim is about. Under another naming, by the name alone."""
    if fact is None:
        return False
    is_naming = fact.key == keys.other_naming(claim.key, claim.value)
    return not is_naming or normalising.same_value(fact.value, claim.value)


def opposing(key: str, stored: Mapping[str, Fact]) -> list[Fact]:
    """The stored facts that say the contrary of this key."""
    return [stored[contrary] for contrary in keys.opposite_keys(key) if contrary in stored]


def in_place_of(key: str, stored: Mapping[str, Ended]) -> list[Ended]:
    """The stored facts that leave a deleted fact no place: of another spelling, or contrary and not ended.

    None where one is stored under the key itself.
    """
    if key in stored:
        return []
    same = [stored[spelled] for spelled in normalising.key_spellings(key) if spelled in stored]
    return [*same, *(fact for fact in opposing(key, stored) if fact.retired_at is None)]


def contradicted(newest_first: Sequence[Fact]) -> set[str]:
    """The keys of those of these facts that a newer one of them contradicts."""
    stored = {fact.key: fact for fact in newest_first}
    places = {fact.key: place for place, fact in enumerate(newest_first)}
    dropped: set[str] = set()
    for fact in newest_first:
        if keys.is_negative(fact.key):
            pairs = [(fact, other) for other in opposing(fact.key, stored)]
            dropped |= {max(pair, key=lambda one: places[one.key]).key for pair in pairs}
    return dropped

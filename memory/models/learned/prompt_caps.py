"""How many facts a prompt takes, by the settings, and how much of that goes to those that the operator keeps."""

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from caesar.conf import FactsSettings
from memory.text import wording

BY_IMPORTANCE = 10
"""How many facts are in every prompt, in the mode `mixed`."""
BY_MESSAGE = 20
"""How many more the message may bring."""


def most_facts(facts: FactsSettings) -> int:
    """The most facts that one prompt takes by these settings, its characters apart."""
    return min(facts.max_injected, BY_IMPORTANCE + BY_MESSAGE) if facts.selection == "mixed" else facts.max_injected


def fitting_kept(sentences: Iterable[str], facts: FactsSettings) -> int:
    """How many of these sentences of kept facts come first: as many as fit, in order, into half of both caps."""
    return wording.facts_block(sentences, max_facts=most_facts(facts) // 2, max_chars=facts.max_chars // 2).count


class _Fact(Protocol):
    @property
    def is_kept(self) -> bool: ...
    @property
    def sentence(self) -> str: ...


class _Ranked(Protocol):
    @property
    def fact(self) -> _Fact: ...
    @property
    def is_past(self) -> bool: ...


Item = TypeVar("Item", bound=_Ranked)


def kept_first(ranked: Sequence[Item], facts: FactsSettings) -> list[Item]:
    """These facts, the most important first, in the order in which a prompt takes them: those that are kept come first.

    Kept facts beyond half of the caps go by importance like the others, and so do those that are past.
    """
    kept = [item for item in ranked if item.fact.is_kept and not item.is_past]
    first = kept[: fitting_kept((item.fact.sentence for item in kept), facts)] if kept else []
    taken = set(map(id, first))
    return [*first, *(item for item in ranked if id(item) not in taken)]

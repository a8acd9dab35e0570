"""The order of the facts in prompts: sorted once per change of memory, and kept in this process (decision 36).

Time alone does not change the order, since it moves all importances by the same factor; but on a new day a fact may be
past by its own date.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Generic, TypeVar

from django.conf import settings

from memory.models.revision import MemoryRevision

Item = TypeVar("Item")


@dataclass(frozen=True)
class Sorted(Generic[Item]):
    """The most important facts, highest first, and when the last confirmed of all facts was confirmed.

    `same_on`: the days, first and last, for which the list holds; None where no fact has an end.
    """

    ranked: list[Item]
    newest: datetime | None
    same_on: tuple[date, date] | None = None


@dataclass(frozen=True)
class _Kept(Generic[Item]):
    """A sorted list, and the state of memory and settings that it is valid for."""

    valid_for: tuple[object, ...]
    facts: Sorted[Item]

    def is_valid(self, valid_for: tuple[object, ...], now: datetime) -> bool:
        """Whether the kept order still holds. Not while a fact lies in the future: that one does not age yet."""
        if self.valid_for != valid_for or (self.facts.newest is not None and self.facts.newest > now):
            return False
        days = self.facts.same_on
        return days is None or days[0] <= settings.CAESAR.day_of(now) <= days[1]


class PromptOrder(Generic[Item]):
    """Keeps one sorted list."""

    def __init__(self) -> None:
        self._kept: _Kept[Item] | None = None

    def current(self, now: datetime, *, sort: Callable[[datetime, int], Sorted[Item]], may_keep: bool) -> list[Item]:
        """The facts a prompt has room for, in order.

        Calls `sort(now, limit)` after a change only, and when a fact's last day is over.
        `may_keep` is False inside a transaction, whose changes may be undone: its order is not kept.
        """
        memory = settings.CAESAR.memory
        changes, zone = MemoryRevision.current().facts_changed, settings.CAESAR.zone
        valid_for = (changes, memory.facts_importance, memory.facts, zone)
        kept = self._kept
        if kept is None or not kept.is_valid(valid_for, now):
            kept = _Kept(valid_for, sort(now, memory.facts.max_injected))
            if may_keep and kept.is_valid(valid_for, now):
                self._kept = kept
        return kept.facts.ranked

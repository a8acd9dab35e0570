"""All facts in the order of a scenario's prompt, of which only those that are looked at are read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import overload

import numpy as np

from caesar.conf import MemorySettings
from memory.models import PersonalFact, RankedFact, Standings
from memory.models.learned.fact_ranks import Ranks
from memory.models.learned.prompt_caps import fitting_kept
from memory.ranking import Indices
from memory.recall.relevant_facts import SelectedFact

_READ_AT_ONCE = 64


@dataclass(frozen=True)
class ReadFacts:
    """The facts that were read so far, for all scenarios of one answer."""

    by_id: dict[int, PersonalFact] = field(default_factory=dict)

    def read(self, ids: Sequence[int]) -> None:
        """Read those of these facts that are not there yet. One query, none where all are."""
        if missing := [row for row in ids if row not in self.by_id]:
            self.by_id.update(PersonalFact.objects.in_bulk(missing))


class FactsInOrder(Sequence[RankedFact]):
    """Facts at these places of the ranks, in this order, read as they are asked for, some at a time."""

    def __init__(self, ranks: Ranks, places: Indices, facts: ReadFacts) -> None:
        self.ids = ranks.ids[places].tolist()
        self._ranks = ranks
        self._places = places
        self._facts = facts

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, index: int) -> RankedFact: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[RankedFact]: ...
    def __getitem__(self, index: int | slice) -> RankedFact | Sequence[RankedFact]:
        if isinstance(index, slice):
            wanted = range(*index.indices(len(self)))
            self._facts.read([self.ids[at] for at in wanted])
            return [self._ranked(at) for at in wanted]
        at = range(len(self))[index]
        if self.ids[at] not in self._facts.by_id:
            self._facts.read(self.ids[at : at + _READ_AT_ONCE])
        return self._ranked(at)

    def __iter__(self) -> Iterator[RankedFact]:
        return (self[at] for at in range(len(self)))

    def _ranked(self, at: int) -> RankedFact:
        place = int(self._places[at])
        fact = self._facts.by_id[self.ids[at]]
        return RankedFact(fact, self._ranks.parts(place), bool(self._ranks.is_past[place]))


class ByRank(Sequence[SelectedFact]):
    """Facts that no message was asked about, as a prompt takes them: the first `first` because they are kept."""

    def __init__(self, ranked: FactsInOrder, first: int) -> None:
        self.ids = ranked.ids
        self._ranked = ranked
        self._first = first

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, index: int) -> SelectedFact: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[SelectedFact]: ...
    def __getitem__(self, index: int | slice) -> SelectedFact | Sequence[SelectedFact]:
        if isinstance(index, slice):
            self._ranked[index]  # read at once
            return [self[at] for at in range(*index.indices(len(self)))]
        at = range(len(self))[index]
        return SelectedFact(self._ranked[at], "kept" if at < self._first else "importance")

    def __iter__(self) -> Iterator[SelectedFact]:
        return (self[at] for at in range(len(self)))


def order_for(
    standings: Standings, memory: MemorySettings, moment: datetime, *, unknown: set[int], facts: ReadFacts
) -> tuple[FactsInOrder, int, FactsInOrder]:
    """The facts that a prompt may have at that moment by these settings, how many stand first, and those it may not.

    Kept ones come first, as far as half of the caps goes. `unknown`: the ids of those first said after it. Reads the
    kept ones alone.
    """
    ranks, order = standings.ranks_anew(moment, memory.facts_importance)
    kept = order[ranks.is_kept[order] & ~ranks.is_past[order]]
    kept_ids = ranks.ids[kept].tolist()
    facts.read(kept_ids)
    first = kept[: fitting_kept((facts.by_id[row].sentence for row in kept_ids), memory.facts)] if kept_ids else kept
    order = np.concatenate([first, order[~np.isin(order, first)]])
    out = ranks.is_past[order] | np.isin(ranks.ids[order], list(unknown))
    first_known = int((~out[: len(first)]).sum())
    return FactsInOrder(ranks, order[~out], facts), first_known, FactsInOrder(ranks, order[out], facts)

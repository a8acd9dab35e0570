"""All facts by importance as columns, for pages that rank many and show few: no object is made of a row."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

import numpy as np

from caesar.conf import FactsImportanceSettings
from memory import ranking
from memory.models.learned.columns import Columns, moment_of
from memory.models.learned.fact_ranks import Ranks
from memory.text import normalising


@dataclass(frozen=True)
class Standings:
    """The facts that have not ended, in the order in which a prompt takes them: columns of shape (n,), one place each.

    The first `first` of them stand there because the operator keeps them, the others by importance, past ones last.
    """

    ranks: Ranks
    keys: Sequence[str]
    first: int = 0

    @classmethod
    def of(cls, ranks: Ranks, columns: Columns, order: ranking.Indices, *, first: Sequence[int]) -> "Standings":
        """These facts in this order of places, those of `first` before all."""
        if first:
            order = np.concatenate([np.array(first, dtype=order.dtype), order[~np.isin(order, first)]])
        return cls(ranks.taken(order), [columns.keys[place] for place in order.tolist()], len(first))

    def __len__(self) -> int:
        return len(self.keys)

    def at(self, now: datetime) -> "Standings":
        """The same order with the importances of another moment of the same day."""
        return replace(self, ranks=self.ranks.at(now))

    def ranks_anew(self, now: datetime, scale: FactsImportanceSettings) -> tuple[Ranks, ranking.Indices]:
        """The ranks at another moment by other settings, and the order of the places by them, past ones among them."""
        ranks = self.ranks.at(now, scale)
        return ranks, ranking.order(ranks.value, ranks.confirmed_us, ranks.ids)

    @property
    def is_kept(self) -> ranking.Flags:
        """Which of them the operator keeps (n,)."""
        return self.ranks.is_kept

    @cached_property
    def holding(self) -> int:
        """How many facts are not past: the places before this one."""
        return len(self) - int(self.ranks.is_past.sum())

    def position_of(self, key: str) -> int | None:
        """The place (from 0) of the fact with this key, as spelled or in its normal form; None where there is none."""
        found = {
            spelled: self.keys.index(spelled) for spelled in normalising.key_spellings(key) if spelled in self.keys
        }
        return next(iter(found.values()), None)

    def confirmed_at(self, place: int) -> datetime:
        """When the fact at this place was last confirmed."""
        return moment_of(int(self.ranks.confirmed_us[place]))

    @property
    def weight(self) -> ranking.Scores:
        """Confidence x edit weight: the importance of each on the day it is confirmed (n,)."""
        weight: ranking.Scores = self.ranks.confidence * self.ranks.edit_weight
        return weight

"""All facts by importance as columns, for pages that rank many and show few: no object is made of a row."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

import numpy as np

from memory import ranking
from memory.models.learned.fact_ranks import Ranks, moment_of
from memory.text import normalising


@dataclass(frozen=True)
class Standings:
    """The facts that have not ended, most important first, past ones last: columns of shape (n,), one place each.

    `learned_us`: when each was first seen, in microseconds since the epoch. `is_yours`: its value is the operator's own
    word, typed or corrected. `is_kept`: the operator keeps it in prompts.
    """

    ranks: Ranks
    keys: Sequence[str]
    learned_us: ranking.Ints
    is_yours: ranking.Flags
    is_kept: ranking.Flags

    def __len__(self) -> int:
        return len(self.keys)

    def at(self, now: datetime) -> "Standings":
        """The same order with the importances of another moment of the same day."""
        return replace(self, ranks=self.ranks.at(now))

    @cached_property
    def holding(self) -> int:
        """How many facts are not past: the places before this one."""
        return len(self) - int(self.ranks.is_past.sum())

    def position_of(self, key: str) -> int | None:
        """The place (from 0) of the fact with this key, as spelled or in its normal form; None where there is none."""
        places = {stored: place for place, stored in enumerate(self.keys)}
        return next((places[spelled] for spelled in normalising.key_spellings(key) if spelled in places), None)

    def confirmed_at(self, place: int) -> datetime:
        """When the fact at this place was last confirmed."""
        return moment_of(int(self.ranks.confirmed_us[place]))

    @property
    def weight(self) -> ranking.Scores:
        """Confidence x edit weight: the importance of each on the day it is confirmed (n,)."""
        weight: ranking.Scores = self.ranks.confidence * self.ranks.edit_weight
        return weight


def standings_of(ranks: Ranks, rows: Sequence[tuple[str, int]], *, yours: set[str], kept: Sequence[bool]) -> Standings:
    """The ranks and these rows (key, when first seen in microseconds), both in the same places, brought into order."""
    order = ranks.top(None)
    keys = [rows[place][0] for place in order]
    return Standings(
        ranks.taken(order),
        keys,
        learned_us=np.array([rows[place][1] for place in order], dtype=np.int64),
        is_yours=np.array([key in yours for key in keys], dtype=np.bool_),
        is_kept=np.array([kept[place] for place in order], dtype=np.bool_),
    )

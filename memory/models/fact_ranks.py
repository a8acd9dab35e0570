"""The rank of every fact at one moment, in numpy columns: what `PersonalFact.objects.by_importance` sorts by."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np
from django.conf import settings

from memory import ranking

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_DAY_US = timedelta(days=1) / _MICROSECOND

FactColumns = tuple[int, datetime, float, str]
"""id, last_confirmed_at, confidence, key."""


@dataclass(frozen=True)
class Ranks:
    """Columns of shape (n,), one place for each fact (ADR-0034 §4)."""

    ids: ranking.Ints
    confirmed_us: ranking.Ints
    confidence: ranking.Scores
    edits: ranking.Ints
    freshness: ranking.Scores
    edit_weight: ranking.Scores
    value: ranking.Scores

    @classmethod
    def of(cls, rows: Iterable[FactColumns], edit_counts: Mapping[str, int], *, now: datetime) -> "Ranks":
        """The ranks of these facts; a key without edits is not in `edit_counts`."""
        scale = settings.CAESAR.memory.facts_importance
        listed = list(rows)
        confirmed_us = np.array([_microseconds(row[1]) for row in listed], dtype=np.int64)
        confidence = np.array([row[2] for row in listed], dtype=np.float64)
        edits = np.array([edit_counts.get(row[3], 0) for row in listed], dtype=np.int64)
        freshness = ranking.freshness((_microseconds(now) - confirmed_us) / _DAY_US, scale.halflife_days)
        edit_weight = ranking.edit_weight(edits, scale.edit_weight_scale)
        return cls(
            ids=np.array([row[0] for row in listed], dtype=np.int64),
            confirmed_us=confirmed_us,
            confidence=confidence,
            edits=edits,
            freshness=freshness,
            edit_weight=edit_weight,
            value=freshness * confidence * edit_weight,
        )

    @property
    def newest(self) -> datetime | None:
        """When the last confirmed fact was confirmed; None where there are no facts."""
        return _EPOCH + int(self.confirmed_us.max()) * _MICROSECOND if self.confirmed_us.size else None

    def top(self, limit: int | None) -> ranking.Indices:
        """Places of the `limit` most important facts, highest first; of all where `limit` is None."""
        return ranking.top(self.value, self.confirmed_us, self.ids, len(self.ids) if limit is None else limit)

    def parts(self, place: int) -> ranking.Importance:
        """The rank at one place with the factors it is made of."""
        return ranking.Importance(
            value=float(self.value[place]),
            freshness=float(self.freshness[place]),
            confidence=float(self.confidence[place]),
            edit_weight=float(self.edit_weight[place]),
            edit_count=int(self.edits[place]),
        )


def _microseconds(moment: datetime) -> int:
    return (moment - _EPOCH) // _MICROSECOND

"""The rank of every fact at one moment, in numpy columns: what `PersonalFact.objects.by_importance` sorts by."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

import numpy as np
from django.conf import settings

from memory import ranking

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_DAY_US = timedelta(days=1) / _MICROSECOND

FactColumns = tuple[int, datetime, float, str, date | None, datetime | None]
"""id, last_confirmed_at, confidence, key, valid_until, kept_at."""


@dataclass(frozen=True)
class Ranks:
    """Columns of shape (n,), one place for each fact (ADR-0034 §4). `is_past`: it holds no longer by its own date.

    `same_on`: the days, first and last, on which the same facts are past; None where none has a date.
    """

    ids: ranking.Ints
    confirmed_us: ranking.Ints
    confidence: ranking.Scores
    edits: ranking.Ints
    freshness: ranking.Scores
    edit_weight: ranking.Scores
    value: ranking.Scores
    is_past: ranking.Flags
    is_kept: ranking.Flags
    same_on: tuple[date, date] | None

    @classmethod
    def of(cls, rows: Iterable[FactColumns], edit_counts: Mapping[str, int], *, now: datetime) -> "Ranks":
        """The ranks of these facts; a key without edits is not in `edit_counts`."""
        scale = settings.CAESAR.memory.facts_importance
        listed = list(rows)
        confirmed_us = np.array([_microseconds(row[1]) for row in listed], dtype=np.int64)
        confidence = np.array([row[2] for row in listed], dtype=np.float64)
        today = settings.CAESAR.day_of(now)
        is_past = np.array([row[4] is not None and row[4] < today for row in listed], dtype=np.bool_)
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
            is_past=is_past,
            is_kept=np.array([row[5] is not None for row in listed], dtype=np.bool_),
            same_on=_same_on([row[4] for row in listed if row[4] is not None], today),
        )

    @property
    def newest(self) -> datetime | None:
        """When the last confirmed fact was confirmed; None where there are no facts."""
        return _EPOCH + int(self.confirmed_us.max()) * _MICROSECOND if self.confirmed_us.size else None

    def top(self, limit: int | None) -> ranking.Indices:
        """Places of the `limit` most important facts, highest first and past ones last; of all where it is None."""
        most = len(self.ids) if limit is None else limit
        if not self.is_past.any():
            return ranking.top(self.value, self.confirmed_us, self.ids, most)
        halves = (self._top_of(np.flatnonzero(~self.is_past), most), self._top_of(np.flatnonzero(self.is_past), most))
        return np.concatenate(halves)[:most]

    def top_and_kept(self, limit: int) -> ranking.Indices:
        """Places of the `limit` most important facts and of those that are kept, highest first and past ones last."""
        kept = np.flatnonzero(self.is_kept & ~self.is_past)
        top = self.top(limit)
        missing = np.setdiff1d(kept, top)
        if not missing.size:
            return top
        places = np.concatenate([top[~self.is_past[top]], missing])
        order = ranking.order(self.value[places], self.confirmed_us[places], self.ids[places])
        return np.concatenate([places[order], top[self.is_past[top]]])

    def _top_of(self, places: ranking.Indices, most: int) -> ranking.Indices:
        return places[ranking.top(self.value[places], self.confirmed_us[places], self.ids[places], most)]

    def parts(self, place: int) -> ranking.Importance:
        """The rank at one place with the factors it is made of."""
        return ranking.Importance(
            value=float(self.value[place]),
            freshness=float(self.freshness[place]),
            confidence=float(self.confidence[place]),
            edit_weight=float(self.edit_weight[place]),
            edit_count=int(self.edits[place]),
        )


def _same_on(ends: list[date], today: date) -> tuple[date, date] | None:
    return (today, min((day for day in ends if day >= today), default=date.max)) if ends else None


def _microseconds(moment: datetime) -> int:
    return (moment - _EPOCH) // _MICROSECOND

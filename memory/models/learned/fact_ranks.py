"""The rank of every fact at one moment, in numpy columns: what `PersonalFact.objects.by_importance` sorts by."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

import numpy as np
from django.conf import settings

from caesar.conf import FactsImportanceSettings
from memory import ranking
from memory.models.learned.columns import NO_END, Columns, FactColumns, microseconds, moment_of

_DAY_US = timedelta(days=1) / timedelta(microseconds=1)


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
    last_days: ranking.Ints
    is_past: ranking.Flags
    is_kept: ranking.Flags
    same_on: tuple[date, date] | None

    @classmethod
    def of(cls, rows: Iterable[FactColumns], edit_counts: Mapping[str, int], *, now: datetime) -> "Ranks":
        """The ranks of these facts; a key without edits is not in `edit_counts`."""
        return cls.of_columns(Columns.of(rows), edit_counts, now=now)

    @classmethod
    def of_columns(cls, columns: Columns, edit_counts: Mapping[str, int], *, now: datetime) -> "Ranks":
        """The ranks of these facts; a key without edits is not in `edit_counts`."""
        scale = settings.CAESAR.memory.facts_importance
        today = settings.CAESAR.day_of(now)
        edits = np.array([edit_counts.get(key, 0) for key in columns.keys], dtype=np.int64)
        freshness = _freshness(columns.confirmed_us, now, scale)
        edit_weight = ranking.edit_weight(edits, scale.edit_weight_scale)
        return cls(
            ids=columns.ids,
            confirmed_us=columns.confirmed_us,
            confidence=columns.confidence,
            edits=edits,
            freshness=freshness,
            edit_weight=edit_weight,
            value=freshness * columns.confidence * edit_weight,
            last_days=columns.last_days,
            is_past=columns.last_days < today.toordinal(),
            is_kept=columns.is_kept,
            same_on=_same_on(columns.last_days, today),
        )

    def at(self, now: datetime, scale: FactsImportanceSettings | None = None) -> "Ranks":
        """The same facts in the same places at another moment. `scale`: by other settings than those set."""
        scale = scale or settings.CAESAR.memory.facts_importance
        freshness = _freshness(self.confirmed_us, now, scale)
        edit_weight = ranking.edit_weight(self.edits, scale.edit_weight_scale)
        return replace(
            self,
            freshness=freshness,
            edit_weight=edit_weight,
            value=freshness * self.confidence * edit_weight,
            is_past=self.last_days < settings.CAESAR.day_of(now).toordinal(),
        )

    def taken(self, places: ranking.Indices) -> "Ranks":
        """The facts at these places, in this order."""
        return replace(
            self,
            ids=self.ids[places],
            confirmed_us=self.confirmed_us[places],
            confidence=self.confidence[places],
            edits=self.edits[places],
            freshness=self.freshness[places],
            edit_weight=self.edit_weight[places],
            value=self.value[places],
            last_days=self.last_days[places],
            is_past=self.is_past[places],
            is_kept=self.is_kept[places],
        )

    @property
    def newest(self) -> datetime | None:
        """When the last confirmed fact was confirmed; None where there are no facts."""
        return moment_of(int(self.confirmed_us.max())) if self.confirmed_us.size else None

    def ages(self, now: datetime) -> ranking.Scores:
        """How many days ago each was confirmed (n,); 0 for one in the future."""
        ages: ranking.Scores = np.maximum((microseconds(now) - self.confirmed_us) / _DAY_US, 0.0)
        return ages

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


def _freshness(confirmed_us: ranking.Ints, now: datetime, scale: FactsImportanceSettings) -> ranking.Scores:
    return ranking.freshness((microseconds(now) - confirmed_us) / _DAY_US, scale.halflife_days)


def _same_on(last_days: ranking.Ints, today: date) -> tuple[date, date] | None:
    ends = last_days[last_days < NO_END]
    if not ends.size:
        return None
    ahead = ends[ends >= today.toordinal()]
    return today, date.fromordinal(int(ahead.min())) if ahead.size else date.max

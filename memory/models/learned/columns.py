"""The columns that facts are ranked by, read without making an object, or even a datetime, of a row."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

import numpy as np
from django.db import connections, models
from django.db.models.functions import Cast

from memory import ranking

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
NO_END = date.max.toordinal()
"""The last day of a fact that holds without an end, as a number."""

_TIMES = ("last_confirmed_at", "valid_until", "kept_at")

FactColumns = tuple[int, datetime, float, str, date | None, datetime | None]
"""id, last_confirmed_at, confidence, key, valid_until, kept_at."""


@dataclass(frozen=True)
class Columns:
    """Columns of shape (n,), one place for each fact. `last_days`: as `date.toordinal`, `NO_END` for none."""

    ids: ranking.Ints
    confirmed_us: ranking.Ints
    confidence: ranking.Scores
    keys: Sequence[str]
    last_days: ranking.Ints
    is_kept: ranking.Flags

    @classmethod
    def of(cls, rows: Iterable[FactColumns]) -> "Columns":
        """The columns of these rows."""
        listed = list(rows)
        return cls(
            ids=np.array([row[0] for row in listed], dtype=np.int64),
            confirmed_us=np.array([microseconds(row[1]) for row in listed], dtype=np.int64),
            confidence=np.array([row[2] for row in listed], dtype=np.float64),
            keys=[row[3] for row in listed],
            last_days=np.array([NO_END if row[4] is None else row[4].toordinal() for row in listed], dtype=np.int64),
            is_kept=np.array([row[5] is not None for row in listed], dtype=np.bool_),
        )


def read_columns(facts: "models.QuerySet[Any, Any]") -> Columns:
    """The columns of these facts. One query.

    On SQLite, where times are text, numpy reads all of them at once: Django makes a datetime of each in Python, which
    takes ten times as long as all the rest.
    """
    if connections[facts.db].vendor != "sqlite":
        return Columns.of(facts.values_list("id", "last_confirmed_at", "confidence", "key", "valid_until", "kept_at"))
    texts = {f"{name}_text": Cast(name, models.TextField()) for name in _TIMES}
    rows = list(facts.annotate(**texts).values_list("id", "confidence", "key", *texts))
    ids, confidence, keys, confirmed, ends, kept = zip(*rows, strict=True) if rows else ((),) * 6
    return Columns(
        ids=np.array(ids, dtype=np.int64),
        confirmed_us=np.array(confirmed, dtype="datetime64[us]").astype(np.int64),
        confidence=np.array(confidence, dtype=np.float64),
        keys=keys,
        last_days=np.array([NO_END if end is None else date.fromisoformat(end).toordinal() for end in ends], np.int64),
        is_kept=np.array([since is not None for since in kept], dtype=np.bool_),
    )


def microseconds(moment: datetime) -> int:
    """Whole microseconds since the epoch."""
    return (moment - _EPOCH) // _MICROSECOND


def moment_of(us: int) -> datetime:
    """The moment so many microseconds after the epoch."""
    return _EPOCH + us * _MICROSECOND

"""How much a fact or an episode counts now: the formulas of ADR-0034 §4 as printed, and the order they give.

Pure numpy. Every formula takes plain numbers (and returns a float) or arrays of shape (n,) (and returns (n,)). Nothing
here deletes anything: decay only ranks. Vectors are compared in float64 (`cosine`), or in float32 as unit vectors
(`unit`), whose dot product is the cosine but for `float32_error`.
"""

import math
from dataclasses import dataclass
from typing import TypeAlias, overload

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64] | npt.NDArray[np.float32]
Scores: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]
Indices: TypeAlias = npt.NDArray[np.intp]
Matrix: TypeAlias = npt.NDArray[np.float32]
Flags: TypeAlias = npt.NDArray[np.bool_]

_FEW_EPISODES = 27


@dataclass(frozen=True, slots=True)
class Importance:
    """The importance of one fact and the parts it is the product of, for pages and receipts."""

    value: float
    freshness: float
    confidence: float
    edit_weight: float
    edit_count: int


@dataclass(frozen=True, slots=True)
class Threshold:
    """The lowest cosine that counts as similar: `base`, and more where many episodes are compared.

    Each further episode has its chance to come close to a message that asks for none of them. `rise`: by how much it
    rises with each tenfold of 27 episodes, `most_rise` at most; 0 for one that stays.
    """

    base: float
    rise: float = 0.0
    most_rise: float = 0.0

    @property
    def highest(self) -> float:
        """What it rises to."""
        return self.base + self.most_rise

    def among(self, episodes: int) -> float:
        """The threshold among this many episodes; in whole hundredths where it has risen."""
        if not self.rise or episodes <= _FEW_EPISODES:
            return self.base
        return round(self.base + min(self.rise * math.log10(episodes / _FEW_EPISODES), self.most_rise), 2)


@overload
def freshness(age_days: float, halflife_days: float) -> float: ...
@overload
def freshness(age_days: Floats, halflife_days: float) -> Scores: ...
def freshness(age_days: float | Floats, halflife_days: float) -> float | Scores:
    """exp(-age_days / halflife_days), in 0..1 (ADR-0034 §4).

    The record calls the divisor a half-life, but its formula has no ln 2: at an age of one "half-life" it gives 0.3679,
    not 0.5, and a lower value makes age count more. A future time (negative age) counts as age 0. A half-life that is
    not above 0 raises ValueError.
    """
    if not halflife_days > 0:
        raise ValueError(f"halflife_days must be greater than 0, not {halflife_days}")
    return _plain(np.exp(-np.maximum(np.asarray(age_days, dtype=np.float64), 0.0) / halflife_days))


@overload
def edit_weight(edit_count: int, scale: float) -> float: ...
@overload
def edit_weight(edit_count: Ints, scale: float) -> Scores: ...
def edit_weight(edit_count: int | Ints, scale: float) -> float | Scores:
    """1.0 + scale * edit_count: what the operator touched matters to them (ADR-0034 §4, scale 0.5 by default)."""
    return _plain(1.0 + scale * np.asarray(edit_count, dtype=np.float64))


@overload
def importance(
    *, age_days: float, confidence: float, edit_count: int, halflife_days: float, edit_weight_scale: float
) -> float: ...
@overload
def importance(
    *, age_days: Floats, confidence: Floats, edit_count: Ints, halflife_days: float, edit_weight_scale: float
) -> Scores: ...
def importance(
    *,
    age_days: float | Floats,
    confidence: float | Floats,
    edit_count: int | Ints,
    halflife_days: float,
    edit_weight_scale: float,
) -> float | Scores:
    """freshness * confidence * edit_weight of facts (ADR-0034 §4); the age counts from `last_confirmed_at`."""
    fresh = freshness(np.asarray(age_days, dtype=np.float64), halflife_days)
    weight = edit_weight(np.asarray(edit_count, dtype=np.int64), edit_weight_scale)
    return _plain(fresh * np.asarray(confidence, dtype=np.float64) * weight)


def fact_importance(
    *, age_days: float, confidence: float, edit_count: int, halflife_days: float, edit_weight_scale: float
) -> Importance:
    """The importance of one fact with its parts; `value` is to the bit what `importance` gives for the same fact."""
    fresh = freshness(age_days, halflife_days)
    weight = edit_weight(edit_count, edit_weight_scale)
    return Importance(
        value=fresh * confidence * weight,
        freshness=fresh,
        confidence=confidence,
        edit_weight=weight,
        edit_count=edit_count,
    )


@overload
def recall_weight(recall_count: int, scale: float) -> float: ...
@overload
def recall_weight(recall_count: Ints, scale: float) -> Scores: ...
def recall_weight(recall_count: int | Ints, scale: float) -> float | Scores:
    """1.0 + scale * log1p(recall_count): past relevance compounds (ADR-0034 §4, scale 0.25 by default)."""
    return _plain(1.0 + scale * np.log1p(np.asarray(recall_count, dtype=np.float64)))


@overload
def episode_score(
    *, cosine: float, age_days: float, recall_count: int, halflife_days: float, recall_weight_scale: float
) -> float: ...
@overload
def episode_score(
    *, cosine: Floats, age_days: Floats, recall_count: Ints, halflife_days: float, recall_weight_scale: float
) -> Scores: ...
def episode_score(
    *,
    cosine: float | Floats,
    age_days: float | Floats,
    recall_count: int | Ints,
    halflife_days: float,
    recall_weight_scale: float,
) -> float | Scores:
    """cosine * freshness * recall_weight of episodes (ADR-0034 §4); the age counts from `created_at`.

    The similarity threshold is the caller's, and goes by the raw cosine.
    """
    fresh = freshness(np.asarray(age_days, dtype=np.float64), halflife_days)
    weight = recall_weight(np.asarray(recall_count, dtype=np.int64), recall_weight_scale)
    return _plain(np.asarray(cosine, dtype=np.float64) * fresh * weight)


def order(scores: Scores, times: Ints, ids: Ints) -> Indices:
    """The indices of all rows, best first: highest score, then newest, then lowest id. (n,), (n,), (n,) -> (n,).

    `times` are whole microseconds since the epoch, so that no two moments fall together by rounding. Scores that are
    not a number come last.
    """
    return np.lexsort((ids, -times, -scores))


def top(scores: Scores, times: Ints, ids: Ints, k: int) -> Indices:
    """The first k of `order`, shape (min(k, n),), without sorting the rows that cannot be among them.

    Rows with the same score as the k-th all take part in the sort, so ties are decided exactly as in `order`.
    """
    if k < 1:
        return np.empty(0, dtype=np.intp)
    if k >= scores.size:
        return order(scores, times, ids)
    worst_first = -scores
    kth = np.partition(worst_first, k - 1)[k - 1]
    # "not worse than" rather than "at least as good as": true for NaN, which partition and lexsort both put last.
    candidates = np.flatnonzero(~(worst_first > kth))
    return candidates[order(scores[candidates], times[candidates], ids[candidates])[:k]]


def is_comparable(vector: Scores) -> bool:
    """Whether a vector (d,) has a direction: at least one number, all finite, not all zero."""
    if _LEAST_SAFE_SQUARE < float(np.vdot(vector, vector)) < 1 / _LEAST_SAFE_SQUARE:  # vdot: it never warns
        return True
    return vector.size > 0 and bool(np.isfinite(vector).all()) and bool(vector.any())


def cosine(query: Scores, rows: Scores) -> Scores:
    """The cosine of a query with each row, in float64: query (d,), rows (n, d) -> (n,), within -1..1.

    All of them have to be comparable; their numbers may be of any size. Equal rows give equal cosines, to the bit,
    wherever they stand.
    """
    (query, query_length), (rows, lengths) = _measured(query), _measured(rows)
    cosines: Scores = np.vecdot(rows, query) / (query_length * lengths)
    return np.clip(cosines, -1.0, 1.0)


def unit(rows: Scores) -> Matrix:
    """Rows of length 1 in float32, of comparable ones of any length: (..., d) -> (..., d)."""
    rows, lengths = _measured(rows)
    return (rows / lengths[..., np.newaxis]).astype(np.float32)


def unit_if_comparable(vector: Scores) -> Matrix | None:
    """What `unit` gives for one vector (d,), None where it is not comparable."""
    square = float(np.vdot(vector, vector))
    if _LEAST_SAFE_SQUARE < square < 1 / _LEAST_SAFE_SQUARE:
        return (vector / math.sqrt(square)).astype(np.float32)
    return unit(vector) if is_comparable(vector) else None


def float32_error(dimensions: int) -> float:
    """How far a float32 dot product of two `unit` vectors may be from their cosine, whatever the order of its sum."""
    return (dimensions + 8) * 2.0**-24


def _measured(rows: Scores) -> tuple[Scores, Scores]:
    """Rows and their lengths: (..., d) -> (..., d), (...).

    Where squares would overflow or vanish, all rows are scaled by powers of two first, which rounds nothing.
    """
    squares = _squares(rows)
    if not _is_safe(squares):
        exponents = np.frexp(np.abs(rows).max(axis=-1, keepdims=True))[1]
        rows = np.ldexp(rows, -exponents)
        squares = _squares(rows)
    return rows, np.sqrt(squares)


def _squares(rows: Scores) -> Scores:
    """(..., d) -> (...); infinite, NaN or 0 where float64 cannot hold the sum."""
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        squares: Scores = np.vecdot(rows, rows)
    return squares


def _is_safe(squares: Scores) -> bool:
    return bool(((squares > _LEAST_SAFE_SQUARE) & (squares < 1 / _LEAST_SAFE_SQUARE)).all())


_LEAST_SAFE_SQUARE = 1e-200


def _plain(result: Scores) -> float | Scores:
    """A float where the arguments were plain numbers, the array otherwise."""
    return float(result) if result.ndim == 0 else result

"""The scan of the matrix: block by block, the most promising first, until nothing that is left can win."""

from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from memory import ranking
from memory.events import MissReason
from memory.ranking import Indices, Ints, Matrix, Scores
from memory.recall.index.blocks import Block, Blocks, Counts

_DAY_US = 86_400_000_000
NEAR_MISSES_PER_REASON = 5
"""How many near misses of each reason are kept."""

_STRETCH = 64  # rows
_GATHER_DIVISOR = 8  # up to one row in 8 is copied out and compared; with more, comparing the whole block is faster

Mask: TypeAlias = npt.NDArray[np.bool_]
Number = TypeVar("Number", Scores, Matrix)


@dataclass(frozen=True)
class ScanQuery:
    """A query in the terms of the matrix: `vector` (d,) of unit length, times in microseconds, `top_k` at least 1.

    `cosine_error`: how far a float32 cosine of the scan may be from the true one.
    """

    vector: Matrix
    now_us: int
    since_us: int
    threshold: float
    halflife_days: float
    recall_weight_scale: float
    top_k: int
    excluded_chats: Ints
    cosine_error: float

    def age_days(self, created_us: Ints) -> Scores:
        """The age of episodes in days: (n,) -> (n,), negative for the future."""
        return (self.now_us - created_us) / _DAY_US

    def weights(self, created_us: Ints, recall_logs: Scores) -> Scores:
        """freshness * recall_weight, the factor of each cosine in the score: (n,), (n,) -> (n,)."""
        fresh = ranking.freshness(self.age_days(created_us), self.halflife_days)
        return fresh * (1.0 + self.recall_weight_scale * recall_logs)

    def candidate_weights(self, candidates: "Candidates") -> Scores:
        """The `weights` of these candidates, (n,)."""
        return self.weights(candidates.created_us, np.log1p(candidates.recalls))


class Candidates(NamedTuple):
    """Episodes that were compared and may matter, in columns (n,)."""

    ids: Ints
    audit_ids: Ints
    created_us: Ints
    recalls: Counts
    cosines: Scores
    is_excluded: Mask
    is_too_old: Mask

    def select(self, chosen: Mask | Indices) -> "Candidates":
        """The candidates at these positions, or where the mask is true."""
        return Candidates._make([column[chosen] for column in self])


@dataclass(frozen=True)
class NearCandidate:
    """A near miss before its row is read. Its numbers are the scan's float32; None where it was not compared."""

    id: int
    audit_log_id: int
    created_us: int
    reason: MissReason
    cosine: float | None = None
    score: float | None = None


@dataclass(frozen=True)
class Shortlist:
    """Every episode that may be among the `top_k`, and the closest of the others by reason, closest first."""

    finalists: Candidates
    near_misses: dict[MissReason, list[NearCandidate]]


def shortlist(blocks: Blocks, query: ScanQuery) -> Shortlist:
    """All episodes that may be among the best, and near misses. Exact.

    Blocks are scanned in the order of the best score that an episode in them could have. The scan ends at the first
    block whose best possible score `top_k` episodes are sure to beat. Inside a block, rows that cannot win by their
    freshness and recall count are skipped where there are many of them.
    """
    scan = _Scan(query)
    if blocks:
        highest = query.weights(
            np.array([block.span.newest_us for block in blocks]), np.array([block.max_recall_log for block in blocks])
        )
        for position in np.argsort(-highest, kind="stable").tolist():
            if not scan.may_win(float(highest[position])):
                break
            scan.compare(blocks[position])
    return scan.shortlist()


class _Compared(NamedTuple):
    """Rows of a block that were compared, all of them where `positions` is None, and their cosines (n,): -1 for those
    that are no near miss by cosine, because they are too old or were removed."""

    block: Block
    positions: Indices | None
    cosines: Matrix


@dataclass
class _Scan:
    """A scan in progress.

    `score_floor`: a score that `top_k` episodes are sure to reach, by `top_scores`. `candidates`: the episodes that may
    be similar enough; what is below the threshold is looked at once, at the end.
    """

    query: ScanQuery
    score_floor: float = -np.inf
    candidates: list[Candidates] = field(default_factory=list)
    compared: list[_Compared] = field(default_factory=list)
    top_scores: Scores = field(default_factory=lambda: np.empty(0))

    @property
    def similar(self) -> float:
        """The lowest cosine of the scan that may be of an episode that is similar enough."""
        return self.query.threshold - 2 * self.query.cosine_error

    def may_win(self, weight: float) -> bool:
        """Whether an episode of this weight can be among the best, if its cosine were 1."""
        return weight * (1.0 + self.query.cosine_error) >= self.score_floor

    def compare(self, block: Block) -> None:
        """Compare the episodes of a block that may still win, and collect those that may be similar enough."""
        positions = self._positions_to_compare(block)
        vectors = block.columns.vectors
        cosines = np.vecdot(vectors if positions is None else vectors[positions], self.query.vector)
        if float(cosines.max(initial=-1.0)) >= self.similar:
            close = np.flatnonzero(cosines >= self.similar)
            self._collect(block, close if positions is None else positions[close], cosines[close].astype(np.float64))
        if block.span.oldest_us < self.query.since_us:
            created_us = block.columns.created_us
            cosines[(created_us if positions is None else created_us[positions]) < self.query.since_us] = -1.0
        self.compared.append(_Compared(block, positions, cosines))

    def _positions_to_compare(self, block: Block) -> Indices | None:
        """The positions of rows that may win; None to compare the whole block."""
        if self.score_floor == -np.inf:
            return None
        weights = self.query.weights(block.columns.created_us, block.columns.recall_logs)
        positions = np.flatnonzero(weights * (1.0 + self.query.cosine_error) >= self.score_floor)
        return positions if positions.size * _GATHER_DIVISOR <= block.size else None

    def _collect(self, block: Block, positions: Indices, cosines: Scores) -> None:
        candidates = self._candidates(block, positions, cosines)
        if block.span.oldest_us < self.query.since_us:
            candidates = candidates.select(candidates.ids > 0)
        self._raise_score_floor(candidates)
        self.candidates.append(candidates)

    def _candidates(self, block: Block, positions: Indices, cosines: Scores) -> Candidates:
        query, columns = self.query, block.columns
        all_false = np.zeros(positions.size, dtype=np.bool_)
        audit_ids, created_us = columns.audit_ids[positions], columns.created_us[positions]
        return Candidates(
            ids=columns.ids[positions],
            audit_ids=audit_ids,
            created_us=created_us,
            recalls=columns.recalls[positions],
            cosines=cosines,
            is_excluded=np.isin(audit_ids, query.excluded_chats) if query.excluded_chats.size else all_false,
            is_too_old=created_us < query.since_us if block.span.oldest_us < query.since_us else all_false,
        )

    def _raise_score_floor(self, candidates: Candidates) -> None:
        """Raise `score_floor` by the scores that these candidates are sure to reach."""
        query = self.query
        sure = ~(candidates.is_excluded | candidates.is_too_old)
        sure &= candidates.cosines - query.cosine_error >= query.threshold
        if not sure.any():
            return
        scores = (candidates.cosines - query.cosine_error)[sure] * query.candidate_weights(candidates.select(sure))
        self.top_scores = _highest(np.concatenate([self.top_scores, scores]), query.top_k)
        if self.top_scores.size == query.top_k:
            self.score_floor = float(self.top_scores.min())

    def shortlist(self) -> Shortlist:
        """The candidates, divided into finalists and near misses by reason."""
        query, below = self.query, self._closest_below()
        if not self.candidates:
            return Shortlist(_NO_CANDIDATES, {"below_threshold": below})
        found = Candidates._make(map(np.concatenate, zip(*self.candidates, strict=True)))
        weights = query.candidate_weights(found)
        scores = found.cosines * weights
        passes = found.cosines >= query.threshold
        is_eligible = ~(found.is_excluded | found.is_too_old)
        is_finalist = is_eligible & (found.cosines >= query.threshold - query.cosine_error)
        is_finalist &= (found.cosines + query.cosine_error) * weights >= self.score_floor
        is_rejected = is_eligible & ~is_finalist
        masks: dict[MissReason, Mask] = {
            "cap": is_rejected & passes,
            "same_conversation": passes & found.is_excluded & ~found.is_too_old,
            "below_threshold": is_rejected & ~passes,
            "too_old": passes & found.is_too_old & ~found.is_excluded,
        }
        near_misses = {reason: _closest(reason, found, mask, scores) for reason, mask in masks.items()}
        near_misses["below_threshold"] = [*near_misses["below_threshold"], *below][:NEAR_MISSES_PER_REASON]
        return Shortlist(found.select(is_finalist), near_misses)

    def _closest_below(self) -> list[NearCandidate]:
        """The closest of the episodes that cannot be similar enough, closest first."""
        if not self.compared:
            return []
        cosines = np.concatenate([one.cosines for one in self.compared])
        rows = _highest_below(cosines, self.similar, NEAR_MISSES_PER_REASON + self.query.excluded_chats.size)
        parts, start = list[Candidates](), 0
        for one in self.compared:
            own = rows[(rows >= start) & (rows < start + one.cosines.size)] - start
            start += one.cosines.size
            if own.size:
                parts.append(self._candidates_at(one, own))
        if not parts:
            return []
        found = Candidates._make(map(np.concatenate, zip(*parts, strict=True))) if len(parts) > 1 else parts[0]
        scores = found.cosines * self.query.candidate_weights(found)
        return _closest("below_threshold", found, ~found.is_excluded, scores)

    def _candidates_at(self, compared: _Compared, places: Indices) -> Candidates:
        positions = places if compared.positions is None else compared.positions[places]
        return self._candidates(compared.block, positions, compared.cosines[places].astype(np.float64))


def _highest_below(cosines: Matrix, limit: float, count: int) -> Indices:
    """The places of the `count` highest cosines below `limit` that are 0 or more, and of those that equal the last.

    The best of each stretch of rows says how high they are at least, so that few have to be looked at.
    """
    best = cosines[: cosines.size - cosines.size % _STRETCH].reshape(-1, _STRETCH).max(axis=1)
    best = best[best < limit]
    lowest = float(_highest(best, count).min()) if best.size >= count else 0.0
    places = np.flatnonzero(cosines >= max(lowest, 0.0))
    places = places[cosines[places] < limit]
    if places.size <= count:
        return places
    values = cosines[places]
    closest: Indices = places[values >= _highest(values, count).min()]
    return closest


def _highest(values: Number, count: int) -> Number:
    """The `count` highest values (n,), unordered; all where there are no more."""
    return values if values.size <= count else np.partition(values, values.size - count)[-count:]


def _closest(reason: MissReason, found: Candidates, mask: Mask, scores: Scores) -> list[NearCandidate]:
    """The few candidates in `mask` that came closest, closest first: by score where only the rank or the conversation
    kept them out, else by cosine. None has a cosine below 0: that is no miss."""
    by = scores if reason in ("cap", "same_conversation") else found.cosines
    positions = np.flatnonzero(mask & (found.cosines >= 0.0))
    if not positions.size:
        return []
    best = positions[np.argsort(-by[positions], kind="stable")[:NEAR_MISSES_PER_REASON]]
    columns = (found.ids, found.audit_ids, found.created_us, found.cosines, scores)
    return [
        NearCandidate(id_, audit_log_id, created_us, reason, cosine, score)
        for id_, audit_log_id, created_us, cosine, score in zip(
            *(column[best].tolist() for column in columns), strict=True
        )
    ]


_NO_CANDIDATES = Candidates._make(np.empty(0, dtype=kind) for kind in [np.int64] * 4 + [np.float64] + [np.bool_] * 2)

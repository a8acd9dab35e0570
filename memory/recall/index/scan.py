"""The way through the matrix: block by block, the most promising first, until nothing that is left can win."""

from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from memory import ranking
from memory.events import MissReason
from memory.ranking import Indices, Ints, Matrix, Scores
from memory.recall.index.blocks import Block, Blocks, Counts

_DAY_US = 86_400_000_000
NEAR = 5
"""How many near misses of each kind are kept."""

_GATHER_SHARE = 8  # up to one row in so many is copied out and compared alone; above, the whole block is quicker

Mask: TypeAlias = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Wanted:
    """A query in the terms of the matrix: `vector` (d,) of unit length, times in microseconds, `top_k` at least 1.

    `error`: how far a cosine of the scan may be from the true one.
    """

    vector: Matrix
    now_us: int
    since_us: int
    threshold: float
    halflife_days: float
    recall_weight_scale: float
    top_k: int
    left_out: Ints
    error: float

    def age_days(self, created_us: Ints) -> Scores:
        """How old episodes of these times are: (n,) -> (n,), below zero for the future."""
        return (self.now_us - created_us) / _DAY_US

    def weights(self, created_us: Ints, recall_logs: Scores) -> Scores:
        """freshness * recall_weight, what a cosine is multiplied by: (n,), (n,) -> (n,)."""
        fresh = ranking.freshness(self.age_days(created_us), self.halflife_days)
        return fresh * (1.0 + self.recall_weight_scale * recall_logs)

    def weights_of(self, picked: "Picked") -> Scores:
        """The `weights` of episodes that were compared, (n,)."""
        return self.weights(picked.created_us, np.log1p(picked.recalls))


class Picked(NamedTuple):
    """Episodes that were compared, in columns (n,)."""

    ids: Ints
    audit_ids: Ints
    created_us: Ints
    recalls: Counts
    cosines: Scores
    is_left_out: Mask
    is_too_old: Mask

    def where(self, chosen: Mask | Indices) -> "Picked":
        """The chosen ones."""
        return Picked._make([column[chosen] for column in self])


@dataclass(frozen=True)
class Near:
    """An episode that came close. Its numbers are those of the scan; None where it was not compared."""

    id: int
    audit_log_id: int
    created_us: int
    reason: MissReason
    cosine: float | None = None
    score: float | None = None


@dataclass(frozen=True)
class Shortlist:
    """Every episode that may be among the `top_k`, and the closest of the others by reason, the closest first."""

    finalists: Picked
    near: dict[MissReason, list[Near]]


def shortlist(blocks: Blocks, wanted: Wanted) -> Shortlist:
    """All that may be among the best, found by an exact scan.

    Blocks come in the order of the best score an episode in them could have. A block is left out, and with it all
    after it, once `top_k` episodes surely score higher than that. In a block, rows whose own freshness and recalls
    cannot win are passed over where they are many.
    """
    scan = _Scan(wanted)
    if blocks:
        highest = wanted.weights(
            np.array([block.span.newest_us for block in blocks]), np.array([block.most_recall_log for block in blocks])
        )
        for place in np.argsort(-highest, kind="stable").tolist():
            if not scan.may_win(float(highest[place])):
                break
            scan.visit(blocks[place])
    return scan.shortlist()


@dataclass
class _Scan:
    """A scan in progress.

    `cut`: what `top_k` episodes surely score at least. `near_floor`: what the cosine of a near miss has to be, raised
    as closer ones are found.
    """

    wanted: Wanted
    cut: float = -np.inf
    near_floor: float = -np.inf
    picked: list[Picked] = field(default_factory=list)
    surest: Scores = field(default_factory=lambda: np.empty(0))
    nearest: Scores = field(default_factory=lambda: np.empty(0))

    def may_win(self, weight: float) -> bool:
        """Whether an episode of this weight can be among the best, be its cosine 1."""
        return weight * (1.0 + self.wanted.error) >= self.cut

    def visit(self, block: Block) -> None:
        """Compare the episodes of a block that may still win, and pick those that may matter."""
        places = self._worth_comparing(block)
        vectors = block.columns.vectors
        cosines = np.vecdot(vectors if places is None else vectors[places], self.wanted.vector)
        lowest = min(self.near_floor, self.wanted.threshold - 2 * self.wanted.error)
        near = np.flatnonzero(cosines >= lowest)
        if near.size:
            self._pick(block, near if places is None else places[near], cosines[near].astype(np.float64))

    def _worth_comparing(self, block: Block) -> Indices | None:
        """The places of those that may win, None for all."""
        if self.cut == -np.inf:
            return None
        weights = self.wanted.weights(block.columns.created_us, block.columns.recall_logs)
        places = np.flatnonzero(weights * (1.0 + self.wanted.error) >= self.cut)
        return places if places.size * _GATHER_SHARE <= block.size else None

    def _pick(self, block: Block, places: Indices, cosines: Scores) -> None:
        wanted = self.wanted
        nobody = np.zeros(places.size, dtype=np.bool_)
        columns = block.columns
        audit_ids, created_us = columns.audit_ids[places], columns.created_us[places]
        picked = Picked(
            ids=columns.ids[places],
            audit_ids=audit_ids,
            created_us=created_us,
            recalls=columns.recalls[places],
            cosines=cosines,
            is_left_out=np.isin(audit_ids, wanted.left_out) if wanted.left_out.size else nobody,
            is_too_old=created_us < wanted.since_us if block.span.oldest_us < wanted.since_us else nobody,
        )
        if block.span.oldest_us < wanted.since_us:
            picked = picked.where(picked.ids > 0)
        is_free = ~(picked.is_left_out | picked.is_too_old)
        self._raise_cut(picked, is_free)
        self.picked.append(self._raise_floor(picked, is_free))

    def _raise_cut(self, picked: Picked, is_free: Mask) -> None:
        """Take into account what these surely score."""
        wanted = self.wanted
        sure = is_free & (picked.cosines - wanted.error >= wanted.threshold)
        if not sure.any():
            return
        scores = (picked.cosines - wanted.error)[sure] * wanted.weights_of(picked.where(sure))
        self.surest = _highest(np.concatenate([self.surest, scores]), wanted.top_k)
        if self.surest.size == wanted.top_k:
            self.cut = float(self.surest.min())

    def _raise_floor(self, picked: Picked, is_free: Mask) -> Picked:
        """Take into account how near these come to the threshold from below; all but those too far below."""
        lowest = self.wanted.threshold - self.wanted.error
        is_below = is_free & (picked.cosines < lowest)
        self.nearest = _highest(np.concatenate([self.nearest, picked.cosines[is_below]]), NEAR)
        if self.nearest.size == NEAR:
            self.near_floor = float(self.nearest.min())
        return picked.where((picked.cosines >= lowest) | (is_below & (picked.cosines >= self.near_floor)))

    def shortlist(self) -> Shortlist:
        """The picked ones by what became of them."""
        wanted = self.wanted
        every = Picked._make(map(np.concatenate, zip(_NOTHING, *self.picked, strict=True)))
        weights = wanted.weights_of(every)
        scores = every.cosines * weights
        passes = every.cosines >= wanted.threshold
        is_free = ~(every.is_left_out | every.is_too_old)
        is_finalist = is_free & (every.cosines >= wanted.threshold - wanted.error)
        is_finalist &= (every.cosines + wanted.error) * weights >= self.cut
        is_other = is_free & ~is_finalist
        near: dict[MissReason, list[Near]] = {
            "cap": _closest("cap", every, is_other & passes, scores, by=scores),
            "same_conversation": _closest(
                "same_conversation", every, passes & every.is_left_out & ~every.is_too_old, scores, by=scores
            ),
            "below_threshold": _closest("below_threshold", every, is_other & ~passes, scores, by=every.cosines),
            "too_old": _closest(
                "too_old", every, passes & every.is_too_old & ~every.is_left_out, scores, by=every.cosines
            ),
        }
        return Shortlist(every.where(is_finalist), near)


def _highest(values: Scores, count: int) -> Scores:
    """The `count` highest, in no order; all where there are no more."""
    return values if values.size <= count else np.partition(values, values.size - count)[-count:]


def _closest(reason: MissReason, every: Picked, these: Mask, scores: Scores, *, by: Scores) -> list[Near]:
    """The few highest of these, highest first."""
    places = np.flatnonzero(these)
    if not places.size:
        return []
    best = places[np.argsort(-by[places], kind="stable")[:NEAR]]
    columns = (every.ids, every.audit_ids, every.created_us, every.cosines, scores)
    return [
        Near(id_, audit_log_id, created_us, reason, cosine, score)
        for id_, audit_log_id, created_us, cosine, score in zip(
            *(column[best].tolist() for column in columns), strict=True
        )
    ]


_NOTHING = Picked._make(np.empty(0, dtype=kind) for kind in [np.int64] * 4 + [np.float64] + [np.bool_] * 2)

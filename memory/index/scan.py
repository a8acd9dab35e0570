"""The way through the matrix: block by block, the most promising first, until nothing that is left can win."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from memory import ranking
from memory.index.blocks import Block, Blocks
from memory.ranking import Indices, Ints, Matrix, Scores

DAY_US = 86_400_000_000
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

    def weights(self, created_us: Ints, recall_logs: Scores) -> Scores:
        """freshness * recall_weight, what a cosine is multiplied by: (n,), (n,) -> (n,)."""
        fresh = ranking.freshness((self.now_us - created_us) / DAY_US, self.halflife_days)
        return fresh * (1.0 + self.recall_weight_scale * recall_logs)


class Picked(NamedTuple):
    """Episodes that were compared, in columns (n,)."""

    ids: Ints
    created_us: Ints
    recalls: Ints
    cosines: Scores
    weights: Scores
    is_left_out: Mask
    is_too_old: Mask

    def where(self, chosen: Mask | Indices) -> "Picked":
        """The chosen ones."""
        return Picked(*(column[chosen] for column in self))


@dataclass(frozen=True)
class Shortlist:
    """What has to be read to answer: every episode that may be among the `top_k`, and the best of those that are not.

    Near misses are sorted, the closest first.
    """

    finalists: Picked
    cut: Picked
    same_conversation: Picked
    below_threshold: Picked
    too_old: Picked


def shortlist(blocks: Blocks, wanted: Wanted) -> Shortlist:
    """All that may be among the best, found by an exact scan.

    Blocks come in the order of the best score an episode in them could have. A block is left out, and with it all
    after it, once `top_k` episodes surely score higher than that. In a block, rows whose own freshness and recalls
    cannot win are passed over where they are many.
    """
    scan = _Scan(wanted)
    if blocks:
        highest = wanted.weights(
            np.array([block.newest_us for block in blocks]), np.array([block.most_recall_log for block in blocks])
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
        vectors = block.vectors if places is None else block.vectors[places]
        cosines = np.vecdot(vectors, self.wanted.vector)
        lowest = min(self.near_floor, self.wanted.threshold - 2 * self.wanted.error)
        near = np.flatnonzero(cosines >= lowest)
        if near.size:
            self._pick(block, near if places is None else places[near], cosines[near].astype(np.float64))

    def _worth_comparing(self, block: Block) -> Indices | None:
        """The places of those that may win, None for all."""
        if self.cut == -np.inf:
            return None
        weights = self.wanted.weights(block.created_us, block.recall_logs)
        places = np.flatnonzero(weights * (1.0 + self.wanted.error) >= self.cut)
        return places if places.size * _GATHER_SHARE <= len(block) else None

    def _pick(self, block: Block, places: Indices, cosines: Scores) -> None:
        wanted = self.wanted
        created_us = block.created_us[places]
        picked = Picked(
            ids=block.ids[places],
            created_us=created_us,
            recalls=block.recalls[places],
            cosines=cosines,
            weights=wanted.weights(created_us, block.recall_logs[places]),
            is_left_out=np.isin(block.audit_ids[places], wanted.left_out),
            is_too_old=created_us < wanted.since_us,
        )
        picked = picked.where(picked.ids > 0)
        self._raise_cut(picked)
        self.picked.append(self._raise_floor(picked))

    def _raise_cut(self, picked: Picked) -> None:
        """Take into account what these surely score."""
        surely = picked.cosines - self.wanted.error
        sure = (surely >= self.wanted.threshold) & ~picked.is_left_out & ~picked.is_too_old
        self.surest = _highest(np.concatenate([self.surest, (surely * picked.weights)[sure]]), self.wanted.top_k)
        if self.surest.size == self.wanted.top_k:
            self.cut = max(self.cut, float(self.surest.min()))

    def _raise_floor(self, picked: Picked) -> Picked:
        """Take into account how near these come to the threshold from below; all but those too far below."""
        lowest = self.wanted.threshold - self.wanted.error
        is_below = (picked.cosines < lowest) & ~picked.is_left_out & ~picked.is_too_old
        self.nearest = _highest(np.concatenate([self.nearest, picked.cosines[is_below]]), NEAR)
        if self.nearest.size == NEAR:
            self.near_floor = float(self.nearest.min())
        return picked.where((picked.cosines >= lowest) | (is_below & (picked.cosines >= self.near_floor)))

    def shortlist(self) -> Shortlist:
        """The picked ones by what became of them."""
        wanted = self.wanted
        every = Picked(*map(np.concatenate, zip(_NOTHING, *self.picked, strict=True)))
        passes = every.cosines >= wanted.threshold - wanted.error
        is_free = ~every.is_left_out & ~every.is_too_old
        may_win = (every.cosines + wanted.error) * every.weights >= self.cut
        scores = every.cosines * every.weights
        return Shortlist(
            finalists=every.where(passes & is_free & may_win),
            cut=_closest(every, passes & is_free & ~may_win, scores),
            same_conversation=_closest(every, passes & every.is_left_out & ~every.is_too_old, scores),
            below_threshold=_closest(every, ~passes & is_free, every.cosines),
            too_old=_closest(every, passes & every.is_too_old & ~every.is_left_out, every.cosines),
        )


def _highest(values: Scores, count: int) -> Scores:
    """The `count` highest, in no order; all where there are no more."""
    return values if values.size <= count else np.partition(values, values.size - count)[-count:]


def _closest(every: Picked, of: Mask, by: Scores) -> Picked:
    """The `NEAR` highest of some, highest first."""
    places = np.flatnonzero(of)
    return every.where(places[np.argsort(-by[places], kind="stable")[:NEAR]])


_NOTHING = Picked(
    *(np.empty(0, dtype=np.int64) for _ in range(3)),
    *(np.empty(0) for _ in range(2)),
    *(np.empty(0, dtype=np.bool_) for _ in range(2)),
)


def left_out(audit_ids: Collection[int]) -> Ints:
    """Chats to leave out as a column (m,)."""
    return np.array(sorted(audit_ids), dtype=np.int64)

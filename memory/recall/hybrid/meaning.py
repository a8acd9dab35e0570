"""How near a message is in meaning to what was said, conversation by conversation."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from memory.ranking import Ints, Matrix, Scores
from memory.recall.hybrid.segments import Segment

NO_COSINE = -1.0
_GENERAL_NEIGHBOURS = 10


class Meaning(NamedTuple):
    """For each chat (n,): the highest cosine of its windows (-1 where it has none, or was removed), which window that
    is, the cosine of their mean, and how many there are; and the spread of all cosines of this message."""

    best: Scores
    window: Ints
    mean: Scores
    windows: Ints
    spread: float


def compare(segments: Sequence[Segment], vector: Matrix) -> Meaning:
    """A message's unit vector (d,) beside all windows."""
    cosines = [segment.cosines(vector) for segment in segments]
    found = list(zip(segments, cosines, strict=True))
    parts = [_by_chat(segment, own) for segment, own in found]
    every = np.concatenate([np.empty(0, np.float32), *(own[segment.window_is_there] for segment, own in found)])
    best, window, mean, windows = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Meaning(best, window, mean, windows, float(every.std()) if every.size else 0.0)


def _by_chat(segment: Segment, cosines: Matrix) -> tuple[Scores, Ints, Scores, Ints]:
    best, mean = np.full(segment.size, NO_COSINE), np.zeros(segment.size)
    window = np.zeros(segment.size, dtype=np.int64)
    counts = segment.window_counts
    has_some = counts > 0
    if has_some.any():
        starts = segment.window_starts[:-1][has_some]
        best[has_some] = np.maximum.reduceat(cosines, starts)
        mean[has_some] = np.add.reduceat(cosines, starts) / counts[has_some] / segment.mean_lengths[has_some]
        is_best = cosines == np.repeat(best.astype(np.float32), counts)
        first = np.flatnonzero(is_best)
        owners = np.searchsorted(segment.window_starts, first, side="right") - 1
        window[owners[::-1]] = (first - segment.window_starts[owners])[::-1]
    best[~segment.is_there] = NO_COSINE
    return best, window, mean, np.where(segment.is_there, counts, 0).astype(np.int64)


def generality(vector: Matrix, general: Matrix) -> float:
    """The mean cosine of a message (d,) with those general messages (m, d) that are nearest to it; 0 without any."""
    if not len(general):
        return 0.0
    cosines = np.sort(general @ vector)[-_GENERAL_NEIGHBOURS:]
    return float(cosines.mean())

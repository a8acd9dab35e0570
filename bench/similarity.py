"""What the embedded embedder's threshold lets in, by the summaries that are made without a model.

`sample.json` holds chats with messages that come back to them, requests that none of the chats is about, and subjects
that fill a larger store, each told in several frames. All of it was written for this.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from memory import llm, ranking
from memory.llm.offline.rules import Turn
from memory.llm.offline.summary import summary_of

SAMPLE = Path(__file__).with_name("sample.json")
STORES = (30, 100, 295, 1_000)
DRAWS = 60
_BATCH = 32


def similarity() -> Iterator[str]:
    """Related and unrelated pairs that pass, and by size of the store: unrelated requests, and messages that find."""
    sample = json.loads(SAMPLE.read_text())
    told = [([Turn(is_new=True, **turn) for turn in chat["turns"]], chat["later"]) for chat in sample["chats"]]
    chats = [(summary, later) for turns, later in told if (summary := summary_of(turns))]
    related = [(place, message) for place, (_, later) in enumerate(chats) for message in later]
    episodes = _units([summary for summary, _ in chats] + _filler(sample["subjects"], sample["frames"]))
    own = np.array([place for place, _ in related])
    cosines = _units([message for _, message in related]) @ episodes.T
    near = cosines[np.arange(own.size), own]
    far = cosines[:, : len(chats)][np.arange(len(chats)) != own[:, None]]
    yield f"{len(chats)} chats, {near.size} related and {far.size:,} unrelated pairs"
    for threshold in (0.2, 0.25, 0.3, 0.35, 0.45):
        yield f"{threshold:.2f}: related {(near >= threshold).mean():.3f}, unrelated {(far >= threshold).mean():.4f}"
    yield from _by_store(cosines, own, _units(sample["requests"]) @ episodes.T)


def _filler(subjects: Sequence[Mapping[str, str]], frames: Sequence[Mapping[str, str]]) -> list[str]:
    """The summaries of more chats: each subject in each frame."""
    chats = (
        [
            Turn("operator", frame["operator"].format(s=subject["subject"]), True),
            Turn("assistant", frame["assistant"].format(a=subject["advice"]), True),
        ]
        for frame in frames
        for subject in subjects
    )
    return [summary for summary in map(summary_of, chats) if summary]


def _units(texts: Sequence[str]) -> ranking.Scores:
    """The unit vectors (n, d) of texts."""
    batches = [llm.embed(texts[start : start + _BATCH]).rows for start in range(0, len(texts), _BATCH)]
    rows = np.concatenate(batches).astype(np.float64)
    units: ranking.Scores = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return units


def _by_store(related: ranking.Scores, own: ranking.Ints, requests: ranking.Scores) -> Iterator[str]:
    """`related` (m, n) cosines of messages whose own episodes are `own` (m,); `requests` (r, n)."""
    threshold = llm.default_threshold()
    for count in STORES:
        for lowest in (threshold.base, threshold.among(count)):
            rng = np.random.default_rng(34)
            draws = [rng.choice(related.shape[1], count, replace=False) for _ in range(DRAWS)]
            let_in = np.mean([(requests[:, drawn].max(axis=1) >= lowest).mean() for drawn in draws])
            found = np.mean([_is_found(related, own, drawn, lowest).mean() for drawn in draws])
            yield f"{count:,} episodes, threshold {lowest:.2f}: unrelated requests {let_in:.3f}, found {found:.3f}"


def _is_found(related: ranking.Scores, own: ranking.Ints, drawn: ranking.Indices, lowest: float) -> ranking.Scores:
    """1.0 for each message whose own episode passes and is among the three most similar of the store, else 0.0."""
    near = related[np.arange(own.size), own]
    others = related[:, drawn] * (drawn != own[:, None])
    is_among_three = (others > near[:, None]).sum(axis=1) < 3
    found: ranking.Scores = ((near >= lowest) & is_among_three).astype(np.float64)
    return found


BENCHMARKS: dict[str, Callable[[], Iterator[str]]] = {"similarity": similarity}

"""The scan and the blocks by themselves: nothing that may win is passed over, and a block is a value."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory import ranking
from memory.recall.index import blocks, scan
from memory.recall.index.blocks import Block, Blocks, Columns

DAY_US = 86_400_000_000
NOW_US = 1_800_000_000_000_000
DIMENSIONS = 24


def episodes(ids: range, rng: np.random.Generator, *, vectors: Any = None, created_us: Any = None) -> Columns:
    """Episodes of all ages, some from the future, most of them never recalled."""
    count = len(ids)
    recalls = np.minimum(rng.zipf(1.7, count) - 1, 500).astype(np.int32)
    return Columns(
        ids=np.array(ids, dtype=np.int64),
        audit_ids=np.array(ids, dtype=np.int64) + 1000,
        created_us=NOW_US - rng.integers(-5 * DAY_US, 100 * DAY_US, count) if created_us is None else created_us,
        versions=np.zeros(count, dtype=np.int32),
        recalls=recalls,
        recall_logs=np.log1p(recalls.astype(np.float64)),
        vectors=ranking.unit(rng.standard_normal((count, DIMENSIONS)) if vectors is None else vectors),
    )


def store(rng: np.random.Generator, count: int, most: int) -> Blocks:
    """Episodes of a few topics, in small blocks, most of them in the order of their times; some are gone."""
    topics = rng.standard_normal((5, DIMENSIONS))
    vectors = topics[rng.integers(0, 5, count)] + rng.choice([0.0, 0.1, 0.5]) * rng.standard_normal((count, DIMENSIONS))
    created_us = NOW_US - rng.integers(-5 * DAY_US, 100 * DAY_US, count)
    created_us[: count // 2].sort()
    made: Blocks = ()
    for start in range(0, count, 7):
        ids = range(start + 1, min(start + 7, count) + 1)
        places = slice(start, start + len(ids))
        more = episodes(ids, rng, vectors=vectors[places], created_us=created_us[places])
        made = blocks.append(made, more, max_rows=most)
    return blocks.remove(made, rng.integers(1, count + 1, count // 10))


def wanted(rng: np.random.Generator, vector: Any, *, threshold: float, top_k: int) -> scan.ScanQuery:
    return scan.ScanQuery(
        vector=ranking.unit(vector),
        now_us=NOW_US,
        since_us=NOW_US - 90 * DAY_US,
        threshold=threshold,
        halflife_days=float(rng.choice([0.01, 30.0, 3000.0])),
        recall_weight_scale=float(rng.choice([0.0, 0.25, 5.0])),
        top_k=top_k,
        excluded_chats=rng.integers(1001, 1020, 3),
        cosine_error=ranking.float32_error(DIMENSIONS),
    )


@settings(max_examples=150, deadline=None)
@given(
    st.integers(0, 2**32),
    st.integers(1, 400),
    st.integers(5, 60),
    st.sampled_from([-1.0, 0.0, 0.3, 0.45, 0.9]),
    st.integers(1, 6),
)
def test_all_that_may_win_are_on_the_shortlist(seed: int, count: int, most: int, threshold: float, top_k: int) -> None:
    rng = np.random.default_rng(seed)
    made = store(rng, count, most)
    asked = wanted(rng, made[0].columns.vectors[0].astype(np.float64) + 0.01, threshold=threshold, top_k=top_k)

    found = scan.shortlist(made, asked)

    every = [(int(id_), one, place) for one in made for place, id_ in enumerate(one.columns.ids) if id_]
    scores: dict[int, float] = {}
    cosines: dict[int, float] = {}
    for id_, one, place in every:
        if one.columns.created_us[place] < asked.since_us or one.columns.audit_ids[place] in asked.excluded_chats:
            continue
        row = one.columns.vectors[place].astype(np.float64)
        cosine = float(ranking.cosine(asked.vector.astype(np.float64), row[np.newaxis])[0])
        weight = asked.weights(one.columns.created_us[place : place + 1], one.columns.recall_logs[place : place + 1])
        cosines[id_] = cosine
        if cosine >= threshold:
            scores[id_] = cosine * float(weight[0])
    best = sorted(scores, key=lambda id_: -scores[id_])
    finalists = set(found.finalists.ids.tolist())
    cut = scores[best[min(top_k, len(best)) - 1]] if best else 0.0
    assert {id_ for id_ in best if scores[id_] > cut or len(best) <= top_k} <= finalists
    assert len([id_ for id_ in best if scores[id_] >= cut and id_ in finalists]) >= min(top_k, len(best))
    assert finalists <= set(cosines)
    ids = {id_ for id_, _, _ in every}
    assert all(near.id in ids for kind in found.near_misses.values() for near in kind)
    if len(best) < top_k:
        below = sorted(
            (id_ for id_ in cosines if id_ not in scores and cosines[id_] >= 0), key=lambda id_: -cosines[id_]
        )
        nearest = [near.cosine for near in found.near_misses["below_threshold"]]
        assert nearest == pytest.approx(
            [cosines[id_] for id_ in below if id_ not in finalists][: scan.NEAR_MISSES_PER_REASON], abs=1e-6
        )


def test_old_blocks_are_not_visited_once_enough_was_found() -> None:
    rng = np.random.default_rng(0)
    vectors = np.ones((10, DIMENSIONS))
    made: Blocks = ()
    for month in range(3):
        times = np.full(10, NOW_US - month * 30 * DAY_US)
        ids = range(month * 10 + 1, month * 10 + 11)
        made = (*made, Block.of(episodes(ids, rng, vectors=vectors, created_us=times)))
    made = blocks.with_recall_counts(made, dict.fromkeys(range(1, 31), 0))
    asked = scan.ScanQuery(
        vector=ranking.unit(np.ones(DIMENSIONS)),
        now_us=NOW_US,
        since_us=0,
        threshold=0.5,
        halflife_days=30.0,
        recall_weight_scale=0.25,
        top_k=3,
        excluded_chats=np.empty(0, dtype=np.int64),
        cosine_error=ranking.float32_error(DIMENSIONS),
    )
    found = scan.shortlist(made, asked)
    assert sorted(found.finalists.ids.tolist()) == list(range(1, 11))
    assert found.near_misses["cap"] == []


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 20), st.integers(1, 40))
def test_blocks_hold_what_was_put_in_and_old_ones_stay_as_they_are(seed: int, most: int, steps: int) -> None:
    rng = np.random.default_rng(seed)
    made: Blocks = ()
    known: dict[int, tuple[bytes, int, int]] = {}  # id -> vector, recalls, created_us
    history: list[tuple[Blocks, dict[int, tuple[bytes, int, int]]]] = []
    next_id, oldest_us = 1, NOW_US - 100 * DAY_US
    for _ in range(steps):
        history.append((made, dict(known)))
        match rng.integers(0, 5):
            case 0 | 1:
                more = episodes(range(next_id, next_id + int(rng.integers(1, 12))), rng)
                next_id += more.ids.size
                made = blocks.append(made, more, max_rows=most)
                known |= contents((Block.of(more),))
            case 2 if known:
                gone = rng.choice(list(known), size=int(rng.integers(1, 4)))
                made = blocks.remove(made, gone)
                known = {id_: value for id_, value in known.items() if id_ not in gone}
            case 3 if known:
                counts = {int(id_): int(rng.integers(0, 9)) for id_ in rng.choice([*known, next_id], size=3)}
                made = blocks.with_recall_counts(made, counts)
                known |= {id_: (known[id_][0], count, known[id_][2]) for id_, count in counts.items() if id_ in known}
            case _:
                oldest_us += int(rng.integers(0, 30)) * DAY_US
                made = blocks.compact(made, oldest_us, max_rows=most)
        young = {id_: value for id_, value in known.items() if value[2] >= oldest_us}
        held = contents(made)
        assert {id_: value for id_, value in held.items() if value[2] >= oldest_us} == young
        known = held
        assert all(one.size <= most for one in made)
        assert set(blocks.unpack_ids(blocks.stored_keys(made)).tolist()) == set(held)
    for before, values in history:
        assert contents(before) == values


def contents(made: Blocks) -> dict[int, tuple[bytes, int, int]]:
    rows = [
        (
            int(id_),
            (one.columns.vectors[place].tobytes(), int(one.columns.recalls[place]), int(one.columns.created_us[place])),
        )
        for one in made
        for place, id_ in enumerate(one.columns.ids)
        if one.columns.created_us[place] > 0
    ]
    assert len(rows) == len(dict(rows))
    return dict(rows)


def test_packing_keeps_memory_near_what_is_needed() -> None:
    rng = np.random.default_rng(3)
    made = blocks.append((), episodes(range(1, 1001), rng), max_rows=100)
    for start in range(1, 901, 30):
        made = blocks.compact(blocks.remove(made, np.arange(start, start + 30)), 0, max_rows=100)
        count = blocks.stored_keys(made).size
        assert sum(one.buffer.ids.size for one in made) <= count * 65 / 64 + 1
    assert len(made) <= 2


@pytest.mark.parametrize("dimensions", [1, 512, 1536, 3072, 16384])
def test_a_block_is_some_megabytes_at_most(dimensions: int) -> None:
    assert 1 <= blocks.max_rows_per_block(dimensions) <= 8192
    assert blocks.max_rows_per_block(dimensions) * dimensions * 4 <= 1 << 24

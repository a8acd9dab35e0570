"""The benchmarks of recall: the index over 100,000 episodes of 512 numbers against numpy's own bare pass over them.

Unit vectors in clusters of about 100, ages even over 90 days, recall counts skewed: most never, few very often.
"""

import math
import statistics
from collections.abc import Callable, Iterator
from datetime import timedelta

import numpy as np
from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from bench.measure import NOW, ratio, seconds
from memory import events, ranking
from memory.models import AuditRow, Embedded, EpisodeSummary, MemoryRevision
from memory.ranking import Matrix
from memory.recall import index
from memory.recall.index import rows, scan, snapshots
from memory.recall.index.search import scan_query

DIMENSIONS = 512
MODEL = "bench:model"
WINDOW = timedelta(days=90)
ROWS_A_TOPIC = 100
SPREAD = 0.6  # of a topic: rows of one have cosines of about 0.74
CHUNK = 5_000
ROUNDS = 61


def fill(count: int, *, seed: int = 1) -> tuple[Matrix, Matrix]:
    """Replace all episodes by `count` new ones, oldest first; their vectors (count, d) and topics (count / 100, d)."""
    empty()
    rng = np.random.default_rng(seed)
    topics = _units(rng.standard_normal((max(1, count // ROWS_A_TOPIC), DIMENSIONS)))
    noise = SPREAD / math.sqrt(DIMENSIONS) * rng.standard_normal((count, DIMENSIONS))
    vectors = _units(topics[rng.integers(0, len(topics), count)] + noise).round(8)
    recalls = np.minimum(rng.zipf(1.8, count) - 1, 200)
    lately = np.maximum(rng.random(count), rng.random(count))  # about forty of 100,000 in the last hour
    MemoryRevision.move("episodes_added")
    for start in range(0, count, CHUNK):
        places = range(start, min(start + CHUNK, count))
        chats = AuditRow.objects.bulk_create([AuditRow(ts=NOW, event_type=events.ChatCompleted.name) for _ in places])
        EpisodeSummary.objects.bulk_create(
            _episode(chat, vectors[place], WINDOW * (1 - (place + 0.5) / count), int(recalls[place]), lately[place])
            for chat, place in zip(chats, places, strict=True)
        )
    return vectors.astype(np.float32), topics.astype(np.float32)


def _episode(
    chat: AuditRow, vector: ranking.Scores, age: timedelta, recalls: int = 0, lately: float = 0.0
) -> EpisodeSummary:
    return EpisodeSummary(
        audit_log=chat,
        summary=f"We discussed subject number {chat.pk}, and the assistant suggested a walk before breakfast.",
        embedding=vector.tolist(),
        model=MODEL,
        created_at=NOW - age,
        recall_count=recalls,
        last_recalled_at=NOW - age * lately if recalls else None,
    )


def empty() -> None:
    """Delete all episodes and chats."""
    with connection.cursor() as cursor:
        for table in ("episode_units", "episode_summaries", "audit_log", "memory_revision"):
            cursor.execute(f"DELETE FROM {table}")  # noqa: S608 (names from the line above)


def query(vector: Matrix) -> index.Query:
    """A query by the defaults of ADR-0034 §7."""
    return index.Query(
        vector=vector,
        model=MODEL,
        now=NOW,
        threshold=ranking.Threshold(0.45),
        max_age_days=WINDOW.days,
        halflife_days=30.0,
        recall_weight_scale=0.25,
        top_k=3,
    )


def queries(topics: Matrix, count: int, *, seed: int = 2) -> tuple[list[Matrix], list[Matrix]]:
    """Messages that some topic answers, and messages that nothing does: `count` vectors (d,) of each."""
    rng = np.random.default_rng(seed)
    noise = SPREAD / math.sqrt(DIMENSIONS) * rng.standard_normal((count, DIMENSIONS))
    near = _units(topics[rng.integers(0, len(topics), count)] + noise).astype(np.float32)
    return list(near), list(_units(rng.standard_normal((count, DIMENSIONS))).astype(np.float32))


def _units(vectors: ranking.Scores) -> ranking.Scores:
    units: ranking.Scores = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return units


# --- against a bare pass ------------------------------------------------------------------------------------------


def recall() -> Iterator[str]:
    """The search among 100,000 episodes: its core, the whole of it, and with the bumps and audit rows of a turn."""
    matrix, topics = fill(100_000)
    yield f"start: {seconds(lambda: index.search(query(topics[0]))):.1f} s to read and parse 100,000 rows"
    near, nowhere = queries(topics, ROUNDS + 1)
    for label, vectors, most in (("something fits", near, 0.6), ("nothing fits", nowhere, 1.25)):
        yield _compare_with_bare(f"core, {label}", core, vectors, matrix, f" (at most {most}x)")
        yield _compare_with_bare(f"search with its two queries, {label}", search, vectors, matrix)
    yield _compare_with_bare("search, 3 bumps, 3 audit rows", turn, near, matrix, " (at most 1.5x)")
    for _ in range(300):
        _add(matrix[0])
        index.search(query(matrix[0]))
    taken, count = index.matrix_bytes()
    yield f"memory: {taken / (4 * DIMENSIONS * count):.3f}x of the vectors (at most 1.05x)"
    empty()


def _compare_with_bare(
    label: str, way: Callable[[Matrix], object], vectors: list[Matrix], matrix: Matrix, limit: str = ""
) -> str:
    ours, bare = iter(vectors), iter(vectors)
    middle, our_ms, bare_ms = ratio(lambda: way(next(ours)), lambda: np.vecdot(matrix, next(bare)), rounds=ROUNDS)
    return f"{label} / bare np.vecdot: {middle:.2f}x{limit}; {our_ms:.2f} ms, bare {bare_ms:.2f} ms"


def search(vector: Matrix) -> index.SearchResult:
    """One search, queries to the database included."""
    return index.search(query(vector))


def core(vector: Matrix) -> scan.Shortlist:
    """The part of it that goes through the matrix."""
    last = snapshots._latest.get("recall")
    if last is None:
        raise SystemExit("recall: nothing was searched before")
    return scan.shortlist(last.blocks, scan_query(query(vector), vector))


def turn(vector: Matrix) -> None:
    """A search and what a turn writes for it."""
    hits = index.search(query(vector)).hits
    recalled = [
        events.EpisodeRecalled(
            audit_log_id=hit.audit_log_id,
            summary=hit.summary,
            cosine=hit.cosine,
            freshness=hit.freshness,
            recall_weight=hit.recall_weight,
            score=hit.score,
        )
        for hit in hits
    ]
    with transaction.atomic():
        EpisodeSummary.objects.bump([hit.episode_id for hit in hits], now=NOW)
        AuditRow.objects.write(
            [AuditRow.objects.draft(one, now=NOW, decision_id="bench", chat_id=one.audit_log_id) for one in recalled]
        )


def _add(vector: Matrix) -> None:
    chat = AuditRow.objects.create(ts=NOW, event_type=events.ChatCompleted.name)
    _episode(chat, vector.astype(np.float64).round(8), timedelta(0)).save()
    MemoryRevision.move("episodes_added")


# --- freshness ------------------------------------------------------------------------------------------------------


def fresh() -> Iterator[str]:
    """What it costs to know that nothing changed, and to take in one new episode."""
    by_size: dict[int, float] = {}
    for count in (1_000, 100_000):
        matrix, _ = fill(count)
        index.search(query(matrix[0]))
        with connection.cursor() as cursor:
            check, one = (
                (lambda: _times(50, lambda: rows.stamp(cursor))),
                (lambda: _times(50, lambda: _select_one(cursor))),
            )
            middle, check_ms, one_ms = ratio(check, one, rounds=201)
            by_size[count] = check_ms
            yield f"staleness check / SELECT 1, {count:,} rows: {middle:.2f}x (at most 2x); {check_ms * 20:.1f} us"
            since = NOW - snapshots.RECALL_LOOKBACK
            lately = lambda: _times(50, lambda: rows.state(cursor, since))  # noqa: B023, E731
            with_recalls_us = ratio(lately, one, rounds=51)[1] * 20
            yield f"the same with the recalls of the last hour, {count:,} rows: {with_recalls_us:.1f} us"
        yield from _refresh(matrix, count)
    yield f"staleness check, 100,000 / 1,000 rows: {by_size[100_000] / by_size[1_000]:.2f}x (at most 1.5x)"
    empty()


def _times(count: int, function: Callable[[], object]) -> None:
    for _ in range(count):
        function()


def _refresh(matrix: Matrix, count: int) -> Iterator[str]:
    """A round: a chat's episode is written, then there is the first look at it. Once by a bare INSERT, once by the
    worker's verb, which looks for an earlier one and moves the revision and audits in the same transaction."""
    key, since_us = snapshots.VectorSpace(MODEL, DIMENSIONS), rows.to_microseconds(NOW - WINDOW)

    def refresh() -> object:
        with connection.cursor() as cursor:
            return snapshots.current(cursor, key, since_us=since_us, now=NOW)

    for label, write in (("INSERT", _insert), ("worker's transaction", _summarise)):
        rounds = [(write(matrix[number]), seconds(refresh)) for number in range(202)][2:]
        middle = statistics.median(ours / theirs for theirs, ours in rounds)
        their_us, our_us = (statistics.median(times) * 1e6 for times in zip(*rounds, strict=True))
        yield (
            f"refresh after a new episode / its {label}, {count:,} rows: {middle:.2f}x (at most 0.6x); "
            f"{our_us:.0f} us, {label} {their_us:.0f} us"
        )


def _insert(vector: Matrix) -> float:
    chat = AuditRow.objects.create(ts=NOW, event_type=events.ChatCompleted.name)
    MemoryRevision.move("episodes_added")
    episode = _episode(chat, vector.astype(np.float64).round(8), timedelta(0))
    return seconds(lambda: episode.save(force_insert=True))


def _summarise(vector: Matrix) -> float:
    chat = AuditRow.objects.create(ts=NOW, event_type=events.ChatCompleted.name)
    embedded = Embedded(vector.astype(np.float64).round(8).tolist(), MODEL)
    return seconds(lambda: EpisodeSummary.objects.summarise(chat, "A summary.", embedded, now=NOW))


def _select_one(cursor: CursorWrapper) -> object:
    cursor.execute("SELECT 1")
    return cursor.fetchone()


# --- ADR-0034 taken literally --------------------------------------------------------------------------------------


def literal() -> Iterator[str]:
    """ADR-0034 §3 in plain Python over 10,000 rows against a whole turn of ours."""
    _, topics = fill(10_000)
    near, _ = queries(topics, 20)
    if [hit.episode_id for hit in search(near[0]).hits] != search_literally(near[0]):
        raise SystemExit("literal: the ways give different episodes")
    for label, way in (("search", search), ("search, 3 bumps, 3 audit rows", turn)):
        yield _compare_with_literal(label, way, near)
    empty()


def _compare_with_literal(label: str, way: Callable[[Matrix], object], vectors: list[Matrix]) -> str:
    theirs = iter(vectors)
    middle, plain_ms, our_ms = ratio(
        lambda: search_literally(next(theirs)), lambda: [way(vector) for vector in vectors], rounds=9
    )
    times = len(vectors)
    return (
        f"plain Python / {label}: {middle * times:.0f}x (at least 500x); "
        f"plain {plain_ms:.0f} ms, ours {our_ms / times:.2f} ms"
    )


def search_literally(vector: Matrix) -> list[int]:
    """The ids found by reading, parsing and comparing every row, as the record describes it."""
    wanted, scored = vector.tolist(), []
    for episode in EpisodeSummary.objects.exclude(summary="").filter(created_at__gte=NOW - WINDOW, model=MODEL):
        cosine = _cosine(wanted, episode.embedding)
        if cosine >= 0.45:
            age_days = (NOW - episode.created_at) / timedelta(days=1)
            weight = 1.0 + 0.25 * math.log1p(episode.recall_count)
            scored.append((cosine * math.exp(-age_days / 30.0) * weight, episode.pk))
    return [id_ for _, id_ in sorted(scored, reverse=True)[:3]]


def _cosine(one: list[float], other: list[float]) -> float:
    dot = sum(a * b for a, b in zip(one, other, strict=True))
    return dot / (math.sqrt(sum(a * a for a in one)) * math.sqrt(sum(b * b for b in other)))


BENCHMARKS: dict[str, Callable[[], Iterator[str]]] = {"recall": recall, "fresh": fresh, "literal": literal}

"""The benchmarks of recall by content: the search among 100,000 windows against numpy's own bare pass over them.

Chats of 22 turns and 10 windows of 512 numbers. Words as people use them: the one of rank r weighs 1 / (r + 25).
"""

from collections.abc import Callable, Iterator
from datetime import UTC, timedelta

import numpy as np
import numpy.typing as npt

from bench.measure import NOW, ratio
from bench.recall import empty
from memory import events
from memory.models import AuditRow, EpisodeSummary, EpisodeUnits, MemoryRevision
from memory.ranking import Ints, Matrix
from memory.recall.hybrid import search as hybrid
from memory.recall.hybrid import snapshots
from memory.text import terms
from memory.units import pack

DIMENSIONS = 512
MODEL = "bench:model"
VOCABULARY = 50_000
TURNS, TURN_WORDS = 22, 10
WINDOWS = 10
CHUNK = 500
ROUNDS = 31


def content() -> Iterator[str]:
    """The search in mode hybrid, its one query included, among 10,000 and 100,000 windows."""
    for chats in (1_000, 10_000):
        matrix = fill(chats)
        search(messages(1)[0], matrix[0])
        label = f"search, {len(matrix):,} windows"
        middle, our_ms, bare_ms = _compare_with_bare(matrix)
        limit = f"{middle:.2f}x (at most 4x)" if chats == 10_000 else f"{middle:.2f}x"
        most = " (at most 8 ms)" if chats == 1_000 else ""
        yield f"{label} / bare np.vecdot: {limit}; {our_ms:.2f} ms{most}, bare {bare_ms:.2f} ms"
        taken, count = snapshots.memory_bytes()
        most = " (at most 0.7 kB)" if chats == 10_000 else ""
        yield f"memory, {count:,} windows: {taken / count / 1000:.3f} kB a window{most}"
    empty()


def _compare_with_bare(matrix: Matrix) -> tuple[float, float, float]:
    rng = np.random.default_rng(3)
    vectors = list(rng.standard_normal((ROUNDS + 1, DIMENSIONS)).astype(np.float32))
    ours: Iterator[tuple[str, Matrix]] = iter(zip(messages(ROUNDS + 1), vectors, strict=True))
    bare: Iterator[Matrix] = iter(vectors)
    theirs: Callable[[], object] = lambda: np.vecdot(matrix, next(bare))  # noqa: E731
    return ratio(lambda: search(*next(ours)), theirs, rounds=ROUNDS)


def search(message: str, vector: Matrix) -> hybrid.SearchResult:
    """One search, its query to the database included."""
    return hybrid.search(hybrid.Query(message=message, vector=vector, model=MODEL, now=NOW, zone=UTC, top_k=3))


def messages(count: int) -> list[str]:
    """So many messages of 8 to 10 words."""
    rng = np.random.default_rng(2)
    return [" ".join(WORDS[number] for number in _numbers(rng, int(rng.integers(8, 11)))) for _ in range(count)]


def fill(chats: int) -> Matrix:
    """Replace all episodes by so many new ones; the vectors of their windows (10 x chats, d), as float32."""
    empty()
    snapshots.forget()
    rng = np.random.default_rng(1)
    hashes = terms.hashed(WORDS).astype("<u4")
    MemoryRevision.move("episodes_added")
    parts = [_fill(rng, range(start, min(start + CHUNK, chats)), hashes) for start in range(0, chats, CHUNK)]
    return np.concatenate(parts)


def _fill(rng: np.random.Generator, places: range, hashes: npt.NDArray[np.uint32]) -> Matrix:
    rows = AuditRow.objects.bulk_create([AuditRow(ts=NOW, event_type=events.ChatCompleted.name) for _ in places])
    episodes = EpisodeSummary.objects.bulk_create(
        EpisodeSummary(
            audit_log=row, summary="", embedding=[], model="", created_at=NOW - timedelta(minutes=place * 37 % 500_000)
        )
        for row, place in zip(rows, places, strict=True)
    )
    packed = pack(rng.standard_normal((len(places) * WINDOWS, DIMENSIONS)).astype(np.float32))
    lengths = np.full(TURNS, TURN_WORDS, dtype="<u4").tobytes()
    EpisodeUnits.objects.bulk_create(
        EpisodeUnits(
            episode=episode,
            conversation=episode.audit_log_id,
            model=MODEL,
            dimensions=DIMENSIONS,
            vectors=packed.numbers[number * WINDOWS : (number + 1) * WINDOWS].tobytes(),
            scales=packed.scales[number * WINDOWS : (number + 1) * WINDOWS].tobytes(),
            turn_lengths=lengths,
            terms=hashes[_numbers(rng, TURNS * TURN_WORDS)].tobytes(),
        )
        for number, episode in enumerate(episodes)
    )
    return packed.numbers * packed.scales[:, np.newaxis]


def _numbers(rng: np.random.Generator, count: int) -> Ints:
    """The ranks of so many words."""
    ranks: Ints = np.searchsorted(CUMULATED, rng.random(count) * CUMULATED[-1])
    return ranks


def _word(number: int) -> str:
    """A word that no stemmer changes and no list of stop words has: in letters, with an x at its end."""
    letters = ""
    while number or not letters:
        number, letter = divmod(number, 21)
        letters += "bcdfghjklmnpqrtvwzaou"[letter]
    return f"q{letters}x"


WORDS = [_word(number) for number in range(VOCABULARY)]
CUMULATED = np.cumsum(1 / (np.arange(VOCABULARY) + 25.0))
BENCHMARKS: dict[str, Callable[[], Iterator[str]]] = {"content": content}

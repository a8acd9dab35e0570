"""The SQL of the index. Times leave here as microseconds since the epoch, vectors as float64 rows."""

import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import NamedTuple

import numpy as np
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper
from django.db.models import Q
from pydantic_core import from_json

from memory import ranking
from memory.models import EpisodeSummary, MemoryRevision
from memory.ranking import Ints, Matrix, Scores
from memory.recall.index.blocks import Columns, pack_keys

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_FETCH_SIZE = 2048
_LEAP = 1_000_000_000
"""More changes than there are between two looks, and a second in the numbers that counters begin at."""
_MAX_IDS_PER_QUERY = 500  # databases take a limited number of parameters


class Revision(NamedTuple):
    """The counters of `memory_revision` about episodes: each one goes up when episodes are added, or changed."""

    added: int
    changed: int

    @property
    def stamp(self) -> int:
        """One number that differs after every change. The sum is enough, because both counters only go up."""
        return self.added + self.changed

    def is_of_another_memory(self, later: "Revision") -> bool:
        """Whether a database was restored between the two: its counters begin anew at the time, which is a leap."""
        return later.stamp - self.stamp > _LEAP


class Scope(NamedTuple):
    """Which episodes a matrix holds: those of one model, with vectors of one length, created since a moment."""

    model: str
    dimensions: int
    since_us: int


class IncomparableEpisode(NamedTuple):
    """An episode that cannot be compared: its vector is of another model or another length."""

    created_us: int
    id: int
    audit_log_id: int


class State(NamedTuple):
    """What shows a search that something changed: the stamp of the revision, and recent recall counts by id."""

    stamp: int
    recalled: Mapping[int, int]


@dataclass(frozen=True)
class StoredEpisode:
    """One episode as its row has it. `vector` (d,) is None where it is not comparable, or was not asked for."""

    audit_log_id: int
    summary: str
    model: str
    recall_count: int
    vector: Scores | None


def connection() -> BaseDatabaseWrapper:
    """The database that episodes are in."""
    return connections[DEFAULT_DB_ALIAS]


def stamp(cursor: CursorWrapper) -> int:
    """The current `Revision.stamp`: one look-up by key, about the cheapest query there is."""
    cursor.execute("SELECT episodes_added + episodes_changed FROM memory_revision WHERE id = 1")
    row = cursor.fetchone()
    return revision().stamp if row is None else int(row[0])


def revision() -> Revision:
    """The current counters. Creates their row where there is none."""
    counters = MemoryRevision.current()
    return Revision(counters.episodes_added, counters.episodes_changed)


def state(cursor: CursorWrapper, moment: datetime) -> State:
    """The stamp, and the recall counts of the episodes last recalled at `moment` or later: one look-up by key and one
    index range, in one statement."""
    cursor.execute(_STATE_SQL, [_to_parameter(cursor, moment)])
    found = cursor.fetchall()
    if not found:  # there is no revision row yet
        revision()
        return state(cursor, moment)
    return State(int(found[0][0]), {id_: count for _, id_, count in found if id_ is not None})


_STATE_SQL = """
SELECT r.episodes_added + r.episodes_changed, e.id, e.recall_count
FROM memory_revision r LEFT JOIN episode_summaries e ON e.last_recalled_at >= %s
WHERE r.id = 1
"""


def read_episodes(
    cursor: CursorWrapper, ids: Sequence[int], *, without_vectors: Sequence[int] = ()
) -> tuple[dict[int, StoredEpisode], set[int]]:
    """{id: episode} of these and of the few `without_vectors`, and the stamps that the rows were read at: more than one
    where episodes changed in between. One query for up to some hundred."""
    stored: dict[int, StoredEpisode] = {}
    wanted = [*without_vectors, *ids]
    stamps = set[int]() if wanted else {stamp(cursor)}
    for start in range(0, len(wanted), _MAX_IDS_PER_QUERY):
        batch, bare = wanted[start : start + _MAX_IDS_PER_QUERY], without_vectors or [0]
        cursor.execute(_read_sql(cursor.db.vendor, len(bare), len(batch), with_vectors=bool(ids)), [*bare, *batch])
        for stamp_, id_, audit_log_id, summary, model, recall_count, text in cursor.fetchall():
            vector = None if text is None else parse_vector(text)
            stamps.add(stamp_)
            stored[id_] = StoredEpisode(audit_log_id, summary, model, recall_count, vector)
    return stored, stamps


@cache
def _read_sql(vendor: str, bare: int, ids: int, *, with_vectors: bool) -> str:
    text = _EMBEDDING_TEXT[vendor] if with_vectors else "NULL"
    placeholders = {"bare": ", ".join(["%s"] * bare), "ids": ", ".join(["%s"] * ids)}
    return _READ_SQL.format(embedding=text, **placeholders)


_EMBEDDING_TEXT = {"sqlite": "embedding", "postgresql": "CAST(embedding AS text)"}
"""The SQL for a vector's JSON text, by vendor. SQLite stores text already, and a cast would copy it."""

_READ_SQL = """
SELECT r.episodes_added + r.episodes_changed,
       e.id, e.audit_log_id, e.summary, e.model, e.recall_count,
       CASE WHEN e.id IN ({bare}) THEN NULL ELSE {embedding} END
FROM memory_revision r JOIN episode_summaries e ON e.id IN ({ids})
WHERE r.id = 1
"""


def parse_vector(text: str) -> Scores | None:
    """A stored vector (d,); None where it is no list of numbers or not comparable."""
    vector = _parse_numbers(text)
    return vector if vector is not None and ranking.is_comparable(vector) else None


def _parse_numbers(text: str) -> Scores | None:
    try:
        numbers = from_json(text)
        return np.frombuffer(struct.pack(f"{len(numbers)}d", *numbers))  # the fastest way that accepts only numbers
    except (TypeError, ValueError, OverflowError, struct.error):
        return None


class LoadedBatch(NamedTuple):
    """One batch of rows: the comparable episodes of a scope, and the incomparable ones of any time.

    `last_id`: the highest id in the batch, 0 for none.
    """

    columns: Columns
    incomparable: list[IncomparableEpisode]
    last_id: int


def load_all(scope: Scope) -> Iterator[LoadedBatch]:
    """All episodes of the scope, oldest first."""
    condition = f"model = %s AND created_at >= %s AND {_MAY_COMPARE} ORDER BY created_at, id"
    with connection().chunked_cursor() as cursor:
        parameters = [scope.model, _to_parameter(cursor, to_datetime(scope.since_us)), scope.dimensions]
        yield from _load_batches(cursor, condition, parameters, scope)


def load_added(cursor: CursorWrapper, last_id: int, scope: Scope) -> tuple[Revision, LoadedBatch]:
    """The revision, and the episodes of any model with an id above `last_id`.

    One statement reads both, so that no episode is added between the two.
    """
    cursor.execute(_ADDED_SQL[cursor.db.vendor], [last_id])
    added = cursor.fetchall()
    episodes = [row[2:] for row in added if row[2] is not None]
    return Revision(*added[0][:2]), _parse_rows(episodes, scope)


def load_by_ids(cursor: CursorWrapper, ids: Ints, scope: Scope) -> Iterator[LoadedBatch]:
    """The episodes with these ids, in batches."""
    for start in range(0, len(ids), _MAX_IDS_PER_QUERY):
        batch = ids[start : start + _MAX_IDS_PER_QUERY].tolist()
        placeholders = ", ".join(["%s"] * len(batch))
        yield from _load_batches(cursor, f"id IN ({placeholders})", batch, scope)


def vector_keys(cursor: CursorWrapper, scope: Scope) -> Ints:
    """The keys of all vectors of a scope: one index range, no row is read."""
    cursor.execute(
        f"SELECT id, embedded_again FROM episode_summaries WHERE model = %s AND created_at >= %s AND {_MAY_COMPARE}",  # noqa: S608 (a constant)
        [scope.model, _to_parameter(cursor, to_datetime(scope.since_us)), scope.dimensions],
    )
    ids, versions = np.array(cursor.fetchall(), dtype=np.int64).reshape(-1, 2).T
    return pack_keys(ids, versions)


def count_of_model(model: str, since_us: int) -> int:
    """How many episodes have a vector of this model, and were created since that moment: one index range."""
    with connection().cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM episode_summaries WHERE model = %s AND created_at >= %s",
            [model, _to_parameter(cursor, to_datetime(since_us))],
        )
        return int(cursor.fetchone()[0])


def count_of_other_lengths(cursor: CursorWrapper, scope: Scope) -> int:
    """How many episodes of the scope's model and time have a vector of another length: one index range."""
    cursor.execute(
        "SELECT count(*) FROM episode_summaries WHERE model = %s AND created_at >= %s AND dimensions <> %s",
        [scope.model, _to_parameter(cursor, to_datetime(scope.since_us)), scope.dimensions],
    )
    return int(cursor.fetchone()[0])


def newest_incomparable(scope: Scope, count: int) -> list[IncomparableEpisode]:
    """The newest episodes with a vector of another model, or of another length. Two queries on one index."""
    others = set(EpisodeSummary.objects.order_by().values_list("model", flat=True).distinct()) - {scope.model, ""}
    other_length = Q(model=scope.model) & (Q(dimensions__lt=scope.dimensions) | Q(dimensions__gt=scope.dimensions))
    rows = EpisodeSummary.objects.filter(
        Q(model__in=others) | other_length, created_at__gte=to_datetime(scope.since_us)
    )
    newest = rows.order_by("-created_at").values_list("created_at", "id", "audit_log_id")[:count]
    return [IncomparableEpisode(to_microseconds(created_at), *ids) for created_at, *ids in newest]


def last_id(cursor: CursorWrapper) -> int:
    """The highest episode id, 0 where there is none."""
    cursor.execute("SELECT max(id) FROM episode_summaries")
    return int(cursor.fetchone()[0] or 0)


def newest_dimensions(model: str) -> int:
    """The length of the vector of the model's newest episode, 0 where there is none."""
    with connection().cursor() as cursor:
        text = _EMBEDDING_TEXT[cursor.db.vendor]
        cursor.execute(
            f"SELECT {text} FROM episode_summaries WHERE model = %s AND summary <> '' "  # noqa: S608 (a constant)
            "ORDER BY created_at DESC, id DESC LIMIT 1",
            [model],
        )
        row = cursor.fetchone()
    vector = None if row is None else parse_vector(row[0])
    return 0 if vector is None else vector.size


Row = tuple[int, int, datetime, int, int, str, str]
_COLUMNS = {
    vendor: f"id, audit_log_id, created_at, recall_count, embedded_again, model, {text}"
    for vendor, text in _EMBEDDING_TEXT.items()
}
_MAY_COMPARE = "(dimensions = %s OR dimensions IS NULL)"  # one that was not measured is, once it is read
_LOAD_SQL = "SELECT {columns} FROM episode_summaries WHERE summary <> '' AND {condition}"
_ADDED_SQL = {
    vendor: f"""
SELECT r.episodes_added, r.episodes_changed, e.*
FROM memory_revision r LEFT JOIN (SELECT {columns} FROM episode_summaries WHERE id > %s AND summary <> '') e ON 1 = 1
WHERE r.id = 1
"""  # noqa: S608 (constants)
    for vendor, columns in _COLUMNS.items()
}


def _load_batches(
    cursor: CursorWrapper, condition: str, parameters: Sequence[int | str | datetime], scope: Scope
) -> Iterator[LoadedBatch]:
    cursor.execute(_LOAD_SQL.format(columns=_COLUMNS[cursor.db.vendor], condition=condition), parameters)
    batch = cursor.fetchmany(_FETCH_SIZE)
    while batch:
        yield _parse_rows(batch, scope)
        batch = cursor.fetchmany(_FETCH_SIZE) if len(batch) == _FETCH_SIZE else []


def _parse_rows(rows: Sequence[Row], scope: Scope) -> LoadedBatch:
    comparable: list[tuple[int, int, int, int, int]] = []
    units: list[Matrix] = []
    incomparable: list[IncomparableEpisode] = []
    for id_, audit_log_id, created_at, recall_count, version, model, text in rows:
        unit = _parse_unit_vector(text)
        if unit is None:
            continue
        created_us = _column_microseconds(created_at)
        if model != scope.model or unit.size != scope.dimensions:
            incomparable.append(IncomparableEpisode(created_us, id_, audit_log_id))
        elif created_us >= scope.since_us:
            comparable.append((id_, audit_log_id, created_us, version, recall_count))
            units.append(unit)
    vectors = np.array(units, dtype=np.float32).reshape(len(units), scope.dimensions)
    return LoadedBatch(_columns(comparable, vectors), incomparable, max((row[0] for row in rows), default=0))


def _parse_unit_vector(text: str) -> Matrix | None:
    vector = _parse_numbers(text)
    return None if vector is None else ranking.unit_if_comparable(vector)


def _columns(numbers: Sequence[tuple[int, int, int, int, int]], vectors: Matrix) -> Columns:
    ids, audit_ids, created_us, versions, recalls = np.array(numbers, dtype=np.int64).reshape(-1, 5).T
    return Columns(
        ids=ids,
        audit_ids=audit_ids,
        created_us=created_us,
        versions=versions.astype(np.int32),
        recalls=recalls.astype(np.int32),
        recall_logs=np.log1p(recalls, dtype=np.float64),
        vectors=vectors,
    )


def _to_parameter(cursor: CursorWrapper, moment: datetime) -> str | datetime:
    """A time as the driver takes it. SQLite stores UTC without an offset."""
    return str(moment.astimezone(UTC).replace(tzinfo=None)) if cursor.db.vendor == "sqlite" else moment


def _column_microseconds(column: datetime) -> int:
    """A time as the driver returns it. SQLite's has no offset and means UTC."""
    return to_microseconds(column if column.tzinfo else column.replace(tzinfo=UTC))


def to_microseconds(moment: datetime) -> int:
    """A moment in microseconds since the epoch, exactly."""
    return (moment - _EPOCH) // _MICROSECOND


def to_datetime(us: int) -> datetime:
    """The time this many microseconds after the epoch."""
    return _EPOCH + us * _MICROSECOND

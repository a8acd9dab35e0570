"""The SQL of the index. Times leave here as microseconds since the epoch, vectors as float64 rows."""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import numpy as np
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper
from pydantic_core import from_json

from memory import ranking
from memory.index.blocks import Columns, key_of
from memory.models import EpisodeSummary, MemoryRevision
from memory.ranking import Ints, Scores

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_ROWS_AT_A_TIME = 2048
_IDS_AT_A_TIME = 500  # databases take a limited number of parameters


class Revision(NamedTuple):
    """What `memory_revision` says about episodes."""

    added: int
    changed: int

    @property
    def stamp(self) -> int:
        """One number that is another one whenever a counter has moved, since they only go up."""
        return self.added + self.changed


class Stranger(NamedTuple):
    """An episode that cannot be compared with this model's vectors."""

    created_us: int
    id: int
    audit_log_id: int


@dataclass(frozen=True)
class Stored:
    """One episode as it stands in its row. `vector` (d,) is None where it is not comparable."""

    audit_log_id: int
    summary: str
    model: str
    recall_count: int
    vector: Scores | None


def connection() -> BaseDatabaseWrapper:
    """The database that episodes are in."""
    return connections[EpisodeSummary.objects.db]


def stamp(cursor: CursorWrapper) -> int:
    """The stamp of the revision as it stands: one look-up by key, about the least that a database can be asked."""
    cursor.execute("SELECT episodes_added + episodes_changed FROM memory_revision WHERE id = 1")
    row = cursor.fetchone()
    return revision().stamp if row is None else int(row[0])


def revision() -> Revision:
    """The counters as they stand; their row is made where there is none."""
    counters = MemoryRevision.current()
    return Revision(counters.episodes_added, counters.episodes_changed)


def recalls_since(cursor: CursorWrapper, moment: datetime) -> dict[int, int]:
    """The recall counts, by id, of the episodes that were last recalled at `moment` or later: one index range."""
    cursor.execute(
        "SELECT id, recall_count FROM episode_summaries WHERE last_recalled_at >= %s",
        [_parameter(cursor, moment)],
    )
    return dict(cursor.fetchall())


def summaries(ids: Sequence[int]) -> dict[int, str]:
    """The summaries of these episodes, by id, without those that are empty or gone. At most a few ids."""
    if not ids:
        return {}
    with connection().cursor() as cursor:
        marks = ", ".join(["%s"] * len(ids))
        cursor.execute(f"SELECT id, summary FROM episode_summaries WHERE id IN ({marks})", ids)  # noqa: S608 (marks)
        return {id_: summary for id_, summary in cursor.fetchall() if summary}


def read(ids: Sequence[int]) -> tuple[dict[int, Stored], set[int]]:
    """These episodes by id, and the stamp of the revision they were read at; several where it moved meanwhile."""
    stored: dict[int, Stored] = {}
    with connection().cursor() as cursor:
        stamps = set[int]() if ids else {stamp(cursor)}
        for start in range(0, len(ids), _IDS_AT_A_TIME):
            some = list(ids[start : start + _IDS_AT_A_TIME])
            cursor.execute(_READ.format(marks=", ".join(["%s"] * len(some))), some)
            for stamp_, id_, audit_log_id, summary, model, recall_count, vector in cursor.fetchall():
                stamps.add(stamp_)
                stored[id_] = Stored(audit_log_id, summary, model, recall_count, parsed(vector))
    return stored, stamps


_READ = """
SELECT r.episodes_added + r.episodes_changed,
       e.id, e.audit_log_id, e.summary, e.model, e.recall_count, CAST(e.embedding AS text)
FROM memory_revision r JOIN episode_summaries e ON e.id IN ({marks})
WHERE r.id = 1
"""


def parsed(text: str) -> Scores | None:
    """A stored vector (d,), None where it is no list of numbers or not comparable."""
    try:
        vector = np.frombuffer(array("d", from_json(text)))  # array: the quickest that takes nothing but numbers
    except (TypeError, ValueError, OverflowError):
        return None
    return vector if ranking.is_comparable(vector) else None


@dataclass(frozen=True)
class Loaded:
    """Some episodes: those with comparable vectors of one model and length, and others with a vector of their own."""

    columns: Columns
    strangers: list[Stranger]
    last_id: int


def of_model(model: str, since_us: int, dimensions: int) -> Iterator[Loaded]:
    """All episodes of a model since a moment, oldest first."""
    condition = "model = %s AND created_at >= %s ORDER BY created_at, id"
    with connection().chunked_cursor() as cursor:
        parameters = [model, _parameter(cursor, moment(since_us))]
        yield from _loaded(cursor, condition, parameters, (model, dimensions))


def after(cursor: CursorWrapper, last_id: int, model: str, dimensions: int) -> tuple[Revision, Loaded]:
    """The revision, and the episodes of whatever model and time that have a higher id, at that very moment."""
    cursor.execute(_NEWS, [last_id])
    news = cursor.fetchall()
    episodes = [row[2:] for row in news if row[2] is not None]
    return Revision(*news[0][:2]), _sorted_out(episodes, model, dimensions)


def these(cursor: CursorWrapper, ids: Ints, model: str, dimensions: int) -> Iterator[Loaded]:
    """The episodes with these ids."""
    for start in range(0, len(ids), _IDS_AT_A_TIME):
        some = ids[start : start + _IDS_AT_A_TIME].tolist()
        yield from _loaded(cursor, f"id IN ({', '.join(['%s'] * len(some))})", some, (model, dimensions))


def keys_of_model(cursor: CursorWrapper, model: str, since_us: int) -> Ints:
    """The keys of all vectors of a model since a moment: one index range, no row is read."""
    cursor.execute(
        "SELECT id, embedded_again FROM episode_summaries WHERE model = %s AND created_at >= %s",
        [model, _parameter(cursor, moment(since_us))],
    )
    ids, versions = np.array(cursor.fetchall(), dtype=np.int64).reshape(-1, 2).T
    return key_of(ids, versions)


def other_models(model: str, since_us: int, count: int) -> list[Stranger]:
    """The newest episodes with a vector of another model. Two queries in one index."""
    models_ = set(EpisodeSummary.objects.order_by().values_list("model", flat=True).distinct()) - {model, ""}
    if not models_:
        return []
    rows = EpisodeSummary.objects.filter(model__in=models_, created_at__gte=moment(since_us))
    newest = rows.order_by("-created_at").values_list("created_at", "id", "audit_log_id")[:count]
    return [Stranger(microseconds(created_at), *ids) for created_at, *ids in newest]


def last_id(cursor: CursorWrapper) -> int:
    """The highest id there is, 0 where there is none."""
    cursor.execute("SELECT max(id) FROM episode_summaries")
    return int(cursor.fetchone()[0] or 0)


Row = tuple[int, int, datetime, int, int, str, str]
_COLUMNS = "id, audit_log_id, created_at, recall_count, embedded_again, model, CAST(embedding AS text)"
_FILL = f"SELECT {_COLUMNS} FROM episode_summaries WHERE summary <> '' AND {{condition}}"  # noqa: S608 (constants)
_NEWS = f"""
SELECT r.episodes_added, r.episodes_changed, e.*
FROM memory_revision r LEFT JOIN (SELECT {_COLUMNS} FROM episode_summaries WHERE id > %s AND summary <> '') e ON 1 = 1
WHERE r.id = 1
"""  # noqa: S608 (constants)


def _loaded(
    cursor: CursorWrapper, condition: str, parameters: Sequence[int | str | None], key: tuple[str, int]
) -> Iterator[Loaded]:
    cursor.execute(_FILL.format(condition=condition), parameters)
    some = cursor.fetchmany(_ROWS_AT_A_TIME)
    while some:
        yield _sorted_out(some, *key)
        some = cursor.fetchmany(_ROWS_AT_A_TIME) if len(some) == _ROWS_AT_A_TIME else []


def _sorted_out(rows: Sequence[Row], model: str, dimensions: int) -> Loaded:
    kept: list[Row] = []
    vectors: list[Scores] = []
    strangers: list[Stranger] = []
    for row in rows:
        vector = parsed(row[6])
        if vector is None:
            continue
        if row[5] == model and vector.size == dimensions:
            kept.append(row)
            vectors.append(vector)
        else:
            strangers.append(Stranger(_microseconds(row[2]), row[0], row[1]))
    recalls = np.array([row[3] for row in kept], dtype=np.int32)
    columns = Columns(
        ids=np.array([row[0] for row in kept], dtype=np.int64),
        audit_ids=np.array([row[1] for row in kept], dtype=np.int64),
        created_us=np.array([_microseconds(row[2]) for row in kept], dtype=np.int64),
        versions=np.array([row[4] for row in kept], dtype=np.int32),
        recalls=recalls,
        recall_logs=np.log1p(recalls, dtype=np.float64),
        vectors=ranking.unit(np.array(vectors).reshape(len(kept), dimensions)),
    )
    return Loaded(columns, strangers, max((row[0] for row in rows), default=0))


def _parameter(cursor: CursorWrapper, moment: datetime) -> str | None:
    """A time as the driver takes it."""
    adapted: str | None = cursor.db.ops.adapt_datetimefield_value(moment)
    return adapted


def _microseconds(column: datetime) -> int:
    """A time as the driver gives it: SQLite's is UTC without saying so."""
    return microseconds(column if column.tzinfo else column.replace(tzinfo=UTC))


def microseconds(moment: datetime) -> int:
    """A moment in microseconds since the epoch, exactly."""
    return (moment - _EPOCH) // _MICROSECOND


def moment(us: int) -> datetime:
    """The moment so many microseconds after the epoch."""
    return _EPOCH + us * _MICROSECOND

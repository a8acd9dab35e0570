"""The SQL of the index. Times leave here as microseconds since the epoch, vectors as float64 rows."""

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import numpy as np
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper
from pydantic_core import from_json

from memory import ranking
from memory.models import EpisodeSummary, MemoryRevision
from memory.ranking import Ints, Matrix, Scores
from memory.recall.index.blocks import Columns, key_of

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
    return connections[DEFAULT_DB_ALIAS]


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
            marks = ", ".join(["%s"] * len(some))
            cursor.execute(_READ.format(marks=marks, embedding=_JSON_TEXT[cursor.db.vendor]), some)
            for stamp_, id_, audit_log_id, summary, model, recall_count, vector in cursor.fetchall():
                stamps.add(stamp_)
                stored[id_] = Stored(audit_log_id, summary, model, recall_count, parsed(vector))
    return stored, stamps


_JSON_TEXT = {"sqlite": "embedding", "postgresql": "CAST(embedding AS text)"}
"""How the text of a vector is asked for: SQLite's is text, and a cast would copy it."""

_READ = """
SELECT r.episodes_added + r.episodes_changed,
       e.id, e.audit_log_id, e.summary, e.model, e.recall_count, {embedding}
FROM memory_revision r JOIN episode_summaries e ON e.id IN ({marks})
WHERE r.id = 1
"""


def parsed(text: str) -> Scores | None:
    """A stored vector (d,), None where it is no list of numbers or not comparable."""
    vector = _numbers(text)
    return vector if vector is not None and ranking.is_comparable(vector) else None


def _numbers(text: str) -> Scores | None:
    try:
        numbers = from_json(text)
        return np.frombuffer(struct.pack(f"{len(numbers)}d", *numbers))  # the quickest that takes nothing but numbers
    except (TypeError, ValueError, OverflowError, struct.error):
        return None


class Loaded(NamedTuple):
    """Some episodes: those with comparable vectors of one model and length since some moment, and, of whatever time,
    others with a vector of their own."""

    columns: Columns
    strangers: list[Stranger]
    last_id: int


def of_model(model: str, since_us: int, dimensions: int) -> Iterator[Loaded]:
    """All episodes of a model since a moment, oldest first."""
    condition = "model = %s AND created_at >= %s ORDER BY created_at, id"
    with connection().chunked_cursor() as cursor:
        parameters = [model, _parameter(cursor, moment(since_us))]
        yield from _loaded(cursor, condition, parameters, (model, since_us, dimensions))


def after(cursor: CursorWrapper, last_id: int, model: str, since_us: int, dimensions: int) -> tuple[Revision, Loaded]:
    """The revision, and the episodes of whatever model that have a higher id, at that very moment."""
    cursor.execute(_NEWS[cursor.db.vendor], [last_id])
    news = cursor.fetchall()
    episodes = [row[2:] for row in news if row[2] is not None]
    return Revision(*news[0][:2]), _sorted_out(episodes, model, since_us, dimensions)


def these(cursor: CursorWrapper, ids: Ints, model: str, since_us: int, dimensions: int) -> Iterator[Loaded]:
    """The episodes with these ids."""
    for start in range(0, len(ids), _IDS_AT_A_TIME):
        some = ids[start : start + _IDS_AT_A_TIME].tolist()
        yield from _loaded(cursor, f"id IN ({', '.join(['%s'] * len(some))})", some, (model, since_us, dimensions))


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


def newest_length(model: str) -> int:
    """How many numbers the vector of the model's newest episode has, 0 where it has none."""
    with connection().cursor() as cursor:
        text = _JSON_TEXT[cursor.db.vendor]
        cursor.execute(
            f"SELECT {text} FROM episode_summaries WHERE model = %s AND summary <> '' "  # noqa: S608 (a constant)
            "ORDER BY created_at DESC, id DESC LIMIT 1",
            [model],
        )
        row = cursor.fetchone()
    vector = None if row is None else parsed(row[0])
    return 0 if vector is None else vector.size


Row = tuple[int, int, datetime, int, int, str, str]
_COLUMNS = {
    vendor: f"id, audit_log_id, created_at, recall_count, embedded_again, model, {text}"
    for vendor, text in _JSON_TEXT.items()
}
_FILL = "SELECT {columns} FROM episode_summaries WHERE summary <> '' AND {condition}"
_NEWS = {
    vendor: f"""
SELECT r.episodes_added, r.episodes_changed, e.*
FROM memory_revision r LEFT JOIN (SELECT {columns} FROM episode_summaries WHERE id > %s AND summary <> '') e ON 1 = 1
WHERE r.id = 1
"""  # noqa: S608 (constants)
    for vendor, columns in _COLUMNS.items()
}


def _loaded(
    cursor: CursorWrapper, condition: str, parameters: Sequence[int | str | datetime], wish: tuple[str, int, int]
) -> Iterator[Loaded]:
    cursor.execute(_FILL.format(columns=_COLUMNS[cursor.db.vendor], condition=condition), parameters)
    some = cursor.fetchmany(_ROWS_AT_A_TIME)
    while some:
        yield _sorted_out(some, *wish)
        some = cursor.fetchmany(_ROWS_AT_A_TIME) if len(some) == _ROWS_AT_A_TIME else []


def _sorted_out(rows: Sequence[Row], model: str, since_us: int, dimensions: int) -> Loaded:
    own: list[tuple[int, int, int, int, int]] = []
    units: list[Matrix] = []
    strangers: list[Stranger] = []
    for id_, audit_log_id, created_at, recall_count, version, its_model, text in rows:
        unit = _unit(text)
        if unit is None:
            continue
        created_us = _microseconds(created_at)
        if its_model != model or unit.size != dimensions:
            strangers.append(Stranger(created_us, id_, audit_log_id))
        elif created_us >= since_us:
            own.append((id_, audit_log_id, created_us, version, recall_count))
            units.append(unit)
    vectors = np.array(units, dtype=np.float32).reshape(len(units), dimensions)
    return Loaded(_columns(own, vectors), strangers, max((row[0] for row in rows), default=0))


def _unit(text: str) -> Matrix | None:
    vector = _numbers(text)
    return None if vector is None else ranking.unit_if_comparable(vector)


def _columns(own: Sequence[tuple[int, int, int, int, int]], vectors: Matrix) -> Columns:
    ids, audit_ids, created_us, versions, recalls = np.array(own, dtype=np.int64).reshape(-1, 5).T
    return Columns(
        ids=ids,
        audit_ids=audit_ids,
        created_us=created_us,
        versions=versions.astype(np.int32),
        recalls=recalls.astype(np.int32),
        recall_logs=np.log1p(recalls, dtype=np.float64),
        vectors=vectors,
    )


def _parameter(cursor: CursorWrapper, moment: datetime) -> str | datetime:
    """A time as the driver takes it: SQLite's is UTC without saying so."""
    return str(moment.astimezone(UTC).replace(tzinfo=None)) if cursor.db.vendor == "sqlite" else moment


def _microseconds(column: datetime) -> int:
    """A time as the driver gives it: SQLite's is UTC without saying so."""
    return microseconds(column if column.tzinfo else column.replace(tzinfo=UTC))


def microseconds(moment: datetime) -> int:
    """A moment in microseconds since the epoch, exactly."""
    return (moment - _EPOCH) // _MICROSECOND


def moment(us: int) -> datetime:
    """The moment so many microseconds after the epoch."""
    return _EPOCH + us * _MICROSECOND

"""The SQL of the index. Times leave here as microseconds since the epoch, vectors as float64 rows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import NamedTuple

import numpy as np
from django.db import connections, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper
from django.db.models.functions import Cast
from pydantic_core import from_json

from memory import ranking
from memory.index.blocks import Block, Columns, key_of
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


def revision(cursor: CursorWrapper) -> Revision:
    """The counters as they stand: one look-up by key."""
    cursor.execute("SELECT episodes_added, episodes_changed FROM memory_revision WHERE id = 1")
    row = cursor.fetchone()
    if row is None:
        counters = MemoryRevision.current()
        return Revision(counters.episodes_added, counters.episodes_changed)
    return Revision(*row)


def recalls_since(cursor: CursorWrapper, moment: datetime) -> dict[int, int]:
    """The recall counts, by id, of the episodes that were last recalled at `moment` or later: one index range."""
    cursor.execute(
        "SELECT id, recall_count FROM episode_summaries WHERE last_recalled_at >= %s",
        [cursor.db.ops.adapt_datetimefield_value(moment)],
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


def read(ids: Sequence[int]) -> tuple[dict[int, Stored], set[Revision]]:
    """These episodes by id, and the revision they were read at; several where it moved meanwhile."""
    stored: dict[int, Stored] = {}
    with connection().cursor() as cursor:
        revisions = set[Revision]() if ids else {revision(cursor)}
        for start in range(0, len(ids), _IDS_AT_A_TIME):
            some = list(ids[start : start + _IDS_AT_A_TIME])
            cursor.execute(_READ.format(marks=", ".join(["%s"] * len(some))), some)
            for row in cursor.fetchall():
                added, changed, id_, audit_log_id, summary, model, recall_count, vector = row
                revisions.add(Revision(added, changed))
                stored[id_] = Stored(audit_log_id, summary, model, recall_count, parsed(vector))
    return stored, revisions


_READ = """
SELECT r.episodes_added, r.episodes_changed,
       e.id, e.audit_log_id, e.summary, e.model, e.recall_count, CAST(e.embedding AS text)
FROM memory_revision r JOIN episode_summaries e ON e.id IN ({marks})
WHERE r.id = 1
"""


def parsed(text: str) -> Scores | None:
    """A stored vector (d,), None where it is no list of numbers or not comparable."""
    try:
        vector = np.array(from_json(text))
    except (ValueError, OverflowError):
        return None
    if vector.ndim != 1 or vector.dtype.kind not in "fiu":
        return None
    vector = vector.astype(np.float64, copy=False)
    return vector if ranking.is_comparable(vector) else None


@dataclass(frozen=True)
class Loaded:
    """Some episodes: those with comparable vectors of one model and length, and others with a vector of their own."""

    block: Block
    strangers: list[Stranger]
    last_id: int


def of_model(model: str, since_us: int, dimensions: int) -> Iterator[Loaded]:
    """All episodes of a model since a moment, oldest first."""
    rows = EpisodeSummary.objects.filter(model=model, created_at__gte=moment(since_us))
    yield from _loaded(rows.order_by("created_at", "id"), model, dimensions)


def after(last_id: int, model: str, dimensions: int) -> Iterator[Loaded]:
    """The episodes, of whatever model and time, that have a higher id: one range of the key."""
    yield from _loaded(EpisodeSummary.objects.filter(id__gt=last_id).order_by("id"), model, dimensions)


def these(ids: Ints, model: str, dimensions: int) -> Iterator[Loaded]:
    """The episodes with these ids."""
    for start in range(0, len(ids), _IDS_AT_A_TIME):
        some = ids[start : start + _IDS_AT_A_TIME].tolist()
        yield from _loaded(EpisodeSummary.objects.filter(id__in=some), model, dimensions)


def keys_of_model(model: str, since_us: int) -> Ints:
    """The keys of all vectors of a model since a moment: one index range, no row is read."""
    rows = EpisodeSummary.objects.filter(model=model, created_at__gte=moment(since_us)).order_by()
    pairs = list(rows.values_list("id", "embedded_again"))
    ids, versions = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return key_of(ids, versions)


def other_models(model: str, since_us: int, count: int) -> list[Stranger]:
    """The newest episodes with a vector of another model. Two queries in one index."""
    models_ = set(EpisodeSummary.objects.order_by().values_list("model", flat=True).distinct()) - {model, ""}
    if not models_:
        return []
    rows = EpisodeSummary.objects.filter(model__in=models_, created_at__gte=moment(since_us))
    newest = rows.order_by("-created_at").values_list("created_at", "id", "audit_log_id")[:count]
    return [Stranger(microseconds(created_at), *ids) for created_at, *ids in newest]


def last_id() -> int:
    """The highest id there is, 0 where there is none."""
    return EpisodeSummary.objects.order_by("-id").values_list("id", flat=True).first() or 0


Row = tuple[int, int, datetime, int, int, str, str]


def _loaded(rows: models.QuerySet[EpisodeSummary, EpisodeSummary], model: str, dimensions: int) -> Iterator[Loaded]:
    columns = ("id", "audit_log_id", "created_at", "recall_count", "embedded_again", "model", "text")
    listed = rows.exclude(summary="").annotate(text=Cast("embedding", models.TextField())).values_list(*columns)
    stream: Iterator[Row] = listed.iterator(chunk_size=_ROWS_AT_A_TIME)
    while some := list(islice(stream, _ROWS_AT_A_TIME)):
        yield _sorted_out(some, model, dimensions)


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
            strangers.append(Stranger(microseconds(row[2]), row[0], row[1]))
    columns = Columns(
        ids=np.array([row[0] for row in kept], dtype=np.int64),
        audit_ids=np.array([row[1] for row in kept], dtype=np.int64),
        created_us=np.array([microseconds(row[2]) for row in kept], dtype=np.int64),
        recalls=np.array([row[3] for row in kept], dtype=np.int32),
        versions=np.array([row[4] for row in kept], dtype=np.int32),
    )
    block = Block.of(columns, ranking.unit(np.array(vectors).reshape(len(kept), dimensions)))
    return Loaded(block, strangers, max(row[0] for row in rows))


def microseconds(moment: datetime) -> int:
    """A moment in microseconds since the epoch, exactly."""
    return (moment - _EPOCH) // _MICROSECOND


def moment(us: int) -> datetime:
    """The moment so many microseconds after the epoch."""
    return _EPOCH + us * _MICROSECOND

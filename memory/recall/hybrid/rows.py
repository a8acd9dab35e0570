"""The SQL of recall by content."""

from collections.abc import Iterable, Iterator

import numpy as np
from django.db.models import QuerySet

from memory.models import EpisodeUnits, GeneralVectors
from memory.ranking import Ints, Matrix
from memory.recall.hybrid.segments import StoredUnits, pack_keys
from memory.recall.index.rows import to_microseconds
from memory.units import PackedVectors, general, unpack_vectors, whole_numbers

_MAX_IDS_PER_QUERY = 500
_FETCH_SIZE = 512


def load(*, after: int = 0, model: str) -> list[StoredUnits]:
    """The units of all episodes with an id above `after`, in the order of their ids."""
    return list(_read(_stored().filter(pk__gt=after), model))


def load_by_ids(ids: Iterable[int], *, model: str) -> list[StoredUnits]:
    """The units of these episodes, as far as they are there."""
    wanted = sorted(ids)
    return [
        one
        for start in range(0, len(wanted), _MAX_IDS_PER_QUERY)
        for one in _read(_stored().filter(pk__in=wanted[start : start + _MAX_IDS_PER_QUERY]), model)
    ]


def present_keys() -> Ints:
    """The keys of all units there are: no vector is read."""
    rows = list(_stored().values_list("pk", "episode__embedded_again"))
    ids, versions = np.array(rows, dtype=np.int64).reshape(-1, 2).T
    return pack_keys(ids, versions)


def dimensions_of(model: str) -> int:
    """The length of the newest vectors of this embedder; 0 where there are none."""
    newest = EpisodeUnits.objects.filter(model=model).order_by("-pk").values_list("dimensions", flat=True).first()
    return newest or 0


def general_vectors(model: str, dimensions: int) -> Matrix:
    """The vectors (m, d) of the general messages; (0, d) before the worker has had them embedded in that length."""
    stored = GeneralVectors._default_manager.filter(model=model, dimensions=dimensions, digest=general.DIGEST)
    row = stored.first()
    if row is None:
        return np.empty((0, dimensions), dtype=np.float32)
    packed = unpack_vectors(bytes(row.vectors), bytes(row.scales), row.dimensions)
    return packed.numbers * packed.scales[:, np.newaxis]


def _stored() -> QuerySet[EpisodeUnits]:
    return EpisodeUnits.objects.order_by("pk")


def _read(stored: QuerySet[EpisodeUnits], model: str) -> Iterator[StoredUnits]:
    episode = stored.select_related("episode").defer("episode__summary", "episode__embedding", "episode__model")
    for row in episode.iterator(chunk_size=_FETCH_SIZE):
        lengths, terms = whole_numbers(bytes(row.turn_lengths)), whole_numbers(bytes(row.terms))
        if not lengths.size or int(lengths.sum(dtype=np.int64)) != terms.size:  # nothing was said, or the row is broken
            continue
        yield StoredUnits(
            episode_id=row.pk,
            version=row.episode.embedded_again,
            audit_id=row.episode.audit_log_id,
            created_us=to_microseconds(row.episode.created_at),
            conversation=row.conversation,
            vectors=_vectors(row, model),
            turn_lengths=lengths.astype(np.int32),
            terms=terms,
            context=row.context,
        )


def _vectors(row: EpisodeUnits, model: str) -> PackedVectors:
    if row.model != model:
        return PackedVectors(np.empty((0, row.dimensions), dtype=np.int8), np.empty(0, dtype=np.float32))
    return unpack_vectors(bytes(row.vectors), bytes(row.scales), row.dimensions)

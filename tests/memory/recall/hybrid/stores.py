"""Stores for recall by content: chats with their units, written by the verbs, and every way they may change."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from django.db import transaction
from django.db.models import F

from memory import events
from memory.events import Message
from memory.models import AuditQuerySet, AuditRow, EpisodeSummary, EpisodeUnits, GeneralVectors, MemoryRevision, Units
from memory.recall.hybrid import search as hybrid
from memory.recall.hybrid.search import Query, SearchResult
from memory.units import ChatWindows, SpokenTurn, general, pack, units_of

MODEL = "embed-small"
DIMENSIONS = 6
NOW = datetime(2026, 5, 20, 9, tzinfo=UTC)
DAY = timedelta(days=1)
OPEN = -2.0
"""A gate that lets everything in."""

Vectors = Sequence[Sequence[float]]


def query(message: str, vector: Sequence[float], **changes: Any) -> Query:
    """A query with the defaults, behind no gate."""
    defaults: dict[str, Any] = {"model": MODEL, "now": NOW, "zone": UTC, "top_k": 3, "gate": OPEN}
    return Query(message=message, vector=np.array(vector, dtype=np.float32), **(defaults | changes))


def units(
    turns: Sequence[str], vectors: Vectors = (), *, conversation: int, context: int = 0, model: str = MODEL
) -> Units:
    """The units of these turns; each vector is one of its windows."""
    spoken = [SpokenTurn(place % 2 == 0, text, place >= context) for place, text in enumerate(turns)]
    windows = ChatWindows(spoken, context, [range(len(turns))] * len(vectors))
    rows = np.array(vectors, dtype=np.float32) if len(vectors) else None
    return units_of(windows, conversation=conversation, model=model, vectors=rows)


def chat(*turns: str, at: datetime = NOW) -> AuditRow:
    """A chat of these turns; the last one is its reply."""
    spoken = turns[:-1] or turns
    said = [Message(role="assistant" if place % 2 else "user", content=text) for place, text in enumerate(spoken)]
    reply = turns[-1] if len(turns) > 1 else ""
    return AuditRow.objects.record(events.ChatCompleted(messages=said, reply=reply, occurred_at=at), now=NOW)


def remember(
    *turns: str,
    vectors: Vectors = (),
    age: timedelta = timedelta(0),
    conversation: int | None = None,
    context: int = 0,
    model: str = MODEL,
) -> EpisodeSummary:
    """An episode without a summary, of a chat of that age, with its units."""
    row = chat(*turns, at=NOW - age)
    own = units(turns, vectors, conversation=conversation or row.pk, context=context, model=model)
    assert EpisodeSummary.objects.skip(row, reason="trivial", now=NOW, units=own)
    return EpisodeSummary.objects.get(audit_log=row)


def put_general_vectors(vectors: Vectors, *, digest: str = general.DIGEST) -> None:
    """The vectors of the general messages, as if these were theirs."""
    packed = pack(np.array(vectors, dtype=np.float32))
    GeneralVectors._default_manager.update_or_create(
        model=MODEL,
        defaults={
            "digest": digest,
            "dimensions": packed.numbers.shape[1],
            "vectors": packed.numbers.tobytes(),
            "scales": packed.scales.tobytes(),
        },
    )


def embed_again(episode: EpisodeSummary, new: Units) -> None:
    """Other units for an episode, as whoever changes them has to write them: with a new number, and the revision."""
    with transaction.atomic():
        EpisodeSummary.objects.filter(pk=episode.pk).update(embedded_again=F("embedded_again") + 1)
        EpisodeUnits.objects.put(episode.pk, new)
        MemoryRevision.move("episodes_changed")


def sweep(audit_rows: AuditQuerySet) -> None:
    """What retention does to old rows, whatever their age."""
    with transaction.atomic():
        audit_rows.sweep_away()
        MemoryRevision.move("episodes_changed")


def empty() -> None:
    """Delete all chats and episodes."""
    sweep(AuditRow.objects.get_queryset().all())


def found_ids(message: str, vector: Sequence[float], **changes: Any) -> list[int]:
    """The episodes that are found, best first."""
    return ids_of(hybrid.search(query(message, vector, **changes)))


def ids_of(found: SearchResult) -> list[int]:
    """The episodes found, in order."""
    return [hit.episode_id for hit in found.hits]

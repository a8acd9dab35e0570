"""New vectors for the episodes of another embedder, so that they can be recalled again (decision 13)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import NamedTuple

from django.conf import settings
from django.db.models import Count, QuerySet

from memory.llm import LLMError, embedder_model, json_vector
from memory.llm.bulk_embedding import BATCH_SIZE, vectors_of
from memory.llm.embedding import Vector, embed
from memory.models import Embedded, EmbedderLength, EpisodeSummary, OutgrownEpisodes

_PROBE = "How long is a vector?"


class FailedEpisode(NamedTuple):
    """An episode that kept the vector it had, and why."""

    audit_log_id: int
    error: str


@dataclass
class Progress:
    """How far a run has come. `changed_meanwhile`: emptied, deleted, changed or embedded by another process."""

    total: int
    embedded: int = 0
    changed_meanwhile: int = 0
    failed: list[FailedEpisode] = field(default_factory=list)

    @property
    def processed(self) -> int:
        """How many episodes were dealt with, whatever the outcome."""
        return self.embedded + self.changed_meanwhile + len(self.failed)

    def __str__(self) -> str:
        counts = [f"{self.embedded:,} of {self.total:,} embedded"]
        counts += [f"{self.changed_meanwhile:,} changed meanwhile"] if self.changed_meanwhile else []
        counts += [f"{len(self.failed):,} left as they were"] if self.failed else []
        return ", ".join(counts)


def outgrown(now: datetime) -> OutgrownEpisodes | None:
    """The episodes that recall passes over since the embedder's vectors have another length, or since all are of other
    embedders; None where there are none, or where recall is off. Asks nobody: the length is the one noted last."""
    tree = settings.CAESAR
    if not tree.semantic.enabled or not tree.memory.episodes_recall.enabled:
        return None
    since = now - timedelta(days=tree.memory.episodes_recall.max_age_days)
    return OutgrownEpisodes.of(embedder_model(), since=since)


class CountedVectors(NamedTuple):
    """How many episodes have a vector of this model and length."""

    model: str
    dimensions: int
    episodes: int


def counts_by_space() -> list[CountedVectors]:
    """The episodes by model and length of their vectors, the most first. Empty episodes have no vector."""
    _measure()
    rows = EpisodeSummary.objects.exclude(summary="").order_by().values("model", "dimensions")
    counted = rows.annotate(count=Count("id")).order_by("-count", "model", "dimensions")
    return [CountedVectors(row["model"], row["dimensions"] or 0, row["count"]) for row in counted]


def current_length() -> int:
    """How many numbers the embedder answers with now: it is asked, where episodes have its name. 0 where none has.

    Notes the length. Raises `LLMError`.
    """
    model = embedder_model()
    if not EpisodeSummary.objects.filter(model=model).exists():
        return 0
    length = int(embed([_PROBE], timeout_seconds=settings.CAESAR.llm.timeout_seconds).rows.shape[1])
    EmbedderLength.note(model, length)
    return length


def run() -> Iterator[Progress]:
    """Embed every episode without a vector of the current embedder and its length, newest first. Raises `LLMError`.

    Yields the same `Progress` at the start and after each batch. Each row is written by itself, so that a run that was
    interrupted is continued by the next. An episode that fails alone is listed in `Progress.failed`; `LLMError` means
    that the embedder itself is at fault.
    """
    model = embedder_model()
    _measure()
    outdated = _outdated(model, current_length())
    ids = list(outdated.values_list("id", flat=True))
    progress = Progress(len(ids))
    yield progress
    for start in range(0, len(ids), BATCH_SIZE):
        _embed_batch(outdated, ids[start : start + BATCH_SIZE], model, progress)
        yield progress


def _outdated(model: str, length: int) -> QuerySet[EpisodeSummary]:
    """The episodes without a vector of this model and length, newest first."""
    rows = EpisodeSummary.objects.exclude(summary="").order_by("-created_at", "-id")
    return rows.exclude(model=model, dimensions=length) if length else rows.exclude(model=model)


def _measure() -> None:
    """Note the length of each vector that was written without one, past the ORM."""
    unmeasured = EpisodeSummary.objects.exclude(summary="").filter(dimensions__isnull=True)
    for id_, vector in unmeasured.values_list("id", "embedding").iterator(chunk_size=BATCH_SIZE):
        EpisodeSummary.objects.filter(pk=id_, dimensions__isnull=True).update(
            dimensions=len(vector) if isinstance(vector, list) else 0
        )


def _embed_batch(outdated: QuerySet[EpisodeSummary], ids: Sequence[int], model: str, progress: Progress) -> None:
    """Read these rows as they are now, embed them, and write each vector whose summary has not changed since."""
    rows = list(outdated.filter(pk__in=ids).only("id", "audit_log_id", "summary"))
    progress.changed_meanwhile += len(ids) - len(rows)
    for row, vector in zip(rows, vectors_of([row.summary for row in rows]), strict=True):
        if isinstance(vector, LLMError):
            progress.failed.append(FailedEpisode(row.audit_log_id, str(vector)))
        elif _store_vector(row, vector, model):
            progress.embedded += 1
        else:
            progress.changed_meanwhile += 1


def _store_vector(row: EpisodeSummary, vector: Vector, model: str) -> bool:
    embedded = Embedded(json_vector(vector), model)
    return EpisodeSummary.objects.embed_again(row.pk, embedded, seen_summary=row.summary)

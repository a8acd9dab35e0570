"""New vectors for the episodes of another embedder, so that they can be recalled again (decision 13)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from django.db.models import Count, QuerySet

from memory.llm import LLMError, embedder_model, json_vector
from memory.llm.bulk_embedding import BATCH_SIZE, vectors_of
from memory.llm.embedding import Vector
from memory.models import Embedded, EpisodeSummary


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


def counts_by_model() -> dict[str, int]:
    """{model: how many episodes have a vector of it}, the most first. Empty episodes have no vector."""
    counted = EpisodeSummary.objects.exclude(summary="").order_by().values("model").annotate(count=Count("id"))
    return dict(counted.order_by("-count", "model").values_list("model", "count"))


def run() -> Iterator[Progress]:
    """Embed every episode that has no vector of the current embedder, newest first. Raises `LLMError`.

    Yields the same `Progress` at the start and after each batch. Each row is written by itself, so that a run that was
    interrupted is continued by the next. An episode that fails alone is listed in `Progress.failed`; `LLMError` means
    that the embedder itself is at fault.
    """
    model = embedder_model()
    ids = list(_outdated(model).values_list("id", flat=True))
    progress = Progress(len(ids))
    yield progress
    for start in range(0, len(ids), BATCH_SIZE):
        _embed_batch(ids[start : start + BATCH_SIZE], model, progress)
        yield progress


def _outdated(model: str) -> QuerySet[EpisodeSummary]:
    return EpisodeSummary.objects.exclude(summary="").exclude(model=model).order_by("-created_at", "-id")


def _embed_batch(ids: Sequence[int], model: str, progress: Progress) -> None:
    """Read these rows as they are now, embed them, and write each vector whose summary has not changed since."""
    rows = list(_outdated(model).filter(pk__in=ids).only("id", "audit_log_id", "summary"))
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

"""New vectors for the episodes of another embedder, so that they can be recalled again (decision 13)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from django.db.models import Count, QuerySet

from memory.llm import LLMError, embedder_model, json_vector
from memory.llm.bulk_embedding import BATCH_SIZE, vectors_of
from memory.llm.embedding import Vector
from memory.models import Embedded, EpisodeSummary


class Left(NamedTuple):
    """An episode that kept the vector it had, and why."""

    audit_log_id: int
    error: str


@dataclass
class Progress:
    """How far a run has come. `overtaken`: emptied, deleted, changed or embedded by somebody else meanwhile."""

    total: int
    embedded: int = 0
    overtaken: int = 0
    left: list[Left] = field(default_factory=list)

    @property
    def seen(self) -> int:
        """How many of all have had their turn."""
        return self.embedded + self.overtaken + len(self.left)

    def __str__(self) -> str:
        counts = [f"{self.embedded:,} of {self.total:,} embedded"]
        counts += [f"{self.overtaken:,} changed meanwhile"] if self.overtaken else []
        counts += [f"{len(self.left):,} left as they were"] if self.left else []
        return ", ".join(counts)


def counts_by_model() -> dict[str, int]:
    """How many episodes have a vector of each model, the most first. Empty ones have none."""
    counted = EpisodeSummary.objects.exclude(summary="").order_by().values("model").annotate(count=Count("id"))
    return dict(counted.order_by("-count", "model").values_list("model", "count"))


def run() -> Iterator[Progress]:
    """Embed every episode whose model is not the embedder's now, newest first. Yields the one `Progress` at the start
    and after each batch.

    Each row is written by itself, once its vector is here, so that a run that was ended anywhere is gone on with by the
    next. Raises `LLMError` where the embedder is at fault.
    """
    model = embedder_model()
    ids = list(_waiting(model).values_list("id", flat=True))
    progress = Progress(len(ids))
    yield progress
    for start in range(0, len(ids), BATCH_SIZE):
        _one_batch(ids[start : start + BATCH_SIZE], model, progress)
        yield progress


def _waiting(model: str) -> QuerySet[EpisodeSummary]:
    return EpisodeSummary.objects.exclude(summary="").exclude(model=model).order_by("-created_at", "-id")


def _one_batch(ids: Sequence[int], model: str, progress: Progress) -> None:
    """Read these rows as they are now, embed them, write each that is still what was embedded."""
    rows = list(_waiting(model).filter(pk__in=ids).only("id", "audit_log_id", "summary"))
    progress.overtaken += len(ids) - len(rows)
    for row, vector in zip(rows, vectors_of([row.summary for row in rows]), strict=True):
        if isinstance(vector, LLMError):
            progress.left.append(Left(row.audit_log_id, str(vector)))
        elif _written(row, vector, model):
            progress.embedded += 1
        else:
            progress.overtaken += 1


def _written(row: EpisodeSummary, vector: Vector, model: str) -> bool:
    embedded = Embedded(json_vector(vector), model)
    return EpisodeSummary.objects.embed_again(row.pk, embedded, seen_summary=row.summary)

"""Units for the episodes that have none, or those of another embedder: after the mode was switched on, or a change."""

from collections.abc import Iterator

from django.db.models import Q, QuerySet

from memory import events
from memory.llm import embedder_model
from memory.models import AuditRow, EpisodeSummary
from memory.units import making, steps
from memory.units.packing import units_of
from memory.units.windows import ChatWindows

_BATCH = 50


def waiting(length: int) -> QuerySet[EpisodeSummary]:
    """The episodes without units of the embedder in use, newest first. `length` of its vectors, 0 where nobody knows.

    Chats that were too trivial for a summary are among them, those that the operator deleted are not,
    unless they were brought back.
    """
    rows = AuditRow.objects.get_queryset()
    trivial = rows.of_type(events.EpisodeSkipped).filter(payload__reason="trivial").values("chat")
    deleted = rows.chats_last_marked(events.EpisodeUserDeleted, or_by=[events.EpisodeUserRestored]).values("pk")
    has_content = Q(summary__gt="") | Q(audit_log__in=trivial) & ~Q(audit_log__in=deleted)
    is_current = Q(units__model=embedder_model())
    if length:
        is_current &= Q(units__dimensions__in=[0, length])
    return EpisodeSummary.objects.filter(has_content).exclude(is_current).order_by("-created_at", "-id")


def run(length: int) -> Iterator[int]:
    """Make the units of each; yields how many were dealt with, batch by batch. Raises `LLMError`.

    Each row is written by itself, so that a run that was interrupted is continued by the next.
    """
    ids = list(waiting(length).values_list("pk", flat=True))
    for start in range(0, len(ids), _BATCH):
        done = ids[start : start + _BATCH]
        for episode in EpisodeSummary.objects.filter(pk__in=done).select_related("audit_log"):
            _make(episode)
        yield len(done)


def _make(episode: EpisodeSummary) -> None:
    chat = episode.audit_log
    windows = making.windows_of(steps.last_answer(chat))
    made = making.make(chat, windows) or units_of(
        ChatWindows((), 0, ()), conversation=chat.pk, model=embedder_model(), vectors=None
    )
    EpisodeSummary.objects.put_units(episode, made)

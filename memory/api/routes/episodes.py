"""Episodes: what past chats were about, newest first; their deletion in the operator's name, and its undo."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import UTC, datetime, timedelta
from typing import Annotated, NamedTuple

from django.db.models import Q, QuerySet
from ninja import Path, Query, Router
from pydantic import BaseModel, ConfigDict, Field

from memory import events
from memory.api.auth import ApiRequest, BearerKey
from memory.api.errors import ApiError, invalid
from memory.api.requests import RowId
from memory.api.responses import DeletedEpisode, Episode, EpisodePage, answers
from memory.models import AuditRow, EpisodeGone, EpisodeSummary

router = Router(tags=["Episodes"], auth=BearerKey("read"))

_CURSOR = re.compile(rb"episodes:(-?\d{1,18}):(\d{1,18})")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_COLUMNS = ("audit_log_id", "summary", "model", "created_at", "last_recalled_at", "recall_count")


class EpisodesQuery(BaseModel):
    """A stretch of the episodes."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    before: str | None = None
    """The `next` of the page before this one."""
    limit: Annotated[int, Field(ge=1, le=500)] = 50
    empty: bool = False
    """Also the empty ones: chats that were not worth a summary, and deleted episodes."""


class Place(NamedTuple):
    """Where a page begins: after the episode of this moment and id."""

    created_at: datetime
    id: int


@router.get("/memory/episodes", response=answers(200, EpisodePage), summary="Episodes, newest first")
def index(request: ApiRequest, query: Query[EpisodesQuery]) -> EpisodePage:
    """What past chats were about, by the time they took place: as quick at its end as at its start."""
    place = None if query.before is None else _place(query.before)
    found = list(newest(place, with_empty=query.empty)[: query.limit + 1])
    page = found[: query.limit]
    return EpisodePage(
        data=[Episode.of(row) for row in page], next=_cursor(page[-1]) if len(found) > len(page) else None
    )


@router.delete(
    "/memory/episodes/{audit_log_id}",
    auth=BearerKey("manage"),
    response=answers(200, DeletedEpisode, 404),
    summary="Delete an episode",
)
def delete(request: ApiRequest, audit_log_id: Path[RowId]) -> DeletedEpisode:
    """Deletes the episode of the chat `audit_log_id`. It is not recalled any more, nor is its chat summed up again.

    Until the sweep takes the chat, `restore` takes it back.
    """
    episode = newest(None, with_empty=False).filter(audit_log_id=audit_log_id).first()
    deletion = episode.forget(now=request.auth.now) if episode else None
    if deletion is None:
        message = f"Chat {audit_log_id} has no episode. GET /v1/memory/episodes lists them all."
        raise ApiError(404, message, code="not_found", param="audit_log_id")
    return DeletedEpisode(audit_log_id=audit_log_id, deletion_id=deletion.pk)


@router.post(
    "/memory/episodes/{audit_log_id}/restore",
    auth=BearerKey("manage"),
    response=answers(200, Episode, 404),
    summary="Take the deletion of an episode back",
)
def restore(request: ApiRequest, audit_log_id: Path[RowId]) -> Episode:
    """Brings the deleted episode of the chat `audit_log_id` back as it was. One that is back already stays so."""
    deletions = AuditRow.objects.get_queryset().of_type(events.EpisodeUserDeleted).filter(chat=audit_log_id)
    deletion = deletions.order_by("-id").first()
    if deletion is None:
        raise ApiError(404, f"No episode of chat {audit_log_id} was deleted.", code="not_found", param="audit_log_id")
    try:
        return Episode.of(EpisodeSummary.objects.restore(deletion, now=request.auth.now))
    except EpisodeGone as gone:
        raise ApiError(404, str(gone), code="not_found", param="audit_log_id") from gone


def newest(place: Place | None, *, with_empty: bool) -> QuerySet[EpisodeSummary]:
    """The episodes after a place in the order of the pages, without their vectors."""
    rows = EpisodeSummary.objects.only(*_COLUMNS).order_by("-created_at", "-id")
    if place is not None:  # the first condition alone is what an index can look for
        rows = rows.filter(Q(created_at__lt=place.created_at) | Q(id__lt=place.id), created_at__lte=place.created_at)
    return rows if with_empty else rows.exclude(summary="")


def _cursor(row: EpisodeSummary) -> str:
    return urlsafe_b64encode(b"episodes:%d:%d" % ((row.created_at - _EPOCH) // _MICROSECOND, row.pk)).decode()


def _place(cursor: str) -> Place:
    """The place a cursor stands for. Raises the 422 for one that was not made here."""
    try:
        match = _CURSOR.fullmatch(urlsafe_b64decode(cursor))
        if match is not None:
            return Place(_EPOCH + int(match[1]) * _MICROSECOND, int(match[2]))
    except (ValueError, OverflowError):
        pass
    raise invalid("before must be the next of an earlier answer, unchanged.", param="before")

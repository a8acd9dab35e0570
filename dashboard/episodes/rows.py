"""Reads the episodes that recall can bring back: those that match a query, a page at a time, and how many there are.

No vector is read, and no chat. A page is found by an index, however many episodes there are.
"""

from dataclasses import dataclass
from datetime import datetime, time, timedelta

from django.conf import settings
from django.db.models import Count, Q, QuerySet, Sum

from dashboard.episodes.query_parameters import EpisodesQuery
from memory import events
from memory.models import AuditRow, EpisodeSummary
from memory.recall.recallable import recallable, recalls_by_content

PAGE_SIZE = 50
ONE_DAY = timedelta(days=1)
MAX_FOUND = 500
"""Of a search the newest so many are looked at."""

_COLUMNS = ("audit_log_id", "summary", "model", "created_at", "last_recalled_at", "recall_count")
_ORDERS = {"most": ("-recall_count", "-created_at", "-id")}
_BY_AGE = ("-created_at", "-id")
_SUMMED_UP = (events.EpisodeSummarised, events.EpisodeReplaced)


@dataclass(frozen=True)
class EpisodeCounts:
    """How many episodes there are, how often they were recalled, how many never were or have no summary (`quoted`)."""

    total: int = 0
    recalls: int = 0
    never: int = 0
    quoted: int = 0


def read_counts() -> EpisodeCounts:
    """The numbers of the page. One query, which reads an index alone."""
    counted = recallable().aggregate(
        total=Count("pk"),
        recalls=Sum("recall_count", default=0),
        never=Count("pk", filter=Q(recall_count=0)),
        quoted=Count("pk", filter=Q(model="")),
    )
    return EpisodeCounts(**counted)


def most_recalled() -> EpisodeSummary | None:
    """The episode that was recalled most often; None where none was."""
    return recallable().filter(recall_count__gt=0).order_by(*_ORDERS["most"]).first()


def oldest_since(moment: datetime) -> datetime | None:
    """When the oldest of the episodes took place that are no older than that; None where there is none."""
    rows = recallable().filter(created_at__gte=moment).order_by("created_at", "id")
    return rows.values_list("created_at", flat=True).first()


def is_any_before(moment: datetime) -> bool:
    """Whether there are older episodes."""
    return recallable().filter(created_at__lt=moment).order_by().exists()


def matching(query: EpisodesQuery) -> QuerySet[EpisodeSummary]:
    """The episodes that match the query, in its order. A search asks at most three queries first."""
    rows = recallable().order_by(*_ORDERS.get(query.order, _BY_AGE))
    if query.order == "never":
        rows = rows.filter(recall_count=0)
    elif query.order == "quoted":
        rows = rows.filter(model="")
    if query.day:
        begins, ends = (
            datetime.combine(day, time.min, settings.CAESAR.zone) for day in (query.day, query.day + ONE_DAY)
        )
        rows = rows.filter(created_at__gte=begins, created_at__lt=ends)
    return rows.filter(_is_found(query.search)) if query.search else rows


def read_page(query: EpisodesQuery) -> tuple[list[EpisodeSummary], int | None]:
    """One page of the matching episodes, and the chat after which the next one begins; None on the last page."""
    rows = matching(query)
    place = EpisodeSummary.objects.only(*_COLUMNS).filter(audit_log=query.before).first() if query.before else None
    if place is not None:
        rows = rows.filter(comes_after(place, by_recalls=query.order == "most"))
    found = list(rows[: PAGE_SIZE + 1])
    page = found[:PAGE_SIZE]
    return page, page[-1].audit_log_id if len(found) > PAGE_SIZE else None


def comes_after(place: EpisodeSummary, *, by_recalls: bool) -> Q:
    """Which rows come after this one. The first condition of each is what an index can look for."""
    by_age = Q(created_at__lte=place.created_at) & (Q(created_at__lt=place.created_at) | Q(id__lt=place.pk))
    if not by_recalls:
        return by_age
    return Q(recall_count__lte=place.recall_count) & (Q(recall_count__lt=place.recall_count) | by_age)


def _is_found(search: str) -> Q:
    """Whose summary has the words, by the timeline's index; without a summary, whose chat has them."""
    told = Q(audit_log__in=chats_with(search, _SUMMED_UP))
    if not recalls_by_content():
        return told
    return told | Q(model="", audit_log__in=chats_with(search, (events.ChatCompleted,)))


def chats_with(search: str, kinds: tuple[type[events.Event], ...]) -> set[int]:
    """The first row of each turn that a row of these kinds with the words is about. At most two queries."""
    rows = AuditRow.objects.get_queryset().search(search).of_type(*kinds)
    found = rows.only("event_type", "chat_id").page(limit=MAX_FOUND).rows
    own = {row.chat_id or row.pk for row in found if row.event_type != events.EpisodeReplaced.name}
    later = [row.chat_id for row in found if row.chat_id and row.event_type == events.EpisodeReplaced.name]
    begun_by = AuditRow.objects.filter(pk__in=later).values_list("chat_id", flat=True) if later else ()
    return own | {pk for pk in begun_by if pk is not None}

"""What the episodes page shows: the calendar, the numbers, and a line for each episode of a page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from pydantic import ValidationError

from dashboard.episodes import rows
from dashboard.episodes.calendar import EpisodeCalendar, read_calendar
from dashboard.episodes.query_parameters import EpisodesQuery, Order
from dashboard.episodes.rows import EpisodeCounts
from dashboard.episodes.sparklines import Sparkline, read_sparklines
from dashboard.shared.highlights import TextSegment, search_snippet
from memory.models import AuditRow, EpisodeSummary
from memory.recall.hybrid import quotation
from memory.recall.recallable import recalls_by_content
from memory.text.lines import one_line

_ORDER_WORDS: Mapping[Order, str] = {
    "newest": "newest",
    "most": "most recalled",
    "never": "never recalled",
    "quoted": "without a summary",
}


@dataclass(frozen=True)
class EpisodeLine:
    """One episode. `words`: its summary, or what recall would quote of its chat (`is_quoted`), with what was searched
    for marked. `is_too_old`: out of the window by now."""

    episode: EpisodeSummary
    words: Sequence[TextSegment]
    is_quoted: bool
    is_too_old: bool
    is_of_this_year: bool
    sparkline: Sparkline | None

    @property
    def when(self) -> str:
        """Its day, for the names of its buttons: "28 October"."""
        local = self.episode.created_at.astimezone(settings.CAESAR.zone)
        return f"{local.day} {local:%B}" + ("" if self.is_of_this_year else f" {local.year}")

    @property
    def short_day(self) -> str:
        """Its day in short: "28 Oct", with the year where it is another one."""
        local = self.episode.created_at.astimezone(settings.CAESAR.zone)
        return f"{local.day} {local:%b}" + ("" if self.is_of_this_year else f" {local.year}")


@dataclass(frozen=True)
class OrderChip:
    """One way to list the episodes. `count`: how many it lists; None where that is all of them."""

    name: Order
    words: str
    count: int | None
    is_chosen: bool


@dataclass(frozen=True)
class EpisodePage:
    """The list. `found`: how many match a search or a day; None where nothing is filtered."""

    query: EpisodesQuery
    lines: Sequence[EpisodeLine]
    next_before: int | None
    counts: EpisodeCounts
    found: int | None

    @property
    def chips(self) -> Sequence[OrderChip]:
        """The ways to list them."""
        counts: dict[Order, int] = {"never": self.counts.never, "quoted": self.counts.quoted}
        shown = [name for name in _ORDER_WORDS if name != "quoted" or (recalls_by_content() and self.counts.quoted)]
        return [OrderChip(name, _ORDER_WORDS[name], counts.get(name), name == self.query.order) for name in shown]

    @property
    def order_words(self) -> str:
        """How they are listed, in words."""
        return _ORDER_WORDS[self.query.order]


@dataclass(frozen=True)
class Overview:
    """What stands above the list. `leaves_on`: when the oldest of the window leaves it; None where there is none."""

    calendar: EpisodeCalendar
    most: EpisodeSummary | None
    leaves_on: datetime | None
    window_days: int | None
    has_earlier: bool


def read_overview(query: EpisodesQuery, *, now: datetime) -> Overview:
    """The calendar and what is said beside it. At most four queries."""
    calendar = read_calendar(query, now=now)
    days = None if recalls_by_content() else settings.CAESAR.memory.episodes_recall.max_age_days
    oldest = rows.oldest_since(now - timedelta(days=days)) if days else None
    return Overview(
        calendar=calendar,
        most=rows.most_recalled(),
        leaves_on=oldest + timedelta(days=days) if oldest and days else None,
        window_days=days,
        has_earlier=rows.is_any_before(calendar.starts),
    )


def read_list(query: EpisodesQuery, *, now: datetime) -> EpisodePage:
    """The page of the list that the query asks for. At most four queries, with a search seven more."""
    page, next_before = rows.read_page(query)
    found = rows.matching(query.on_first_page()).count() if query.is_filtered else None
    return EpisodePage(query, _lines(page, query, now), next_before, rows.read_counts(), found)


def _lines(page: Sequence[EpisodeSummary], query: EpisodesQuery, now: datetime) -> list[EpisodeLine]:
    quoted = _quotations([row.audit_log_id for row in page if not row.summary])
    sparklines = read_sparklines(page, now=now)
    today = settings.CAESAR.day_of(now)
    oldest = None if recalls_by_content() else now - timedelta(days=settings.CAESAR.memory.episodes_recall.max_age_days)
    return [
        EpisodeLine(
            row,
            words=_marked(one_line(row.summary or quoted.get(row.audit_log_id, "")), query.search),
            is_quoted=not row.summary,
            is_too_old=oldest is not None and row.created_at < oldest,
            is_of_this_year=settings.CAESAR.day_of(row.created_at).year == today.year,
            sparkline=sparklines.get(row.audit_log_id),
        )
        for row in page
    ]


def _marked(text: str, search: str) -> Sequence[TextSegment]:
    """The whole text, with the words of a search marked."""
    return search_snippet(text, search, max_chars=len(text)) or [TextSegment(text)]


def _quotations(chat_ids: Sequence[int]) -> Mapping[int, str]:
    """{chat: what recall would quote of it}. One query; none where every episode has a summary."""
    quoted = {}
    for row in AuditRow.objects.filter(pk__in=chat_ids) if chat_ids else ():
        try:
            quoted[row.pk] = quotation.opening(row.completed)
        except ValidationError:  # a row that no verb of ours wrote
            continue
    return quoted

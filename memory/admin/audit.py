"""The audit log in Django's admin: read-only."""

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django.contrib import admin
from django.db.models import Max, Min, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from memory import events
from memory.admin.base import ReadOnly, chat_link, do_each
from memory.models import AuditQuerySet, AuditRow, undo
from memory.text import normalising
from memory.text.messages import identifiers


class EventFilter(admin.SimpleListFilter):
    """Filter by event. The names come from the code: reading them from a large log would scan all of it."""

    title = "event"
    parameter_name = "event"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Every event and its label."""
        return [(name, event.label) for name, event in events.EVENTS.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[AuditRow]) -> QuerySet[AuditRow]:
        """The rows of one event."""
        return queryset.filter(event_type=self.value()) if self.value() else queryset


class CalendarQuerySet(AuditQuerySet):
    """Tells the date hierarchy which years, months or days have rows, by one index look-up for each.

    Django's own way truncates the time of every row: 3 s for a million rows on SQLite.
    """

    def datetimes(self, field_name: str, kind: str, *args: Any, **kwargs: Any) -> list[datetime]:  # type: ignore[override]
        """The start of each period that has rows, oldest first; `kind` is year, month or day."""
        bounds = self.aggregate(first=Min(field_name), last=Max(field_name))
        if bounds["first"] is None:
            return []
        first, last = timezone.localtime(bounds["first"]), timezone.localtime(bounds["last"])
        rows = self.order_by()
        return [
            start
            for start, end in _periods(first, last, kind)
            if rows.filter(**{f"{field_name}__gte": start, f"{field_name}__lt": end}).exists()
        ]


def _periods(first: datetime, last: datetime, kind: str) -> Iterator[tuple[datetime, datetime]]:
    """Start and end of each year, month or day from `first` to `last`, in their own time zone."""
    start = _start_of(first, kind)
    while start <= last:
        longer = {"year": timedelta(days=370), "month": timedelta(days=32), "day": timedelta(hours=36)}[kind]
        end = _start_of(start + longer, kind)
        yield start, end
        start = end


def _start_of(moment: datetime, kind: str) -> datetime:
    day = 1 if kind in ("year", "month") else moment.day
    month = 1 if kind == "year" else moment.month
    return moment.replace(month=month, day=day, hour=0, minute=0, second=0, microsecond=0, fold=0)


@admin.register(AuditRow)
class AuditRowAdmin(ReadOnly[AuditRow]):
    """The append-only log. Every page reads by an index, so that a million rows are no slower than a thousand."""

    list_display = ("id", "ts", "label", "fact_key", "chat_number", "decision_id")
    list_display_links = ("id", "ts")
    list_filter = (EventFilter, "ts")
    search_fields = ("fact_key",)
    search_help_text = "A fact's key, a decision's or conversation's id, or a chat's number, whole."
    date_hierarchy = "ts"
    sortable_by = ("id", "ts")
    show_full_result_count = False
    list_per_page = 50
    fields = (
        "ts",
        "event_type",
        "fact_key",
        "chat_number",
        "decision_id",
        "conversation_id",
        "fingerprint",
        "payload_text",
    )
    readonly_fields = fields
    actions = ("undo",)

    def has_operate_permission(self, request: HttpRequest) -> bool:
        """Whether the user may change facts."""
        return bool(request.user.has_perm("memory.change_personalfact"))

    @admin.action(description="Undo: take back what was done to facts", permissions=["operate"])
    def undo(self, request: HttpRequest, queryset: QuerySet[AuditRow]) -> None:
        """Take these changes back, the newest first, with one audit row each."""
        do_each(self, request, queryset.order_by("-id"), lambda row: undo(row, now=timezone.now()), "undone")

    def view_on_site(self, obj: AuditRow) -> str:
        """Its page on the dashboard."""
        return reverse("event", args=[obj.pk])

    def get_queryset(self, request: HttpRequest) -> CalendarQuerySet:
        """All rows."""
        return CalendarQuerySet(AuditRow)

    def get_ordering(self, request: HttpRequest) -> tuple[str, ...]:
        """Newest first, by the index that finds the rows: within a period of time that is the one on `ts`."""
        by_time = any(name.startswith("ts__") for name in request.GET)
        return ("-ts", "-id") if by_time else ("-id",)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[AuditRow], search_term: str
    ) -> tuple[QuerySet[AuditRow], bool]:
        """Rows about a key, of a decision, a conversation or a chat; each by its index, so the word must be whole."""
        word = search_term.strip()
        if not word:
            return queryset, False
        wanted = Q(fact_key__in={word, _normal_or_same(word)}) | Q(decision_id=word)
        if conversation := identifiers.normal_conversation_id(word):
            wanted |= Q(conversation_id=conversation)
        number = word.removeprefix("#")
        if number.isdecimal() and len(number) < 19:
            wanted |= Q(pk=int(number)) | Q(chat_id=int(number))
        return queryset.filter(wanted), False

    @admin.display(description="chat", ordering="chat_id")
    def chat_number(self, row: AuditRow) -> str:
        """The chat it belongs to."""
        return chat_link(row.chat_id)

    @admin.display(description="payload")
    def payload_text(self, row: AuditRow) -> SafeString:
        """The payload, indented."""
        return format_html("<pre>{}</pre>", json.dumps(row.payload, indent=2, ensure_ascii=False))


def _normal_or_same(key: str) -> str:
    try:
        return normalising.normal_key(key)
    except normalising.TextRefused:
        return key

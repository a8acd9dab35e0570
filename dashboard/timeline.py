"""The audit log as the operator reads it: newest first, by day, all of it or one family of events."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby

from django.conf import settings

from dashboard.entries import Entry, entries
from memory import events
from memory.models import AuditRow

PAGE_SIZE = 50


@dataclass(frozen=True)
class Family:
    """A choice of events: one chip above the timeline. Without kinds: everything."""

    name: str
    label: str
    kinds: tuple[type[events.Event], ...]


FAMILIES = (
    Family("", "everything", ()),
    Family("chats", "chats", (events.ChatCompleted, events.ChatFailed)),
    Family(
        "facts",
        "facts",
        (
            events.FactAdded,
            events.FactUpdated,
            events.FactConfirmed,
            events.FactUserEdited,
            events.FactUserAdded,
            events.FactUserDeleted,
        ),
    ),
    Family(
        "episodes",
        "episodes",
        (
            events.EpisodeSummarised,
            events.EpisodeSkipped,
            events.EpisodeFailed,
            events.EpisodeRecalled,
            events.EpisodeUserDeleted,
        ),
    ),
    Family("served", "memory served", (events.ContextServed,)),
    Family(
        "failures",
        "failures",
        (
            events.ChatFailed,
            events.ExtractFailed,
            events.ExtractAbandoned,
            events.ExtractRecovered,
            events.EpisodeFailed,
        ),
    ),
)


@dataclass(frozen=True)
class Day:
    """The entries of one day in the operator's zone, newest first."""

    words: str
    entries: Sequence[Entry]


@dataclass(frozen=True)
class Timeline:
    """A stretch of the log, and the id to continue before."""

    days: Sequence[Day]
    next_before: int | None


def family(name: str) -> Family:
    """The family with this name; everything where there is none."""
    return next((known for known in FAMILIES if known.name == name), FAMILIES[0])


def read_timeline(chosen: Family, *, fact_key: str, before: int | None, now: datetime) -> Timeline:
    """A page of the log, newest first. Three queries, however long the log is."""
    rows = AuditRow.objects.get_queryset()
    if chosen.kinds:
        rows = rows.of_type(*chosen.kinds)
    if fact_key:
        rows = rows.filter(fact_key=fact_key)
    page = rows.page(before=before, limit=PAGE_SIZE)
    return Timeline(_by_day(entries(page.rows), now), page.next_before)


def _by_day(read: Sequence[Entry], now: datetime) -> list[Day]:
    zone = settings.CAESAR.zone
    today = now.astimezone(zone).date()
    days = groupby(read, key=lambda entry: entry.row.ts.astimezone(zone).date())
    return [Day(_day_words(when, today), list(of_day)) for when, of_day in days]


def _day_words(when: date, today: date) -> str:
    return f"{when:%A} {when.day} {when:%B}" + (f" {when.year}" if when.year != today.year else "")

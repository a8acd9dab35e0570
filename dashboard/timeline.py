"""The audit log as the operator reads it: entries with what their sentence needs, by day. Nothing here ever fails
on an old or foreign row: what does not parse is an entry without an event."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby

from django.conf import settings
from pydantic import ValidationError

from memory import events, transcript, wording
from memory.lines import one_line, shorten
from memory.models import AuditRow

PAGE_SIZE = 50
_PREVIEW_CHARS = 110

_Told = events.FactAdded | events.FactConfirmed | events.FactUserAdded | events.FactUserDeleted

_GIVEN_UP = {
    "bad_answer": "the model's answers could not be used",
    "unreadable": "its row could not be read",
    "worker_died": "the worker died on it each time",
    "fault_of_this_chat": "other chats could be read meanwhile",
    "skipped": "you skipped it",
}


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
    Family("served", "memory served", (events.ContextServed,)),
    Family(
        "failures",
        "failures",
        (events.ChatFailed, events.ExtractFailed, events.ExtractAbandoned, events.ExtractRecovered),
    ),
)


@dataclass(frozen=True)
class Entry:
    """One row and what its sentence needs. `event` is None where the row does not parse."""

    row: AuditRow
    event: events.Event | None
    receipt: events.ContextServed | None = None
    """Of a chat: what its turn was given."""
    served_chat_id: int | None = None
    """Of a receipt: the chat of its turn."""

    @property
    def kind(self) -> str:
        """The event's class, by which the template chooses the sentence."""
        return type(self.event).__name__ if self.event else ""

    @property
    def sentence(self) -> str:
        """The fact an event is about, as a prompt says it; "" where an event is not about one value."""
        return wording.sentence(self.event.key, self.event.value) if isinstance(self.event, _Told) else ""

    @property
    def preview(self) -> str:
        """The beginning of what the operator said last in a chat."""
        if not isinstance(self.event, events.ChatCompleted):
            return ""
        return shorten(one_line(transcript.last_operator_text(self.event.messages)), _PREVIEW_CHARS)

    @property
    def problem(self) -> str:
        """What went wrong, short enough for one row."""
        error = getattr(self.event, "error", "")
        return shorten(one_line(error), 2 * _PREVIEW_CHARS)

    @property
    def given_up_because(self) -> str:
        """Why a chat was given up, in words."""
        return _GIVEN_UP.get(self.event.reason, "") if isinstance(self.event, events.ExtractAbandoned) else ""


@dataclass(frozen=True)
class Day:
    """The entries of one day in the operator's zone, newest first."""

    date: date
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


def entries(rows: Sequence[AuditRow]) -> list[Entry]:
    """The rows with what their sentences need. At most two queries: the receipts of chats, the chats of receipts."""
    read = [(row, readable(row)) for row in rows]
    receipts = receipts_of([row for row, event in read if isinstance(event, events.ChatCompleted)])
    chats = _chats_of([row for row, event in read if isinstance(event, events.ContextServed)])
    return [
        Entry(
            row,
            event,
            receipt=receipts.get(row.decision_id) if isinstance(event, events.ChatCompleted) else None,
            served_chat_id=chats.get(row.decision_id) if isinstance(event, events.ContextServed) else None,
        )
        for row, event in read
    ]


def readable(row: AuditRow) -> events.Event | None:
    """The row's typed payload, or None where no version of ours wrote it."""
    try:
        return row.event
    except (KeyError, ValidationError):
        return None


def receipts_of(chats: Iterable[AuditRow]) -> Mapping[str | None, events.ContextServed]:
    """{decision id: the receipt of that turn}. One query, none without chats that have an id."""
    decisions = [chat.decision_id for chat in chats if chat.decision_id]
    rows = AuditRow.objects.get_queryset().of_type(events.ContextServed).filter(decision_id__in=decisions)
    read = [(row.decision_id, readable(row)) for row in rows] if decisions else []
    return {decision: event for decision, event in read if isinstance(event, events.ContextServed)}


def _chats_of(receipts: Iterable[AuditRow]) -> Mapping[str | None, int]:
    decisions = [row.decision_id for row in receipts if row.decision_id]
    chats = AuditRow.objects.get_queryset().chats().filter(decision_id__in=decisions)
    return dict(chats.values_list("decision_id", "id")) if decisions else {}


def _by_day(read: Sequence[Entry], now: datetime) -> list[Day]:
    zone = settings.CAESAR.zone
    today = now.astimezone(zone).date()
    days = groupby(read, key=lambda entry: entry.row.ts.astimezone(zone).date())
    return [Day(when, _day_words(when, today), list(of_day)) for when, of_day in days]


def _day_words(when: date, today: date) -> str:
    return f"{when:%A} {when.day} {when:%B}" + (f" {when.year}" if when.year != today.year else "")

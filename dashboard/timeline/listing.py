"""The audit log as the operator reads it: newest first, by day, the rows of one turn together, all or a choice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import groupby, takewhile

from django.conf import settings
from django.db.models import Max, Min
from django.http import QueryDict

from dashboard.chats.turns import rows_of
from dashboard.shared.entries import Entry, entries
from memory import events
from memory.models import AuditQuerySet, AuditRow
from memory.text import normalising
from memory.text.lines import encodable, one_line

PAGE_SIZE = 50
NEWS_COUNTED = 100
MAX_SEARCH_CHARS = 200


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
            events.ExtractShortened,
            events.ExtractAsked,
            events.EpisodeFailed,
            events.EpisodeAsked,
        ),
    ),
    Family("passed", "passed through", (events.ChatPassedThrough,)),
    Family(
        "switches",
        "keys and switches",
        (events.KeyCreated, events.KeyRevoked, events.LearningPaused, events.LearningResumed),
    ),
)

_FACTS = FAMILIES[2]


@dataclass(frozen=True)
class Choice:
    """What of the log is shown. `kind` is a name of an event, `day` one in the operator's zone, `conversation` a
    client's name for one."""

    family: Family = FAMILIES[0]
    kind: str = ""
    fact_key: str = ""
    conversation: str = ""
    day: date | None = None
    search: str = ""
    before: int | None = None

    @classmethod
    def of(cls, query: QueryDict) -> "Choice":
        """The choice an address names; what is missing or unreadable there chooses nothing."""
        kind = query.get("type", "")
        kind = kind if kind in events.EVENTS else ""
        before = query.get("before", "")
        return cls(
            family=_family(query.get("family", ""), kind),
            kind=kind,
            fact_key=_readable(query, "fact"),
            conversation=normalising.normal_conversation_id(_readable(query, "conversation")) or "",
            day=_day(query.get("day", "")),
            search=one_line(_readable(query, "q"))[:MAX_SEARCH_CHARS].strip(),
            before=int(before) if before.isascii() and before.isdigit() and len(before) <= 18 else None,
        )

    @property
    def parameters(self) -> Mapping[str, object]:
        """What an address carries on, but for the page."""
        return {
            "family": self.family.name or None,
            "type": self.kind or None,
            "fact": self.fact_key or None,
            "conversation": self.conversation or None,
            "day": self.day.isoformat() if self.day else None,
            "q": self.search or None,
        }

    @property
    def is_narrowed(self) -> bool:
        """Whether rows may be hidden."""
        return any(self.parameters.values())

    @property
    def kinds(self) -> Sequence[tuple[str, str]]:
        """Name and label of each event of the chosen family; of a fact's history, of those about facts."""
        kinds = _FACTS.kinds if self.fact_key else self.family.kinds
        return [(kind.name, kind.label) for kind in kinds]

    @property
    def leaves_receipts_out(self) -> bool:
        """A search for a fact would find every prompt it was put into: receipts are searched only where chosen."""
        return bool(self.search and not self.family.name and not self.kind)

    @property
    def day_words(self) -> str:
        """The chosen day: "Thursday 21 May 2026"."""
        return f"{self.day:%A} {self.day.day} {self.day:%B %Y}" if self.day else ""

    @property
    def rows(self) -> AuditQuerySet:
        """The rows chosen, of whatever day."""
        rows = AuditRow.objects.get_queryset().search(self.search)
        if self.kind:
            rows = rows.filter(event_type=self.kind)
        elif self.family.kinds:
            rows = rows.of_type(*self.family.kinds)
        elif self.leaves_receipts_out:
            rows = rows.exclude(event_type=events.ContextServed.name)
        rows = rows.filter(fact_key=self.fact_key) if self.fact_key else rows
        return rows_of(rows, self.conversation) if self.conversation else rows


@dataclass(frozen=True)
class Line:
    """One row. `goes_on`: it belongs to the same turn as the row above; `is_turn`: so does the row below."""

    entry: Entry
    goes_on: bool
    is_turn: bool


@dataclass(frozen=True)
class Day:
    """The rows of one day in the operator's zone, newest first."""

    date: date
    words: str
    lines: Sequence[Line]


@dataclass(frozen=True)
class Timeline:
    """A stretch of the log, the id to continue before, the newest id in it, and the days around the chosen one.

    `is_open`: rows may still come at its top, which is not so on an older page, nor on a day that is over.
    """

    days: Sequence[Day]
    next_before: int | None
    newest: int
    is_open: bool
    day_before: date | None = None
    day_after: date | None = None

    @property
    def count(self) -> int:
        """How many rows it shows."""
        return sum(len(day.lines) for day in self.days)


def read_timeline(choice: Choice, *, now: datetime) -> Timeline:
    """A page of the log, newest first: at most nine queries, however long the log is.

    A turn is not torn by the end of a page where it fits on the next one.
    """
    span = _Span.of(choice.day) if choice.day else None
    rows, next_before = _page(choice, span)
    days = _by_day(entries(rows, search=choice.search), now)
    return Timeline(
        days,
        next_before,
        newest=rows[0].pk if rows else 0,
        is_open=choice.before is None and (choice.day is None or choice.day >= _local_day(now)),
        day_before=span.day_before() if span else None,
        day_after=span.day_after() if span else None,
    )


def count_news(choice: Choice, *, after: int) -> int:
    """How many rows of this choice came after that row; no more than `NEWS_COUNTED` are counted."""
    newest = choice.rows.page(limit=NEWS_COUNTED).rows
    return sum(1 for _ in takewhile(lambda row: row.pk > after, newest))


@dataclass(frozen=True)
class _Span:
    """A day in the operator's zone, from `start` until before `end`."""

    start: datetime
    end: datetime

    @classmethod
    def of(cls, day: date) -> "_Span":
        zone = settings.CAESAR.zone
        midnights = [datetime.combine(each, time.min, tzinfo=zone) for each in (day, day + timedelta(days=1))]
        return cls(*midnights)

    def ids(self) -> tuple[int, int] | None:
        """The lowest and the highest id of the day: rows are read by id, of a day with very many rows too."""
        rows = AuditRow.objects.filter(ts__gte=self.start, ts__lt=self.end)
        ends = rows.aggregate(first=Min("pk"), last=Max("pk"))
        return None if ends["first"] is None else (ends["first"], ends["last"])

    def day_before(self) -> date | None:
        """The nearest earlier day on which anything was written."""
        moment = AuditRow.objects.filter(ts__lt=self.start).aggregate(at=Max("ts"))["at"]
        return None if moment is None else _local_day(moment)

    def day_after(self) -> date | None:
        """The nearest later day on which anything was written."""
        moment = AuditRow.objects.filter(ts__gte=self.end).aggregate(at=Min("ts"))["at"]
        return None if moment is None else _local_day(moment)


def _page(choice: Choice, span: _Span | None) -> tuple[list[AuditRow], int | None]:
    rows, before = choice.rows, choice.before
    if span is not None:
        ids = span.ids()
        if ids is None:
            return [], None
        first, last = ids
        before = last + 1 if before is None else min(before, last + 1)
        rows = rows.filter(pk__gte=first, ts__gte=span.start, ts__lt=span.end)
    found = rows.page(before=before, limit=PAGE_SIZE + 1).rows
    if len(found) <= PAGE_SIZE:
        return found, None
    shown, following = found[:PAGE_SIZE], found[PAGE_SIZE]
    while following.decision_id and shown and shown[-1].decision_id == following.decision_id:
        shown.pop()
    shown = shown or found[:PAGE_SIZE]
    return shown, shown[-1].pk


def _by_day(read: Sequence[Entry], now: datetime) -> list[Day]:
    today = _local_day(now)
    days = groupby(read, key=lambda entry: _local_day(entry.row.ts))
    return [Day(when, _day_words(when, today), _lines(list(of_day))) for when, of_day in days]


def _lines(of_day: Sequence[Entry]) -> list[Line]:
    """The rows of a day, those of one turn together where the newest of them stands, its recalls as in its prompt."""
    turns: dict[str, list[Entry]] = {}
    for entry in of_day:
        turns.setdefault(entry.row.decision_id or f"row {entry.row.pk}", []).append(entry)
    lines: list[Line] = []
    for turn in turns.values():
        recalls = [entry for entry in reversed(turn) if isinstance(entry.event, events.EpisodeRecalled)]
        ordered = [*(entry for entry in turn if not isinstance(entry.event, events.EpisodeRecalled)), *recalls]
        lines += [Line(entry, goes_on=place > 0, is_turn=place < len(turn) - 1) for place, entry in enumerate(ordered)]
    return lines


def _local_day(moment: datetime) -> date:
    return moment.astimezone(settings.CAESAR.zone).date()


def _day_words(when: date, today: date) -> str:
    return f"{when:%A} {when.day} {when:%B}" + (f" {when.year}" if when.year != today.year else "")


def _family(name: str, kind: str) -> Family:
    """The family with this name; that of an event chosen without one; everything where there is none."""
    named = next((known for known in FAMILIES if known.name == name), FAMILIES[0])
    if not kind or any(each.name == kind for each in named.kinds):
        return named
    return next((known for known in FAMILIES if any(each.name == kind for each in known.kinds)), FAMILIES[0])


def _day(written: str) -> date | None:
    try:
        day = date.fromisoformat(written)
    except ValueError:
        return None
    return day if 1971 <= day.year <= 9000 else None  # what every zone and database can count with


def _readable(query: QueryDict, name: str) -> str:
    return encodable(query.get(name, ""))

"""The days a timeline is narrowed to: from one day to another in the operator's zone, and the rows written in them."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.conf import settings
from django.db.models import Max, Min
from django.http import QueryDict

from dashboard.shared.query_parameters import text_parameter
from memory.models import AuditQuerySet, AuditRow

YEARS = range(1971, 9001)
"""Those that every time zone and every database can handle."""
MOST_LOOKED_AT = 10_000


@dataclass(frozen=True)
class Dates:
    """The first and the last day, both included; None: no bound on that side.

    `problem`: what is wrong with the days as they were `written`, "" where nothing is; then there are no bounds, and no
    row fits.
    """

    first: date | None = None
    last: date | None = None
    problem: str = ""
    written: tuple[str, str] = ("", "")

    @classmethod
    def of(cls, query: QueryDict) -> "Dates":
        """The days in an address: `day` alone, or `from` and `to`. A `day` that is none narrows nothing."""
        day = _readable(query.get("day", ""))
        if day is not None:
            return cls(day, day)
        written = (text_parameter(query, "from").strip(), text_parameter(query, "to").strip())
        first, last = map(_readable, written)
        problem = _problem(written, first, last)
        return cls(problem=problem, written=written) if problem else cls(first, last)

    @property
    def day(self) -> date | None:
        """The day, where it is a single one."""
        return self.first if self.first == self.last else None

    @property
    def in_form(self) -> tuple[str, str]:
        """What stands in the two fields of the form."""
        if self.problem:
            return self.written
        return (self.first.isoformat() if self.first else "", self.last.isoformat() if self.last else "")

    @property
    def parameters(self) -> dict[str, object]:
        """These days in an address."""
        if self.day:
            return {"day": self.day.isoformat()}
        first, last = self.in_form
        return {"from": first or None, "to": last or None}

    @property
    def words(self) -> str:
        """The days in a sentence: "on Thursday 21 May 2026", "from 21 May 2026 to 2 June 2026"; "" without bounds."""
        if self.day:
            return f"on {self.day:%A} {_in_words(self.day)}"
        first = f"from {_in_words(self.first)}" if self.first else ""
        last = f"{'to' if first else 'until'} {_in_words(self.last)}" if self.last else ""
        return " ".join(filter(None, (first, last)))


@dataclass(frozen=True)
class TimeSpan:
    """From `start` until just before `end`; None: no bound on that side."""

    start: datetime | None
    end: datetime | None

    @classmethod
    def of(cls, dates: Dates) -> "TimeSpan":
        """From midnight to midnight in the operator's zone."""
        start = None if dates.first is None else _midnight(dates.first)
        return cls(start, None if dates.last is None else _midnight(dates.last + timedelta(days=1)))

    def narrow(self, rows: AuditQuerySet) -> AuditQuerySet:
        """Those of the rows that were written in it."""
        rows = rows if self.start is None else rows.filter(ts__gte=self.start)
        return rows if self.end is None else rows.filter(ts__lt=self.end)

    def ids(self) -> tuple[int | None, int | None]:
        """The lowest and the highest id in it: with them its rows are read by id, however long the log is.

        None on a side without bound; (2, 1) where no row is in it. At most two queries, each of which reads
        `MOST_LOOKED_AT` entries of an index: a clock that was set back by more rows than that is not followed.
        """
        rows = self.narrow(AuditRow.objects.get_queryset())
        lowest = highest = None
        if self.start is not None:
            early = rows.order_by("ts").values("pk")[:MOST_LOOKED_AT]
            lowest = early.aggregate(id=Min("pk"))["id"]
            if lowest is None:
                return 2, 1
        if self.end is not None:
            late = rows.order_by("-ts").values("pk")[:MOST_LOOKED_AT]
            highest = late.aggregate(id=Max("pk"))["id"]
            if highest is None:
                return 2, 1
        return lowest, highest

    def day_before(self) -> date | None:
        """The nearest earlier day with rows."""
        moment = AuditRow.objects.filter(ts__lt=self.start).aggregate(at=Max("ts"))["at"]
        return None if moment is None else settings.CAESAR.day_of(moment)

    def day_after(self) -> date | None:
        """The nearest later day with rows."""
        moment = AuditRow.objects.filter(ts__gte=self.end).aggregate(at=Min("ts"))["at"]
        return None if moment is None else settings.CAESAR.day_of(moment)


def _readable(written: str) -> date | None:
    """The day in ISO format; None for anything else, and for a year beyond `YEARS`."""
    try:
        day = date.fromisoformat(written)
    except ValueError:
        return None
    return day if day.year in YEARS else None


def _problem(written: tuple[str, str], first: date | None, last: date | None) -> str:
    for text, day, name in ((written[0], first, "first"), (written[1], last, "last")):
        if text and day is None:
            return f"Write the {name} day as 2026-05-20, in a year from {YEARS[0]} to {YEARS[-1]}."
    if first and last and first > last:
        return f"The first day, {_in_words(first)}, lies after the last, {_in_words(last)}."
    return ""


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, tzinfo=settings.CAESAR.zone)


def _in_words(day: date) -> str:
    return f"{day.day} {day:%B %Y}"

"""The query parameters of the search page, as one value."""

from dataclasses import dataclass
from datetime import date

from django.http import QueryDict

from dashboard.shared.addresses import address
from dashboard.shared.query_parameters import search_parameter, text_parameter
from memory.recall.explicit import KINDS, Kind

YEARS = range(1971, 9001)
"""Those that every time zone and every database can handle."""


@dataclass(frozen=True)
class SearchChoice:
    """What is asked, and what its answer is bound to. `kind`: only these; "" for all.

    `written`: the two days as they were written; `problem`: what is wrong with them, "" where nothing is.
    """

    text: str = ""
    kind: Kind | str = ""
    since: date | None = None
    until: date | None = None
    written: tuple[str, str] = ("", "")
    problem: str = ""

    @classmethod
    def of(cls, query: QueryDict) -> "SearchChoice":
        """The choice of an address. A kind that is none counts as all."""
        kind = text_parameter(query, "kind")
        written = (text_parameter(query, "since").strip(), text_parameter(query, "until").strip())
        since, until = map(_day, written)
        problem = _problem(written, since, until)
        return cls(search_parameter(query), kind if kind in KINDS else "", since, until, written, problem)

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds that are looked for."""
        return tuple(kind for kind in KINDS if self.kind in ("", kind))

    @property
    def is_narrowed(self) -> bool:
        """Whether a kind or days leave something out."""
        return bool(self.kind or self.since or self.until)

    @property
    def everything(self) -> str:
        """The address of the same question without bounds."""
        return address("search", q=self.text)


def _day(written: str) -> date | None:
    try:
        day = date.fromisoformat(written)
    except ValueError:
        return None
    return day if day.year in YEARS else None


def _problem(written: tuple[str, str], since: date | None, until: date | None) -> str:
    for text, day, name in ((written[0], since, "first"), (written[1], until, "last")):
        if text and day is None:
            return f"Write the {name} day as 2026-05-20, in a year from {YEARS[0]} to {YEARS[-1]}."
    if since and until and since > until:
        return "The first day lies after the last. Exchange the two."
    return ""

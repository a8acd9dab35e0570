"""The query parameters of the timeline, as one value."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.http import QueryDict

from dashboard.shared.addresses import address
from dashboard.shared.query_parameters import number_parameter, search_parameter, text_parameter
from dashboard.timeline.event_families import EVERYTHING, FACT_CHANGES, EventFamily, find_family
from memory import events
from memory.text.messages import identifiers


@dataclass(frozen=True)
class TimelineQuery:
    """Which rows of the log are shown.

    `kind`: the name of an event. `conversation`: the id a client gave it. `day`: in the operator's zone. `before`: the
    id to continue before, on an older page. `after`: the newest id on the screen, when new rows are counted.
    """

    family: EventFamily = EVERYTHING
    kind: str = ""
    fact_key: str = ""
    conversation: str = ""
    day: date | None = None
    search: str = ""
    before: int | None = None
    after: int = 0

    @classmethod
    def of(cls, query: QueryDict) -> "TimelineQuery":
        """The query of an address. A parameter that is missing or unreadable filters nothing."""
        event_type = query.get("type", "")
        kind = event_type if event_type in events.EVENTS else ""
        return cls(
            family=find_family(query.get("family", ""), kind),
            kind=kind,
            fact_key=text_parameter(query, "fact"),
            conversation=identifiers.normal_conversation_id(text_parameter(query, "conversation")) or "",
            day=_day(query.get("day", "")),
            search=search_parameter(query),
            before=number_parameter(query, "before"),
            after=number_parameter(query, "after") or 0,
        )

    @property
    def parameters(self) -> Mapping[str, object]:
        """What addresses carry on, without the page."""
        return {
            "family": self.family.name or None,
            "type": self.kind or None,
            "fact": self.fact_key or None,
            "conversation": self.conversation or None,
            "day": self.day.isoformat() if self.day else None,
            "q": self.search or None,
        }

    @property
    def address(self) -> str:
        """The address of this page of the timeline."""
        return address("audit", before=self.before, **self.parameters)

    @property
    def is_narrowed(self) -> bool:
        """Whether rows may be hidden."""
        return any(self.parameters.values())

    @property
    def kinds(self) -> Sequence[tuple[str, str]]:
        """Name and label of each event of the chosen family; in a fact's history, of the events about facts."""
        kinds = FACT_CHANGES.kinds if self.fact_key else self.family.kinds
        return [(kind.name, kind.label) for kind in kinds]

    @property
    def leaves_receipts_out(self) -> bool:
        """Whether receipts are not searched: a fact is in the receipt of every prompt it was put into."""
        return bool(self.search and not self.family.name and not self.kind)

    @property
    def day_words(self) -> str:
        """The chosen day: "Thursday 21 May 2026"."""
        return f"{self.day:%A} {self.day.day} {self.day:%B %Y}" if self.day else ""


def _day(written: str) -> date | None:
    """The day in ISO format; None for anything else, and for a year that a time zone or database cannot handle."""
    try:
        day = date.fromisoformat(written)
    except ValueError:
        return None
    return day if 1971 <= day.year <= 9000 else None

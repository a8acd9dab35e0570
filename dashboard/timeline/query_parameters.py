"""The query parameters of the timeline, as one value."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from django.http import QueryDict

from dashboard.shared.addresses import address
from dashboard.shared.query_parameters import number_parameter, search_parameter, text_parameter
from dashboard.timeline.dates import Dates
from dashboard.timeline.event_families import EVERYTHING, FACT_CHANGES, EventFamily, find_family
from memory import events
from memory.text.messages import identifiers


@dataclass(frozen=True)
class TimelineQuery:
    """Which rows of the log are shown.

    `kind`: the name of an event. `conversation`: the id a client gave it. `client`: the label of an API key. `dates`:
    in the operator's zone. `before`: the id to continue before, on an older page. `after`: the newest id on the screen,
    when new rows are counted.
    """

    family: EventFamily = EVERYTHING
    kind: str = ""
    fact_key: str = ""
    conversation: str = ""
    client: str = ""
    dates: Dates = field(default_factory=Dates)
    search: str = ""
    before: int | None = None
    after: int = 0

    @classmethod
    def of(cls, query: QueryDict) -> "TimelineQuery":
        """The query of an address. A parameter that is missing or unreadable filters nothing, but for `from` and `to`:
        what is wrong with those is said."""
        event_type = query.get("type", "")
        kind = event_type if event_type in events.EVENTS else ""
        return cls(
            family=find_family(query.get("family", ""), kind),
            kind=kind,
            fact_key=text_parameter(query, "fact"),
            conversation=identifiers.normal_conversation_id(text_parameter(query, "conversation")) or "",
            client=text_parameter(query, "client"),
            dates=Dates.of(query),
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
            "client": self.client or None,
            **self.dates.parameters,
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
    def is_by_event_alone(self) -> bool:
        """Whether rows are chosen by what an index has beside their event: client, days, or nothing."""
        return not (self.search or self.fact_key or self.conversation)

    @property
    def event_types(self) -> Sequence[str]:
        """The names of the events that are chosen; none: all of them."""
        return [self.kind] if self.kind else [kind.name for kind in self.family.kinds]

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
    def hides_empty_sweeps(self) -> bool:
        """Whether sweeps that found nothing are left out: one a day, of which nobody has to know."""
        return not self.event_types

    @property
    def day(self) -> date | None:
        """The day, where a single one is chosen."""
        return self.dates.day

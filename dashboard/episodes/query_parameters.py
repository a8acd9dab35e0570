"""The query parameters of the episodes page, as one value."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal, get_args
from urllib.parse import urlsplit

from django.http import QueryDict
from django.urls import reverse

from dashboard.shared.addresses import address
from dashboard.shared.pages import PageRequest
from dashboard.shared.query_parameters import number_parameter, search_parameter, text_parameter
from memory.recall.recallable import recalls_by_content

Order = Literal["newest", "most", "never", "quoted"]
"""`never`: those never recalled, newest first. `quoted`: those without a summary, which mode `hybrid` quotes."""


@dataclass(frozen=True)
class EpisodesQuery:
    """Which episodes are shown.

    `day`: in the operator's zone. `before`: the chat after whose episode an older page begins. `until`: a day of the
    calendar's last week; None for today.
    """

    search: str = ""
    order: Order = "newest"
    day: date | None = None
    before: int | None = None
    until: date | None = None

    @classmethod
    def of(cls, query: QueryDict) -> "EpisodesQuery":
        """The query of an address. A parameter that is missing or unreadable has its default."""
        return cls(
            search=search_parameter(query),
            order=_order(text_parameter(query, "order")),
            day=_day(query.get("day", "")),
            before=number_parameter(query, "before"),
            until=_day(query.get("until", "")),
        )

    @classmethod
    def on_screen(cls, request: PageRequest) -> "EpisodesQuery":
        """The list that the operator sees when they use a button: with htmx the browser says what is on the screen."""
        screen = urlsplit(request.htmx.current_url_abs_path or "") if request.htmx else None
        is_here = screen is not None and screen.path == reverse("episodes")
        return cls.of(QueryDict(screen.query if screen is not None and is_here else request.GET.urlencode()))

    @property
    def is_filtered(self) -> bool:
        """Whether a search or a day hides episodes."""
        return bool(self.search or self.day)

    @property
    def parameters(self) -> Mapping[str, object]:
        """What addresses carry on; None for what has its default."""
        return {
            "q": self.search or None,
            "order": self.order if self.order != "newest" else None,
            "day": self.day.isoformat() if self.day else None,
            "until": self.until.isoformat() if self.until else None,
            "before": self.before,
        }

    @property
    def address(self) -> str:
        """The address of this part of the list."""
        return address("episodes", **self.parameters)

    @property
    def day_words(self) -> str:
        """The chosen day: "Thursday 21 May 2026"."""
        return f"{self.day:%A} {self.day.day} {self.day:%B %Y}" if self.day else ""

    def on_first_page(self) -> "EpisodesQuery":
        """The same from its beginning."""
        return replace(self, before=None)


def _order(name: str) -> Order:
    orders: tuple[Order, ...] = get_args(Order)
    known = next((order for order in orders if order == name), orders[0])
    return orders[0] if known == "quoted" and not recalls_by_content() else known


def _day(written: str) -> date | None:
    """The day in ISO format; None for anything else, and for a year that a time zone or database cannot handle."""
    try:
        day = date.fromisoformat(written)
    except ValueError:
        return None
    return day if 1971 <= day.year <= 9000 else None

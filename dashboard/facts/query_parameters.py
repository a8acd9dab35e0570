"""The query parameters of the facts list, as one value."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, get_args
from urllib.parse import urlsplit

from django.http import QueryDict
from django.urls import reverse

from dashboard.shared.addresses import address
from dashboard.shared.pages import PageRequest
from dashboard.shared.query_parameters import number_parameter, search_parameter, text_parameter

FactsFilter = Literal["", "in", "below", "leaving", "kept", "yours", "unsure", "waiting", "ended"]
"""Which facts: all, those in the prompt, those below it, those that leave it soon, kept, the operator's own words,
those that memory is unsure of; or, in place of the table, the claims that wait for review, or the facts that are no
longer true."""

FactsOrder = Literal["importance", "confirmed", "learned", "name"]
"""What the list is sorted by, the most important or newest first."""

OTHER = "*"
"""In place of a namespace: all those with one fact."""


@dataclass(frozen=True)
class FactsQuery:
    """Which part of the list is shown, and which fact a change is about.

    `key`: the fact to change or to show. `at_fact`: the change is made on the fact's own page, and leads back there.
    """

    search: str = ""
    namespace: str = ""
    only: FactsFilter = ""
    order: FactsOrder = "importance"
    page: int = 1
    at_fact: bool = False
    key: str = ""

    @classmethod
    def of(cls, query: QueryDict) -> "FactsQuery":
        """The query of an address. A parameter that is missing or unreadable has its default."""
        return cls(
            search=search_parameter(query),
            namespace=text_parameter(query, "ns"),
            only=next((name for name in get_args(FactsFilter) if name == query.get("only")), ""),
            order=next((name for name in get_args(FactsOrder) if name == query.get("sort")), "importance"),
            page=number_parameter(query, "page") or 1,
            at_fact=query.get("at") == "fact",
            key=text_parameter(query, "key"),
        )

    @classmethod
    def on_screen(cls, request: PageRequest) -> "FactsQuery":
        """The list that the operator sees when they use a button or form, with the key from its address.

        With htmx the browser says what is on the screen: a search may have changed it since the form was rendered.
        Without script the form's own address carries it.
        """
        own = cls.of(request.GET)
        screen = urlsplit(request.htmx.current_url_abs_path or "") if request.htmx else None
        if screen is None or screen.path != reverse("facts"):
            return own
        return replace(cls.of(QueryDict(screen.query)), key=own.key)

    @property
    def is_filtered(self) -> bool:
        """Whether facts may be hidden."""
        return bool(self.search or self.namespace or self.only)

    @property
    def has_table(self) -> bool:
        """Whether the table is shown, and not what waits or has ended alone."""
        return self.only not in ("waiting", "ended")

    @property
    def parameters(self) -> Mapping[str, object]:
        """What addresses carry on; None for what has its default."""
        return {
            "q": self.search or None,
            "ns": self.namespace or None,
            "only": self.only or None,
            "sort": self.order if self.order != "importance" else None,
            "page": self.page if self.page > 1 else None,
            "at": "fact" if self.at_fact else None,
        }

    @property
    def address(self) -> str:
        """The address of this part of the list."""
        return address("facts", **self.parameters)

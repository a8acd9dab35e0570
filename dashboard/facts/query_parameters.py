"""The query parameters of the facts list, as one value."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from django.http import QueryDict
from django.urls import reverse

from dashboard.shared.addresses import address
from dashboard.shared.pages import PageRequest
from dashboard.shared.query_parameters import number_parameter, search_parameter, text_parameter


@dataclass(frozen=True)
class FactsQuery:
    """Which part of the list is shown, and which fact a change is about.

    `key`: the fact to change or to show. `at_fact`: the change is made on the fact's own page, and leads back there.
    """

    search: str = ""
    namespace: str = ""
    page: int = 1
    at_fact: bool = False
    key: str = ""

    @classmethod
    def of(cls, query: QueryDict) -> "FactsQuery":
        """The query of an address. A parameter that is missing or unreadable has its default."""
        return cls(
            search=search_parameter(query),
            namespace=text_parameter(query, "ns"),
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
        return bool(self.search or self.namespace)

    @property
    def parameters(self) -> Mapping[str, object]:
        """What addresses carry on; None for what has its default."""
        return {
            "q": self.search or None,
            "ns": self.namespace or None,
            "page": self.page if self.page > 1 else None,
            "at": "fact" if self.at_fact else None,
        }

    @property
    def address(self) -> str:
        """The address of this part of the list."""
        return address("facts", **self.parameters)

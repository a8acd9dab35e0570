"""Where the operator is among the facts: search, namespace, page, or one fact. Every address carries it on."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

from django.http import QueryDict
from django.urls import reverse

from dashboard.shared.pages import PageRequest
from memory.text.lines import encodable, one_line

MAX_SEARCH_CHARS = 200


@dataclass(frozen=True)
class Place:
    """What of the facts is shown. `at_fact`: a change was asked for from a fact's own page, and goes back there."""

    search: str = ""
    namespace: str = ""
    page: int = 1
    at_fact: bool = False

    @classmethod
    def of(cls, query: QueryDict) -> "Place":
        """The place an address names; what is missing or unreadable is the whole list, its first page."""
        page = query.get("page", "")
        return cls(
            search=one_line(_readable(query, "q"))[:MAX_SEARCH_CHARS].strip(),
            namespace=_readable(query, "ns"),
            page=int(page) if page.isascii() and page.isdigit() and len(page) <= 18 else 1,
            at_fact=query.get("at") == "fact",
        )

    @classmethod
    def behind(cls, request: PageRequest) -> "Place":
        """The place a verb is used from. With htmx that is what is on the screen now: a search may have moved on since
        the form was drawn. Without script it is what the form's own address carries."""
        screen = urlsplit(request.htmx.current_url_abs_path or "") if request.htmx else None
        if screen is not None and screen.path == reverse("facts"):
            return cls.of(QueryDict(screen.query))
        return cls.of(request.GET)

    @property
    def is_filtered(self) -> bool:
        """Whether facts may be hidden."""
        return bool(self.search or self.namespace)

    @property
    def parameters(self) -> Mapping[str, object]:
        """What an address carries on; None for what is as it is by itself."""
        return {
            "q": self.search or None,
            "ns": self.namespace or None,
            "page": self.page if self.page > 1 else None,
            "at": "fact" if self.at_fact else None,
        }

    @property
    def address(self) -> str:
        """The facts page at this place."""
        return _address("facts", self.parameters)


def fact_address(key: str) -> str:
    """A fact's own page."""
    return _address("fact", {"key": key})


def _address(name: str, parameters: Mapping[str, object]) -> str:
    query = urlencode({key: value for key, value in parameters.items() if value not in (None, "")}, errors="replace")
    return reverse(name) + (f"?{query}" if query else "")


def _readable(query: QueryDict, name: str) -> str:
    return encodable(query.get(name, ""))

"""The query parameters of a fact's page, as one value."""

from dataclasses import dataclass

from django.http import QueryDict

from dashboard.shared.query_parameters import number_parameter, text_parameter


@dataclass(frozen=True)
class FactPageQuery:
    """Which fact is shown, and the id to continue its history before (None: from the newest row)."""

    key: str
    before: int | None

    @classmethod
    def of(cls, query: QueryDict) -> "FactPageQuery":
        """The query of an address."""
        return cls(text_parameter(query, "key"), number_parameter(query, "before"))

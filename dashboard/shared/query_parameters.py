"""How one query parameter is read. A page's own frozen value, such as `FactsQuery`, is made of these."""

from django.http import QueryDict

from memory.text.lines import encodable, one_line

MAX_SEARCH_CHARS = 200
_MAX_DIGITS = 18  # the most that a 64-bit column surely holds


def text_parameter(query: QueryDict, name: str) -> str:
    """The parameter as text any database takes (no NUL, no lone surrogate); "" where it is missing."""
    return encodable(query.get(name, ""))


def number_parameter(query: QueryDict, name: str) -> int | None:
    """The parameter as a whole number, 0 included; None where it is missing or anything else."""
    return whole_number(query.get(name, ""))


def search_parameter(query: QueryDict) -> str:
    """The search text `q`: one line of at most `MAX_SEARCH_CHARS` characters."""
    return one_line(text_parameter(query, "q"))[:MAX_SEARCH_CHARS].strip()


def whole_number(text: str) -> int | None:
    """The number these ASCII digits spell; None for any other text, and for one too long to be a row's id."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS else None

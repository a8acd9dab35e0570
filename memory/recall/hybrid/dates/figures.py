"""Dates in figures: 2023-10-13, 13.10.2023, 10/13/2023, "am 13.10.". Pure."""

import re
from collections.abc import Sequence
from datetime import date

from memory.recall.hybrid.dates.ranges import DateRange, Values, resolved
from memory.recall.hybrid.dates.tokens import Token

_CENTURY = 2000
_MONTHS = 12
_PARTS = re.compile(r"(\d+)([-/.])(\d+)(?:\2(\d+)|\.)")


def date_in_figures(text: str, *, month_first: bool, is_short_date: bool, today: date) -> DateRange | None:
    """The day of a token of figures. Between slashes `month_first` decides where both orders are possible.

    `is_short_date`: dates between dots may have no year, or one of two figures ("am 13.10.", "am 13.10.23").
    """
    parts = _PARTS.fullmatch(text)
    if parts is None:
        return None
    if parts[4] is None:
        return _day(parts[3], parts[1], None, today) if is_short_date else None
    if len(parts[1]) == 4:
        return _day(parts[3], parts[4], parts[1], today)
    if len(parts[4]) == 2 and not (parts[2] == "/" or (parts[2] == "." and is_short_date)):
        return None
    swapped = _is_month_first(parts[1], parts[3], ambiguous=month_first and parts[2] == "/")
    day, month = (parts[3], parts[1]) if swapped else (parts[1], parts[3])
    return _day(month, day, parts[4], today)


def is_month_first(tokens: Sequence[Token], *, is_english: bool) -> bool:
    """Whether the month stands first between slashes: as in a date of this message that has only one reading, else as
    its language has it."""
    for token in tokens:
        parts = _PARTS.fullmatch(token.text) if token.kind == "figures" else None
        if parts and parts[2] == "/" and len(parts[1]) <= 2 and max(int(parts[1]), int(parts[3])) > _MONTHS:
            return int(parts[3]) > _MONTHS
    return is_english


def _is_month_first(first: str, second: str, *, ambiguous: bool) -> bool:
    if int(second) > _MONTHS:
        return True
    return ambiguous and int(first) <= _MONTHS


def _day(month: str, day: str, year: str | None, today: date) -> DateRange | None:
    values: Values = {"month": int(month), "day": int(day)}
    if year is not None:
        values = {**values, "year": int(year) + (_CENTURY if len(year) == 2 else 0)}
    return resolved("day", values, today)

"""Days as a model writes them. Pure."""

import calendar
import re
from datetime import date

from pydantic import JsonValue

YEARS_AHEAD = 60
_DAY = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ].*)?)?)?", re.ASCII)


def parse_day(raw: JsonValue) -> date | None:
    """An ISO date; of a month or a year alone its last day. None for anything else, such as 2026-02-30."""
    match = _DAY.fullmatch(raw.strip()) if isinstance(raw, str) else None
    if match is None:
        return None
    year, month, day = int(match[1]), int(match[2] or 12), match[3]
    try:
        return date(year, month, int(day) if day else calendar.monthrange(year, month)[1])
    except ValueError:  # calendar's own error for a month is one, too
        return None


def is_plausible_end(day: date, *, said_on: date) -> bool:
    """Whether something said that day may hold until `day`: not over already, and not in another lifetime."""
    return said_on <= day and day.year <= said_on.year + YEARS_AHEAD

"""What the tests of each language read, and when."""

from datetime import date

from memory.recall.hybrid.dates import date_ranges

TODAY = date(2024, 6, 12)
"""A Wednesday."""


def read(message: str, today: date = TODAY) -> list[str]:
    """The ranges as text: "2024-05-13", or "2024-05-01..2024-05-31"."""
    return [
        str(one.first) if one.days == 1 else f"{one.first}..{one.last}" for one in date_ranges(message, today=today)
    ]

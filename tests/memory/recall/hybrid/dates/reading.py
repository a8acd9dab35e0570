"""What the tests of each language read, and when."""

from datetime import date

from memory.recall.hybrid.dates import date_ranges

TODAY = date(2024, 6, 12)
"""A Wednesday."""

MAY = "2024-05-01..2024-05-31"
MARCH = "2024-03-01..2024-03-31"
WEEK = "2024-06-03..2024-06-09"
WEEKEND = "2024-06-08..2024-06-09"
TWO_WEEKS = "2024-05-28..2024-05-30"
LAST_YEAR = "2023-01-01..2023-12-31"
TUESDAY = "2024-06-11"
OCTOBER_13 = "2023-10-13"
FEW = "2024-06-07..2024-06-10"


def read(message: str, today: date = TODAY) -> list[str]:
    """The ranges as text: "2024-05-13", or "2024-05-01..2024-05-31"."""
    return [
        str(one.first) if one.days == 1 else f"{one.first}..{one.last}" for one in date_ranges(message, today=today)
    ]

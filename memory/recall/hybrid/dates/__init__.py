"""Dates in a message ("13 October", "last week"), and how near to them a chat is. Pure."""

from memory.recall.hybrid.dates.nearness import nearness
from memory.recall.hybrid.dates.ranges import DateRange
from memory.recall.hybrid.dates.reading import MAX_RANGES, date_ranges, without_dates

__all__ = ["MAX_RANGES", "DateRange", "date_ranges", "nearness", "without_dates"]

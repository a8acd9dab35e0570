"""Dates in a message ("13 October", "last week"), and how near to them a chat is. Pure."""

from memory.recall.hybrid.dates.nearness import nearness
from memory.recall.hybrid.dates.ranges import DatePhrase, DateRange
from memory.recall.hybrid.dates.reading import MAX_RANGES, date_phrases, date_ranges

__all__ = ["MAX_RANGES", "DatePhrase", "DateRange", "date_phrases", "date_ranges", "nearness"]

"""Why something was found, in one plain sentence, and how well it answers. Pure."""

from collections.abc import Sequence
from datetime import date, datetime

from memory.recall.hybrid.dates import DateRange

_MOST_WORDS = 5
_CLOSE = 0.35
_MEANING, _WORDS, _DATED = 0.5, 0.5, 0.25


def score(*, cosine: float | None, share: float, is_dated: bool) -> float:
    """How well something answers: half by meaning, half by the share of the question's words that it has; by words
    alone where it cannot be compared. More where it is of the days that were asked for."""
    content = share if cosine is None else _MEANING * max(cosine, 0.0) + _WORDS * share
    return round(content + _DATED * is_dated, 4)


def why(
    words: Sequence[str], *, cosine: float | None = None, dated: date | None = None, verb: str = "says", extra: str = ""
) -> str:
    """Such as: says "thermostat" and "Thursday"; close in meaning (.62); from 3 May, the day you asked for."""
    parts = [f"{verb} {_listed(words)}"] if words else []
    if cosine is not None and (cosine >= _CLOSE or not parts) and cosine > 0:
        parts.append(f"{'close' if cosine >= _CLOSE else 'nearest'} in meaning ({_decimal(cosine)})")
    if dated is not None:
        parts.append(f"from {day_words(dated)}, the time you asked for")
    if extra:
        parts.append(extra)
    sentence = "; ".join(parts) or "among the nearest there are"
    return sentence[:1].upper() + sentence[1:]


def day_words(day: date) -> str:
    """3 May 2026"""
    return f"{day.day} {day:%B} {day.year}"


def ranges_words(ranges: Sequence[DateRange]) -> str:
    """1 to 31 May 2025; 3 June 2025"""
    return "; ".join(_range_words(one) for one in ranges)


def title(kind: str, moment: datetime | date) -> str:
    """Conversation of 3 May 2026"""
    return f"{kind} of {day_words(moment)}"


def _range_words(one: DateRange) -> str:
    if one.first == one.last:
        return day_words(one.first)
    if (one.first.year, one.first.month) == (one.last.year, one.last.month):
        return f"{one.first.day} to {day_words(one.last)}"
    return f"{day_words(one.first)} to {day_words(one.last)}"


def _listed(words: Sequence[str]) -> str:
    shown = [f"“{word}”" for word in dict.fromkeys(words)]
    if len(shown) > _MOST_WORDS:
        shown = [*shown[:_MOST_WORDS], f"{len(shown) - _MOST_WORDS} more of your words"]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def _decimal(number: float) -> str:
    """.62"""
    return f"{min(number, 1.0):.2f}".removeprefix("0")

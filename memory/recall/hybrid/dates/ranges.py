"""What a phrase about time means on a given day: a range of days. Pure.

Nothing lies ahead: a range that contains today ends today, and one that begins later is none.
"""

from calendar import monthrange
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from enum import IntEnum
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal[
    "day",
    "month",
    "last_named_month",
    "this_named_month",
    "month_of_last_year",
    "year",
    "ago",
    "few_ago",
    "last_unit",
    "this_unit",
    "last_few",
    "weekday",
    "this_weekday",
    "weekday_of_last_week",
    "season",
    "last_season",
    "this_season",
    "relative",
    "nothing",
]
Values: TypeAlias = Mapping[str, int]
"""The numbers of a phrase: day, last_day, month (1..12), year, n, unit, weekday (Monday 0), season (spring 0), relative
(days ago), back (units before the one of today)."""


class Unit(IntEnum):
    DAY = 0
    WEEK = 1
    MONTH = 2
    YEAR = 3
    WEEKEND = 4


@dataclass(frozen=True, slots=True)
class DateRange:
    """Days from `first` to `last`, both inside."""

    first: date
    last: date

    @property
    def days(self) -> int:
        return (self.last - self.first).days + 1


@dataclass(frozen=True, slots=True)
class DatePhrase:
    """The days that text[start:end] means."""

    start: int
    end: int
    range: DateRange


_Span: TypeAlias = tuple[date, date] | None

_LEAP_YEARS = 8
"""Two 29ths of February are at most this many years apart (1896 to 1904)."""

_STILL_THIS_DAYS = 183
"""How long after its end a season is still "this summer"; later that one lies ahead."""

_LEAST_FEW = 2
_MOST_FEW = 5
"""A few days are so many."""

_DAYS = {Unit.DAY: 1, Unit.WEEK: 7, Unit.MONTH: 30, Unit.YEAR: 365, Unit.WEEKEND: 7}


def resolved(kind: Kind, values: Values, today: date) -> DateRange | None:
    """The range that a phrase means. None where there is no such day (31 February), or it lies ahead."""
    try:
        span = _SPANS[kind](values, today)
    except (ValueError, OverflowError):
        return None
    if span is None or span[0] > today or span[1] < span[0]:
        return None
    return DateRange(span[0], min(span[1], today))


def _day(values: Values, today: date) -> _Span:
    """Without a year: the last one that is not ahead."""
    month, day, last_day = values["month"], values["day"], values.get("last_day", values["day"])
    year = values.get("year") or _year_of_last(month, day, today)
    return None if year is None else (date(year, month, day), date(year, month, last_day))


def _year_of_last(month: int, day: int, today: date) -> int | None:
    for year in range(today.year, max(today.year - _LEAP_YEARS - 1, 0), -1):
        if 1 <= day <= monthrange(year, month)[1] and date(year, month, day) <= today:
            return year
    return None


def _month(values: Values, today: date) -> _Span:
    """Without a year: the last one that has begun."""
    month = values["month"]
    return _whole_month(values.get("year") or today.year - (month > today.month), month)


def _last_named_month(values: Values, today: date) -> _Span:
    """The last one that is over."""
    return _whole_month(today.year - (values["month"] >= today.month), values["month"])


def _this_named_month(values: Values, today: date) -> _Span:
    return _whole_month(today.year, values["month"]) if values.get("unit", Unit.YEAR) == Unit.YEAR else None


def _month_of_last_year(values: Values, today: date) -> _Span:
    return _whole_month(today.year - 1, values["month"]) if values["unit"] == Unit.YEAR else None


def _year(values: Values, today: date) -> _Span:
    return _whole_year(values["year"])


def _ago(values: Values, today: date) -> _Span:
    """A day ago is one day, a week ago three, a month or a year ago that of the calendar."""
    unit, n = Unit(values["unit"]), values.get("n", 1)
    if n < 1:
        return None
    if unit in (Unit.DAY, Unit.WEEK):
        day, margin = today - timedelta(days=n * _DAYS[unit]), timedelta(days=unit == Unit.WEEK)
        return day - margin, day + margin
    return _calendar_unit(unit, n, today)


def _few_ago(values: Values, today: date) -> _Span:
    days = _DAYS[Unit(values["unit"])]
    return today - timedelta(days=_MOST_FEW * days), today - timedelta(days=_LEAST_FEW * days)


def _last_unit(values: Values, today: date) -> _Span:
    return _calendar_unit(Unit(values["unit"]), values.get("back", 1), today)


def _this_unit(values: Values, today: date) -> _Span:
    return _calendar_unit(Unit(values["unit"]), 0, today)


def _calendar_unit(unit: Unit, back: int, today: date) -> _Span:
    """The week (from Monday), weekend, month or year that lies `back` of them before the one of today."""
    monday = today - timedelta(days=today.weekday() + 7 * back)
    if unit == Unit.WEEK:
        return monday, monday + timedelta(days=6)
    if unit == Unit.WEEKEND:
        return monday + timedelta(days=5), monday + timedelta(days=6)
    if unit == Unit.MONTH:
        months = today.year * 12 + today.month - 1 - back
        return _whole_month(months // 12, months % 12 + 1)
    return _whole_year(today.year - back) if unit == Unit.YEAR else None


def _last_few(values: Values, today: date) -> _Span:
    return today - timedelta(days=values.get("n", 1) * _DAYS[Unit(values["unit"])]), today


def _weekday(values: Values, today: date) -> _Span:
    """The last one before today."""
    day = today - timedelta(days=(today.weekday() - values["weekday"] - 1) % 7 + 1)
    return day, day


def _this_weekday(values: Values, today: date) -> _Span:
    day = today + timedelta(days=values["weekday"] - today.weekday())
    return day, day


def _weekday_of_last_week(values: Values, today: date) -> _Span:
    if values.get("unit", Unit.WEEK) != Unit.WEEK:
        return None
    day = today + timedelta(days=values["weekday"] - today.weekday() - 7)
    return day, day


def _season(values: Values, today: date) -> _Span:
    return _whole_season(values["year"], values["season"])


def _last_season(values: Values, today: date) -> _Span:
    """The last one that is over."""
    seasons = (_whole_season(today.year - back, values["season"]) for back in range(3))
    return next(season for season in seasons if season[1] < today)


def _this_season(values: Values, today: date) -> _Span:
    """The last one that has begun, if it is not long over."""
    seasons = (_whole_season(today.year - back, values["season"]) for back in range(2))
    season = next(season for season in seasons if season[0] <= today)
    return season if (today - season[1]).days <= _STILL_THIS_DAYS else None


def _relative(values: Values, today: date) -> _Span:
    day = today - timedelta(days=values["relative"])
    return day, day


def _nothing(values: Values, today: date) -> _Span:
    return None


def _whole_month(year: int, month: int) -> tuple[date, date]:
    return date(year, month, 1), date(year, month, monthrange(year, month)[1])


def _whole_year(year: int) -> tuple[date, date]:
    return date(year, 1, 1), date(year, 12, 31)


def _whole_season(year: int, season: int) -> tuple[date, date]:
    """Three whole months of the northern year; winter begins in December of its year."""
    month = 3 * season + 3
    ends, end_month = (year, month + 2) if month < 12 else (year + 1, 2)
    return date(year, month, 1), _whole_month(ends, end_month)[1]


_SPANS: Mapping[Kind, Callable[[Values, date], _Span]] = {
    "day": _day,
    "month": _month,
    "last_named_month": _last_named_month,
    "this_named_month": _this_named_month,
    "month_of_last_year": _month_of_last_year,
    "year": _year,
    "ago": _ago,
    "few_ago": _few_ago,
    "last_unit": _last_unit,
    "this_unit": _this_unit,
    "last_few": _last_few,
    "weekday": _weekday,
    "this_weekday": _this_weekday,
    "weekday_of_last_week": _weekday_of_last_week,
    "season": _season,
    "last_season": _last_season,
    "this_season": _this_season,
    "relative": _relative,
    "nothing": _nothing,
}

"""Dates in Chinese and Japanese, which have no blanks between words. Pure."""

import re
from collections.abc import Iterator, Mapping
from datetime import date

from memory.recall.hybrid.dates.ranges import DatePhrase, Kind, Unit, Values, resolved
from memory.text.cjk import has_cjk

_NUMBER = r"\d{1,3}|十[一二]?|[一二两兩三四五六七八九]"
_MONTH = r"\d{1,2}|十[一二]?|[一二三四五六七八九]"
_DAY = r"\d{1,2}|二?十[一二三四五六七八九]?|三十一?|[一二三四五六七八九]"
_LAST_WEEK = "先週|(?<![晚早以])上[个個]?(?:星期|礼拜|禮拜|周|週)"
_THIS_WEEK = "今週|[这這]个?(?:周|週|星期)|[这這]個(?:周|週|星期)|本[周週]"
_JAPANESE_WEEKDAY = "[月火水木金土日](?=曜)"
_CHINESE_WEEKDAY = r"[一二三四五六日天](?=$|\W|[的我你他她您早晚在和是有说說聊去]|[上下中]午)"
"""A weekday, and not the number of "上周三个人" (last week three people)."""

_PHRASES = re.compile(
    rf"""
      (?P<nothing> (?: 来年|來年|明年|毎年|每年|後年|后年 ) の? (?: {_MONTH} ) 月 (?: (?: {_DAY} ) [日号號] )?
                 | (?: 再?来週|毎週|次|今度 ) の? (?: [月火水木金土日]曜 | 末 )
                 | 以前天 | 目前天 | 今天下 | 今日子 )
    | (?: (?P<year> \d{{4}} ) 年 | (?P<last_year> 去年の? | 昨年の? ) | (?P<this_year> 今年の? ) )? \s?
      (?<! \d ) (?P<month> {_MONTH} ) 月 (?! [曜球亮光] )
      (?: の? (?P<day> {_DAY} ) [日号號] | (?P<whole> 份 ) )?
    | (?P<only_year> \d{{4}} ) 年
    | (?P<relative3> 大前天 | 一昨々日 )
    | (?P<relative2> 一昨日 | おととい | (?<! [以之日天年月周週目间間] ) 前天 )
    | (?P<relative1> 昨日 | 昨天 | 昨晚 | 昨夜 | 昨晩 )
    | (?P<relative0> 今日 | 今天 | 今朝 | 今晚 | 今夜 | 今晩 | 今早 )
    | (?<! [\d十一二三四五六七八九] ) (?P<n> {_NUMBER} ) \s?
      (?: (?P<days> 日 | 天 ) | (?P<weeks> 週間 | 周間 | 周 | 週 | [个個]?星期 | [个個]礼拜 )
        | (?P<months> [かヶカケ]月 | [个個]月 ) | (?P<years> 年 ) ) [之以]?前
    | [数數几幾] (?: (?P<few_days> [日天] ) | (?P<few_weeks> 週間 | 周 | 週 | [个個]星期 ) ) [之以]?前
    | (?: {_LAST_WEEK} ) (?: の? (?P<day_of_last_week> {_JAPANESE_WEEKDAY} )
          | (?P<chinese_day_of_last_week> {_CHINESE_WEEKDAY} ) | (?P<last_weekend> 末 ) | (?P<last_week> ) )
    | (?: {_THIS_WEEK} ) (?: の? (?P<day_of_this_week> {_JAPANESE_WEEKDAY} )
          | (?P<chinese_day_of_this_week> {_CHINESE_WEEKDAY} ) | (?P<this_weekend> 末 ) | (?P<this_week> ) )
    | (?P<last_month> (?<! 優 ) 先月 | 上[个個]月 ) | (?P<this_month> 今月 | [这這][个個]月 | 本月 )
    | (?P<the_last_year> 去年 | 昨年 )
    | (?: この前の (?P<last_weekday> {_JAPANESE_WEEKDAY} ) | (?P<weekday> {_JAPANESE_WEEKDAY} ) 曜日?に )
    | (?<! [下每毎上个個] ) (?: 星期 | 礼拜 ) (?P<chinese_weekday> {_CHINESE_WEEKDAY} )
    """,
    re.VERBOSE,
)

_NUMERALS = {numeral: value for value, numeral in enumerate("一二三四五六七八九十", 1)} | {"两": 2, "兩": 2}
_JAPANESE_WEEKDAYS = "月火水木金土日"
_CHINESE_WEEKDAYS = "一二三四五六日"
_UNITS = {"days": Unit.DAY, "weeks": Unit.WEEK, "months": Unit.MONTH, "years": Unit.YEAR}

_FIXED: dict[str, tuple[Kind, Values]] = {
    "relative0": ("relative", {"relative": 0}),
    "relative1": ("relative", {"relative": 1}),
    "relative2": ("relative", {"relative": 2}),
    "relative3": ("relative", {"relative": 3}),
    "few_days": ("few_ago", {"unit": Unit.DAY}),
    "few_weeks": ("few_ago", {"unit": Unit.WEEK}),
    "last_week": ("last_unit", {"unit": Unit.WEEK}),
    "last_weekend": ("last_unit", {"unit": Unit.WEEKEND}),
    "last_month": ("last_unit", {"unit": Unit.MONTH}),
    "the_last_year": ("last_unit", {"unit": Unit.YEAR}),
    "this_week": ("this_unit", {"unit": Unit.WEEK}),
    "this_weekend": ("this_unit", {"unit": Unit.WEEKEND}),
    "this_month": ("this_unit", {"unit": Unit.MONTH}),
    "nothing": ("nothing", {}),
}
_WEEKDAYS: dict[str, Kind] = {
    "day_of_last_week": "weekday_of_last_week",
    "chinese_day_of_last_week": "weekday_of_last_week",
    "day_of_this_week": "this_weekday",
    "chinese_day_of_this_week": "this_weekday",
    "weekday": "weekday",
    "last_weekday": "weekday",
    "chinese_weekday": "weekday",
}


def east_asian_ranges(text: str, today: date) -> Iterator[DatePhrase]:
    """Each range of a text in NFC with its place."""
    if not has_cjk(text):
        return
    for match in _PHRASES.finditer(text):
        kind, values = _meaning(match, today)
        if (found := resolved(kind, values, today)) is not None:
            yield DatePhrase(match.start(), match.end(), found)


def _meaning(match: re.Match[str], today: date) -> tuple[Kind, Values]:
    groups = {name: text for name, text in match.groupdict().items() if text is not None}
    if "month" in groups:
        return _named_month(groups, today)
    if "only_year" in groups:
        return "year", {"year": int(groups["only_year"])}
    if "n" in groups:
        unit = next(unit for name, unit in _UNITS.items() if name in groups)
        return "ago", {"n": _number(groups["n"]), "unit": unit}
    name = next(iter(groups))
    if name in _WEEKDAYS:
        return _WEEKDAYS[name], {"weekday": _weekday(groups[name], is_chinese="chinese" in name)}
    return _FIXED[name]


def _named_month(groups: Mapping[str, str], today: date) -> tuple[Kind, Values]:
    """A month in numerals ("三月") is one only with a year, a day or 份 beside it."""
    values = {name: _number(groups[name]) for name in ("year", "month", "day") if name in groups}
    if "last_year" in groups or "this_year" in groups:
        values["year"] = today.year - ("last_year" in groups)
    is_bare_numeral = not groups["month"].isdigit() and len(values) == 1 and "whole" not in groups
    if is_bare_numeral or not 1 <= values["month"] <= 12:
        return "nothing", {}
    return ("day" if "day" in values else "month"), values


def _number(text: str) -> int:
    """A number in figures, or a numeral up to 31: "二十一" -> 21."""
    if text.isdigit():
        return int(text)
    tens, ten, ones = text.rpartition("十")
    return (10 * _NUMERALS.get(tens, 1) if ten else 0) + _NUMERALS.get(ones, 0)


def _weekday(text: str, *, is_chinese: bool) -> int:
    if not is_chinese:
        return _JAPANESE_WEEKDAYS.index(text)
    return 6 if text == "天" else _CHINESE_WEEKDAYS.index(text)

"""Stretches of the facts, and the cursors that lead from one to the next."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from memory.models import PersonalFact, RankedFact

MOST: Final = 100_000
_CURSOR = re.compile(rb"facts:(\d{1,9})")


class BadCursor(ValueError):
    """A cursor that was not made here."""


class FactsPage(NamedTuple):
    """Facts by importance, and the cursor of the page after them; "" on the last."""

    ranked: Sequence[RankedFact]
    next: str


def facts_page(*, prefix: str, cursor: str, limit: int, ended: bool, now: datetime) -> FactsPage:
    """The facts whose key begins with `prefix`, the most important first; those past their last day at the end.

    `ended`: instead, those that are no longer true, the last ended first. Raises `BadCursor`. A cursor stands for a
    place in the order: a fact that changes rank between two pages may come twice or not at all.
    """
    start = _place(cursor)
    end = start + limit
    ranked = _listed(prefix, end + 1, ended=ended, now=now)
    return FactsPage(ranked[start:end], _cursor(end) if len(ranked) > end else "")


def _listed(prefix: str, most: int, *, ended: bool, now: datetime) -> list[RankedFact]:
    facts = PersonalFact.objects
    if ended:
        rows = facts.retired().filter(key__startswith=prefix) if prefix else facts.retired()
        return facts.with_importance(list(rows[:most]), now)
    if not prefix:
        return facts.by_importance(now, limit=most)
    holding = list(facts.filter(retired_at=None, key__startswith=prefix))
    ranked = facts.ranked_anew(facts.with_importance(holding, now), now)
    return sorted(ranked, key=lambda item: item.is_past)[:most]


def _cursor(place: int) -> str:
    return urlsafe_b64encode(b"facts:%d" % place).decode()


def _place(cursor: str) -> int:
    if not cursor:
        return 0
    try:
        match = _CURSOR.fullmatch(urlsafe_b64decode(cursor))
    except ValueError:
        match = None
    if match is None or int(match[1]) > MOST:
        raise BadCursor("cursor must be the one of an earlier answer, unchanged.")
    return int(match[1])

"""What will become of a fact's place in the prompt, said as far as it can be known.

All facts age by the same factor, so time alone moves none past another: a fact falls out of the prompt only when
others come before it. How many that takes is arithmetic; when, a guess from how many were learned lately.
"""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain, repeat

from django.conf import settings

from memory import events, ranking
from memory.models import AuditRow, RankedFact
from memory.text import wording

LATELY = timedelta(days=30)
YEAR = timedelta(days=365)


@dataclass(frozen=True)
class Lift:
    """What a fact would be worth now after something that lifts it, and which place (from 1) it would take."""

    importance: float
    place: int


@dataclass(frozen=True)
class Outlook:
    """`place` (from 1) among `total`. `newer_needed`: how many newer facts push it out, 0 where it is out; `is_counted`
    where that is sure, because the number of facts bounds it and not their length.

    `safe_until`: until then no newly learned fact can come before it, because its edits weigh more; None: not even now.
    `leaves_at`: when `newer_needed` facts will have been learned at the pace of `learned_lately` in `LATELY`; None
    where that is more than a year away, or nobody knows.
    """

    place: int
    total: int
    is_put_in: bool
    newer_needed: int
    is_counted: bool
    safe_until: datetime | None
    learned_lately: int
    leaves_at: datetime | None
    said_again: Lift
    edited: Lift


def read_outlook(ranked: Sequence[RankedFact], at: int, *, is_put_in: bool, now: datetime) -> Outlook:
    """The outlook of the fact at this place (from 0) of the order. At most one query."""
    needed = newer_needed([item.fact.sentence for item in ranked[: at + 1]]) if is_put_in else 0
    learned = _learned_lately(now, but=ranked[at].fact.key) if is_put_in else 0
    safe_until = _safe_until(ranked[at], now)
    return Outlook(
        place=at + 1,
        total=len(ranked),
        is_put_in=is_put_in,
        newer_needed=needed,
        is_counted=needed == settings.CAESAR.memory.facts.max_injected - at,
        safe_until=safe_until,
        learned_lately=learned,
        leaves_at=_leaves_at(safe_until or now, needed, learned, now),
        said_again=_said_again(ranked, at),
        edited=_edited(ranked, at),
    )


def newer_needed(sentences: Sequence[str]) -> int:
    """How many facts before these push the last of them out of the prompt, each as long as these are on average."""
    caps = settings.CAESAR.memory.facts
    newer = "x" * round(sum(map(len, sentences)) / len(sentences))

    def pushes_out(count: int) -> bool:
        block = wording.facts_block(
            chain(repeat(newer, count), sentences), max_facts=caps.max_injected, max_chars=caps.max_chars
        )
        return block.count < count + len(sentences)

    return bisect_left(range(caps.max_injected + 1), True, key=pushes_out)


def _learned_lately(now: datetime, *, but: str) -> int:
    """How many facts were learned or written down in the last 30 days, this one not counted."""
    rows = AuditRow.objects.get_queryset().of_type(events.FactAdded, events.FactUserAdded).filter(ts__gt=now - LATELY)
    keys = rows.exclude(fact_key=but).values_list("fact_key", "payload__restored_from")
    return len({key for key, restored_from in keys if restored_from is None})


def _safe_until(item: RankedFact, now: datetime) -> datetime | None:
    """When its importance comes down to 1.0, which is what a new and sure fact starts with; None where it has."""
    at_first = item.importance.confidence * item.importance.edit_weight
    if at_first <= 1.0:
        return None
    halflife_days = settings.CAESAR.memory.facts_importance.halflife_days
    until = _later(item.fact.last_confirmed_at, halflife_days * math.log(at_first))
    return until if until > now else None


def _later(moment: datetime, days: float) -> datetime:
    return moment + timedelta(days=min(days, 365_000))


def _leaves_at(start: datetime, needed: int, learned: int, now: datetime) -> datetime | None:
    if not needed or not learned:
        return None
    leaves_at = _later(start, needed * LATELY.days / learned)
    return leaves_at if leaves_at <= now + YEAR else None


def _said_again(ranked: Sequence[RankedFact], at: int) -> Lift:
    rank = ranked[at].importance
    return _lift(rank.confidence * rank.edit_weight, ranked, at)


def _edited(ranked: Sequence[RankedFact], at: int) -> Lift:
    scale = settings.CAESAR.memory.facts_importance.edit_weight_scale
    return _lift(ranking.edit_weight(ranked[at].importance.edit_count + 1, scale), ranked, at)


def _lift(importance: float, ranked: Sequence[RankedFact], at: int) -> Lift:
    """The place it takes with this importance: before its equals, since it would be the newest."""
    ahead = sum(item.importance.value > importance for place, item in enumerate(ranked) if place != at)
    return Lift(importance, ahead + 1)

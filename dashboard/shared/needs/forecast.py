"""A forecast of a fact's place in the prompt.

All facts age by the same factor, so time alone never changes their order: a fact drops out of the prompt only when
others come before it. How many that takes can be calculated; when it happens is estimated from how many facts were
learned lately.
"""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain, repeat

from django.conf import settings

from memory import events, ranking
from memory.models import AuditRow, PersonalFact, Standings
from memory.recall import relevant_facts
from memory.text import wording

LATELY = timedelta(days=30)
YEAR = timedelta(days=365)


@dataclass(frozen=True)
class ProjectedRank:
    """The rank a fact would have after a change made now.

    `place` counts from 1.
    """

    importance: float
    place: int


@dataclass(frozen=True)
class PromptForecast:
    """Where a fact is in the ranking now, and what would push it out of the prompt.

    - `place` (from 1) among `total`.
    - `newer_needed`: how many newer facts push it out; 0 where it is out already.
    - `is_counted`: whether that number is exact, because the cap on the number of facts decides, not their length.
    - `safe_until`: until then no newly learned fact can come before it, because it was edited; None: not even now.
    - `leaves_at`: when `newer_needed` facts will have been learned at the rate of `learned_lately` in `LATELY`; None
      where that is more than a year away or unknown.
    """

    place: int
    total: int
    is_put_in: bool
    newer_needed: int
    is_counted: bool
    safe_until: datetime | None
    learned_lately: int
    leaves_at: datetime | None
    said_again: ProjectedRank
    edited: ProjectedRank


def read_forecast(standings: Standings, at: int, *, is_put_in: bool, now: datetime) -> PromptForecast:
    """The forecast for the fact at this place (from 0). At most two queries. Past facts compete no more."""
    total = len(standings) if standings.ranks.is_past[at] else standings.holding
    needed = count_newer_needed(_sentences(standings, at), behind=total - at - 1) if is_put_in else 0
    until = safe_until(float(standings.weight[at]), standings.confirmed_at(at), now)
    learned = len(learned_lately(now) - {standings.keys[at]})
    return PromptForecast(
        place=at + 1,
        total=total,
        is_put_in=is_put_in,
        newer_needed=needed,
        is_counted=needed == _places_left(at, total),
        safe_until=until,
        learned_lately=learned,
        leaves_at=leaves_at(until or now, needed, learned, now),
        said_again=_projected_rank(float(standings.weight[at]), standings, at),
        edited=_projected_rank(_weight_if_edited(standings, at), standings, at),
    )


def _sentences(standings: Standings, at: int) -> Sequence[str]:
    """The sentences of the facts up to this place."""
    ids = standings.ranks.ids[: at + 1].tolist()
    texts = PersonalFact.objects.texts(ids)
    return [wording.sentence(*texts[row]) for row in ids if row in texts]


def count_newer_needed(sentences: Sequence[str], *, behind: int = 0) -> int:
    """How many newer facts, each as long as these on average, push the last of these out of the prompt.

    In the mode `mixed`: out of what is in every prompt. `behind`: how many less important facts there are, each taken
    to be as long.
    """
    caps = settings.CAESAR.memory.facts
    newer = "x" * round(sum(map(len, sentences)) / len(sentences))

    def all_fit(count: int, *, last: int, most: int) -> bool:
        lines = chain(repeat(newer, count), sentences, repeat(newer, last))
        return (
            wording.facts_block(lines, max_facts=most, max_chars=caps.max_chars).count == count + len(sentences) + last
        )

    def pushes_out(count: int) -> bool:
        if all_fit(count, last=0, most=relevant_facts.important_places(caps)):
            return False
        return caps.selection == "importance" or not all_fit(count, last=behind, most=relevant_facts.most_facts(caps))

    return bisect_left(range(caps.max_injected + 1), True, key=pushes_out)


def _places_left(at: int, total: int) -> int:
    """How many newer facts push out the one at this position (from 0) where the number of facts decides."""
    caps = settings.CAESAR.memory.facts
    left = relevant_facts.important_places(caps) - at
    return left if caps.selection == "importance" else max(left, relevant_facts.most_facts(caps) + 1 - total)


def learned_lately(now: datetime) -> set[str | None]:
    """The keys of the facts that were learned or written down in the last 30 days. One query."""
    rows = AuditRow.objects.get_queryset().of_type(events.FactAdded, events.FactUserAdded).filter(ts__gt=now - LATELY)
    keys = rows.values_list("fact_key", "payload__restored_from")
    return {key for key, restored_from in keys if restored_from is None}


def safe_until(weight: float, confirmed_at: datetime, now: datetime) -> datetime | None:
    """When the importance falls to 1.0, with which a new and sure fact starts; None where it has already.

    `weight`: the fact's importance on the day it was confirmed.
    """
    if weight <= 1.0:
        return None
    halflife_days = settings.CAESAR.memory.facts_importance.halflife_days
    until = _later(confirmed_at, halflife_days * math.log(weight))
    return until if until > now else None


def _later(moment: datetime, days: float) -> datetime:
    """That many days later, but no later than a datetime can hold."""
    return moment + timedelta(days=min(days, 365_000))


def leaves_at(start: datetime, needed: int, learned: int, now: datetime) -> datetime | None:
    """When `needed` facts will have been learned, counted from `start`; None where more than a year away or unknown."""
    if not needed or not learned:
        return None
    leaves = _later(start, needed * LATELY.days / learned)
    return leaves if leaves <= now + YEAR else None


def _weight_if_edited(standings: Standings, at: int) -> float:
    scale = settings.CAESAR.memory.facts_importance.edit_weight_scale
    return ranking.edit_weight(int(standings.ranks.edits[at]) + 1, scale)


def _projected_rank(importance: float, standings: Standings, at: int) -> ProjectedRank:
    """Its rank with this importance: before facts of equal importance, since it would be the newest.

    Facts that are past compete with nobody, unless it is past itself.
    """
    competing = standings.ranks.value > importance
    if not standings.ranks.is_past[at]:
        competing &= ~standings.ranks.is_past
    competing[at] = False
    return ProjectedRank(importance, int(competing.sum()) + 1)

"""Facts that will leave the prompt within two weeks, unless the operator says that they are still true."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings

from dashboard.shared.needs.forecast import LATELY, count_newer_needed, learned_lately, leaves_at, safe_until
from dashboard.shared.prompt_budget import PromptBudget, ranked_for_budget
from memory.models import PersonalFact, RankedFact, let_go_keys
from memory.text.keys import is_worth_keeping

SOON = timedelta(days=14)


@dataclass(frozen=True)
class LeavingFact:
    """A fact whose place in the prompt will be taken around `leaves_at` at the pace of the last 30 days.

    `newer_needed`: how many newer facts push it out; `learned`: how many were learned in 30 days.
    """

    fact: PersonalFact
    leaves_at: datetime
    newer_needed: int
    learned: int

    @property
    def is_worth_keeping(self) -> bool:
        """Whether to offer first that it is kept."""
        return is_worth_keeping(self.fact.key)


def read_leaving(now: datetime) -> list[LeavingFact]:
    """Those facts, the next to leave first; none that the operator let go. Two queries, four after a change of facts.

    In the mode `mixed` only those worth keeping: a message brings the others in again.
    """
    ranked = ranked_for_budget(now)
    budget = PromptBudget.of(ranked)
    if not budget.count:
        return []
    learned = learned_lately(now)
    found = _leaving(ranked, budget.count, learned, now) if learned else []
    gone = let_go_keys([item.fact for item in found], now=now)
    return [item for item in found if item.fact.key not in gone]


def _leaving(ranked: Sequence[RankedFact], count: int, learned: set[str | None], now: datetime) -> list[LeavingFact]:
    """From the last fact in the prompt upwards: those further up take more newer facts."""
    holding = [item for item in ranked if not item.is_past]
    is_mixed = settings.CAESAR.memory.facts.selection == "mixed"
    found = []
    for at in range(count - 1, -1, -1):
        item = holding[at]
        others = len(learned - {item.fact.key})
        needed = count_newer_needed([one.fact.sentence for one in holding[: at + 1]], behind=len(holding) - at - 1)
        if needed * LATELY.days > others * SOON.days:
            break
        weight = item.importance.confidence * item.importance.edit_weight
        until = safe_until(weight, item.fact.last_confirmed_at, now)
        leaves = leaves_at(until or now, needed, others, now)
        if leaves is None or leaves > now + SOON or item.fact.is_kept:
            continue
        if not is_mixed or is_worth_keeping(item.fact.key):
            found.append(LeavingFact(item.fact, leaves, needed, others))
    return found

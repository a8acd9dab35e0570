"""How much room the prompt has for facts: which of its caps bites, and which fact leaves next."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.conf import settings

from dashboard.shared.addresses import address
from dashboard.shared.prompt_budget import PromptBudget, sentences_needed
from memory.models import Standings
from memory.recall import relevant_facts
from memory.text import wording


@dataclass(frozen=True)
class Meter:
    """How much of a cap is used. `bites`: it is what keeps the next fact out. `note`: what is left of it, in words."""

    name: str
    used: int
    most: int
    bites: bool
    note: str

    @property
    def percent(self) -> float:
        """How full it is, 0 to 100."""
        return round(min(100.0, 100 * self.used / self.most), 1) if self.most else 100.0


@dataclass(frozen=True)
class NamedFact:
    """A fact in words, and where its page is."""

    sentence: str
    address: str


@dataclass(frozen=True)
class PromptRoom:
    """How full the prompt is. No meters where no facts are put into prompts.

    `cut_off`: the importance that parts the facts in every prompt from the others; None where all fit, or none is in.
    `next_to_leave`: the least important one in; None where all fit.
    """

    budget: PromptBudget
    meters: Sequence[Meter] = ()
    cut_off: float | None = None
    next_to_leave: NamedFact | None = None


def read_room(standings: Standings, texts: Mapping[int, tuple[str, str]]) -> PromptRoom:
    """How full the prompt is with these facts. No query. `texts`: {id: (key, value)} of at least the first ones."""
    ids = standings.ranks.ids[: min(standings.holding, sentences_needed() + 1)].tolist()
    named = [texts[row] for row in ids if row in texts]
    sentences = [wording.sentence(*one) for one in named]
    budget = PromptBudget.of_sentences(sentences, total=standings.holding, first=standings.first)
    count = budget.count
    if count is None:
        return PromptRoom(budget)
    is_full = count < standings.holding
    leaving = count - 1 if is_full and count > standings.first else None
    return PromptRoom(
        budget,
        _meters(sentences, budget, kept=min(count, standings.first), is_full=is_full),
        _cut_off(standings, count) if is_full else None,
        NamedFact(sentences[leaving], address("fact", key=named[leaving][0])) if leaving is not None else None,
    )


def _cut_off(standings: Standings, count: int) -> float | None:
    """Halfway, by factors, between the last fact that is in and the first that is not; kept ones are in anyway."""
    value, outside = standings.ranks.value, float(standings.ranks.value[count])
    inside = float(value[count - 1]) if count > standings.first else outside
    return math.sqrt(inside * outside) or inside or None


def _meters(sentences: Sequence[str], budget: PromptBudget, *, kept: int, is_full: bool) -> list[Meter]:
    caps, count = settings.CAESAR.memory.facts, budget.count or 0
    most = relevant_facts.most_facts(caps)
    block = wording.facts_block(sentences[:count], max_facts=count, max_chars=caps.max_chars).text
    by_number = count + budget.by_message >= most
    average = max(1, round(len(block) / count)) if count else 0
    facts_note = "full: this one bites" if is_full and by_number else f"room for {most - count} more"
    if budget.by_message:
        facts_note = f"in every prompt, and about {budget.by_message} more as the message asks"
    spare = (caps.max_chars - len(block)) // average if average else 0
    chars_note = "full: this one bites" if is_full and not by_number else f"long enough for about {spare} more facts"
    return [
        Meter("Facts", count, most, is_full and by_number, facts_note),
        Meter("Characters", len(block), caps.max_chars, is_full and not by_number, chars_note),
        Meter("Kept", kept, most // 2, False, "half of the room at most"),
    ]

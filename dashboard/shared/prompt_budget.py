"""How many facts fit into a prompt, and which of its two caps ends them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings

from caesar.conf import FactsSettings
from memory.models import PersonalFact, RankedFact
from memory.recall import relevant_facts
from memory.text import wording

_SAMPLE = 200  # facts whose length says how long others are


@dataclass(frozen=True)
class PromptBudget:
    """How many of the ranked facts are in every prompt, and why no more.

    `count` is None where facts stay out of prompts. `by_message`: about how many more a message brings in, in the mode
    `mixed`. `closing`: what ends the facts, as a sentence; "" where all of them fit.
    """

    count: int | None
    ends_because: str = ""
    by_message: int = 0
    closing: str = ""

    @classmethod
    def of(cls, ranked: Sequence[RankedFact]) -> "PromptBudget":
        """The caps of ADR-0033 §3, applied to the facts in the prompt's order."""
        holding = [item.fact for item in ranked if not item.is_past]  # past ones come last
        first = relevant_facts.kept_at_head(ranked, most=relevant_facts.most_facts(settings.CAESAR.memory.facts))
        sentences = [fact.sentence for fact in holding[: sentences_needed()]]
        return cls.of_sentences(sentences, total=len(holding), first=first)

    @classmethod
    def of_sentences(cls, sentences: Sequence[str], *, total: int, first: int) -> "PromptBudget":
        """The same for facts of which only the first `sentences_needed` are read.

        `total`: how many are not past. `first`: how many stand first because the operator keeps them.
        """
        if not settings.CAESAR.facts_injection_enabled:
            return cls(None)
        caps = settings.CAESAR.memory.facts
        most = relevant_facts.most_facts(caps)
        count = _fitting(sentences, most, caps)
        if count == total:
            return cls(count, _ends_because(count, most, caps))
        if caps.selection == "mixed":
            always = max(relevant_facts.important_places(caps), first)
            return cls._mixed(sentences[:_SAMPLE], most, caps, always)
        return cls(count, _ends_because(count, most, caps), closing=_closing(count, most, caps))

    @classmethod
    def _mixed(cls, sentences: Sequence[str], most: int, caps: FactsSettings, always: int) -> "PromptBudget":
        """What is fixed, and about how much room is left for what the message brings in."""
        fixed = _fitting(sentences, always, caps)
        about = max(fixed, min(most, _lines_that_fit(sentences, caps)))
        if about == fixed:
            return cls(fixed, _ends_because(fixed, most, caps), closing=_closing(fixed, most, caps))
        closing = _closing(about, most, caps, about="about ")
        return cls(fixed, _ends_because(about, most, caps), about - fixed, closing)

    @property
    def is_mixed(self) -> bool:
        """Whether messages bring facts in, too."""
        return settings.CAESAR.memory.facts.selection == "mixed"

    @property
    def caps(self) -> str:
        """Both caps in words: "30 facts or 2,048 characters"."""
        caps = settings.CAESAR.memory.facts
        return f"{relevant_facts.most_facts(caps):,} facts or {caps.max_chars:,} characters"

    def leaves_out(self, position: int) -> bool:
        """Whether the fact at this position (from 0) is not in every prompt."""
        return self.count is not None and position >= self.count


def sentences_needed() -> int:
    """How many sentences, from the most important, `PromptBudget.of_sentences` looks at."""
    caps = settings.CAESAR.memory.facts
    return max(relevant_facts.most_facts(caps), _SAMPLE if caps.selection == "mixed" else 0)


def ranked_for_budget(now: datetime) -> Sequence[RankedFact]:
    """As many facts by importance as `PromptBudget.of` needs. One query, a few more after a change of memory."""
    if settings.CAESAR.memory.facts.selection == "mixed":
        return PersonalFact.objects.prompt_candidates(now)
    return PersonalFact.objects.for_prompt(now)


def _fitting(sentences: Iterable[str], most: int, caps: FactsSettings) -> int:
    return wording.facts_block(sentences, max_facts=most, max_chars=caps.max_chars).count


def _lines_that_fit(sentences: Sequence[str], caps: FactsSettings) -> int:
    """How many lines as long as these on average fill the characters."""
    heading = len(wording.FACTS_HEADING) + 1
    one = len(wording.facts_block(["x"], max_facts=1, max_chars=1_000).text) - heading  # a line of one letter
    average = sum(map(len, sentences)) / len(sentences) + one
    return int(max(0, caps.max_chars - heading) // average)


def _ends_because(count: int, most: int, caps: FactsSettings) -> str:
    if count >= most:
        return f"{most:,} facts are the most it takes"
    return f"the {caps.max_chars:,} characters it takes are used up"


def _closing(count: int, most: int, caps: FactsSettings, *, about: str = "") -> str:
    """Which of the two caps ends the facts."""
    if count >= most:
        return "The number of facts ends them, not their length."
    lines = f"{about}1 line fills" if count == 1 else f"{about}{count:,} lines fill"
    return f"Their length ends them, not their number: {lines} {caps.max_chars:,} characters."

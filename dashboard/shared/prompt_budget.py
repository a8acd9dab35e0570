"""How many facts fit into a prompt."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings

from memory.models import RankedFact
from memory.text import wording


@dataclass(frozen=True)
class PromptBudget:
    """How many of the ranked facts a prompt takes, and why no more. `count` is None where facts stay out of prompts."""

    count: int | None
    ends_because: str = ""

    @classmethod
    def of(cls, ranked: Sequence[RankedFact]) -> "PromptBudget":
        """The caps of ADR-0033 §3, applied to the facts in their order."""
        if not settings.CAESAR.facts_injection_enabled:
            return cls(None)
        caps = settings.CAESAR.memory.facts
        sentences = (item.fact.sentence for item in ranked if not item.is_past)  # past ones come last
        count = wording.facts_block(sentences, max_facts=caps.max_injected, max_chars=caps.max_chars).count
        if count >= caps.max_injected:
            return cls(count, f"{caps.max_injected:,} facts are the most it takes")
        return cls(count, f"the {caps.max_chars:,} characters it takes are used up")

    @property
    def caps(self) -> str:
        """Both caps in words: "30 facts or 2,048 characters"."""
        caps = settings.CAESAR.memory.facts
        return f"{caps.max_injected:,} facts or {caps.max_chars:,} characters"

    def leaves_out(self, position: int) -> bool:
        """Whether the fact at this position (from 0) does not get into the prompt."""
        return self.count is not None and position >= self.count

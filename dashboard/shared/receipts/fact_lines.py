"""A fact of a prompt as receipt and preview list it."""

from dataclasses import dataclass

from memory.events import FactRelevance, FactSelection, ServedBy, ServedFact
from memory.models import PersonalFact
from memory.ranking import Importance


@dataclass(frozen=True)
class FactLine:
    """A fact, the parts of its importance, and what brought it in: `by` is "" where that can only be its importance."""

    key: str
    sentence: str
    importance: float
    freshness: float
    confidence: float
    edit_weight: float
    edit_count: int
    by: ServedBy | str = ""
    relevance: FactRelevance | None = None

    @classmethod
    def of_receipt(cls, fact: ServedFact, selection: FactSelection) -> "FactLine":
        """The line of a fact that a receipt names."""
        return cls(
            key=fact.key,
            sentence=fact.sentence,
            importance=fact.importance,
            freshness=fact.freshness,
            confidence=fact.confidence,
            edit_weight=fact.edit_weight,
            edit_count=fact.edit_count,
            by=fact.by if selection == "mixed" or fact.by == "kept" else "",
            relevance=fact.relevance,
        )

    @classmethod
    def of_fact(
        cls, fact: PersonalFact, importance: Importance, *, is_mixed: bool, relevance: FactRelevance | None
    ) -> "FactLine":
        """The line of a fact as it is now. `is_mixed`: messages bring facts in, too, those with `relevance`."""
        by = "" if not is_mixed else "importance" if relevance is None else "message"
        return cls(
            key=fact.key,
            sentence=fact.sentence,
            importance=importance.value,
            freshness=importance.freshness,
            confidence=importance.confidence,
            edit_weight=importance.edit_weight,
            edit_count=importance.edit_count,
            by=by,
            relevance=relevance,
        )

"""The facts of one prompt: which, in what order, and what brought each of them in."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from django.conf import settings

from memory import events
from memory.chat.turn import Turn
from memory.models import PersonalFact
from memory.recall import relevant_facts
from memory.recall.relevant_facts import Question, SelectedFact
from memory.text import wording


@dataclass(frozen=True)
class FactsPart:
    """The facts of one prompt: their block, what is in it and why, or why there is none."""

    block: str = ""
    served: list[events.ServedFact] = field(default_factory=list)
    left_out: list[events.LeftOut] = field(default_factory=list)
    selection: events.FactSelection = "importance"
    words_alone: str = ""


def facts_part(turn: Turn, question: Question | None) -> FactsPart:
    """The facts within both caps, unless switched off for this turn or in the settings.

    Those that the operator keeps come first. Then by importance; with a `question`, in the mode `mixed`, some of them
    by what it asks for.
    """
    if not turn.use.inject:
        return FactsPart(left_out=[events.LeftOut(part="facts", reason="switched off for this turn")])
    if not settings.CAESAR.facts_injection_enabled:
        off = "switched off: CAESAR_MEMORY__FACTS__ENABLED"
        return FactsPart(left_out=[events.LeftOut(part="facts", reason=off)])
    most = relevant_facts.most_facts(settings.CAESAR.memory.facts)
    if question is None:
        return _within_caps(relevant_facts.by_rank(PersonalFact.objects.for_prompt(turn.now), most=most))
    selection = relevant_facts.select(relevant_facts.candidates_at(turn.now), question, most=most)
    current = PersonalFact.objects.at(turn.now, (fact.item for fact in selection.facts))
    part = _within_caps([replace(fact, item=item) for fact, item in zip(selection.facts, current, strict=True)])
    return replace(part, selection="mixed", words_alone=selection.words_alone)


def _within_caps(facts: Sequence[SelectedFact]) -> FactsPart:
    limits = settings.CAESAR.memory.facts
    served = [_served(fact) for fact in facts]
    block = wording.facts_block(
        (item.sentence for item in served), max_facts=limits.max_injected, max_chars=limits.max_chars
    )
    return FactsPart(block.text, served[: block.count])


def _served(fact: SelectedFact) -> events.ServedFact:
    item = fact.item
    return events.ServedFact(
        key=item.fact.key,
        sentence=item.fact.sentence,
        importance=item.importance.value,
        freshness=item.importance.freshness,
        confidence=item.importance.confidence,
        edit_weight=item.importance.edit_weight,
        edit_count=item.importance.edit_count,
        by=fact.by,
        relevance=fact.relevance,
    )

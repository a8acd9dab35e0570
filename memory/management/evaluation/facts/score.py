"""The figures of one model: what it learned beside what it should have. Pure."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from memory.management.evaluation.facts import matching
from memory.management.evaluation.facts.cases import Case, GoldFact
from memory.management.evaluation.facts.outcome import LearnedFact, Outcome
from memory.management.evaluation.shares import Share


@dataclass
class Score:
    """What the figures are made of; `add` takes in one case after the other.

    `strict`: expected facts that were learned with value and key; `lenient`: with the value, whatever the key.
    `precise`: learned facts that were expected, by their value; `precise_strictly`: by value and key. `empty`: cases
    that teach nothing and taught nothing. `updates`, `confirms`, `retirements`: expected changes of known facts.
    """

    cases: int = 0
    strict: Share = field(default_factory=Share)
    lenient: Share = field(default_factory=Share)
    precise: Share = field(default_factory=Share)
    precise_strictly: Share = field(default_factory=Share)
    empty: Share = field(default_factory=Share)
    updates: Share = field(default_factory=Share)
    confirms: Share = field(default_factory=Share)
    retirements: Share = field(default_factory=Share)
    forbidden: int = 0
    retired_wrongly: int = 0
    unusable: int = 0
    failed: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    answers: int = 0
    unreported: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0

    def add(self, case: Case, outcome: Outcome) -> None:
        """Take in one case."""
        self.cases += 1
        self._add_facts(case, outcome)
        self._add_retirements(case, outcome)
        self.forbidden += len(forbidden_facts(case, outcome))
        self.unusable += outcome.unusable
        self.failed += bool(outcome.failure)
        self.refused.update(outcome.refused)
        self.answers += outcome.answers
        self.unreported += outcome.unreported
        self.input_tokens += outcome.input_tokens
        self.output_tokens += outcome.output_tokens
        self.seconds += outcome.seconds

    def _add_facts(self, case: Case, outcome: Outcome) -> None:
        matches = matched(case.gold, outcome.learned)
        strict = [match is not None and match.is_strict for match in matches]
        for gold, match, is_strict in zip(case.gold, matches, strict, strict=True):
            self.strict.count(is_strict)
            self.lenient.count(match is not None)
            self._add_change(gold, match.fact if match and is_strict else None, outcome)
        found = sum(match is not None for match in matches)
        for place in range(len(outcome.learned)):
            self.precise.count(place < found)
            self.precise_strictly.count(place < sum(strict))
        if not case.gold:
            self.empty.count(not outcome.learned and not outcome.failure)

    def _add_change(self, gold: GoldFact, fact: LearnedFact | None, outcome: Outcome) -> None:
        if gold.op == "update":
            self.updates.count(fact is not None and not outdated_keys(gold, outcome))
        elif gold.op == "confirm":
            self.confirms.count(fact is not None and fact.op == "confirm")

    def _add_retirements(self, case: Case, outcome: Outcome) -> None:
        for pattern in case.retire:
            self.retirements.count(pattern not in missed_retirements(case, outcome))
        self.retired_wrongly += len(wrong_retirements(case, outcome))


@dataclass(frozen=True)
class Match:
    """The learned fact that stands for an expected one. `is_strict`: its key fits as well."""

    fact: LearnedFact
    is_strict: bool


def matched(gold: Sequence[GoldFact], learned: Sequence[LearnedFact]) -> list[Match | None]:
    """For each expected fact, in order, the learned one that fits best and stands for no other yet."""
    left = list(learned)
    found: list[Match | None] = []
    for expected in gold:
        fitting = [
            Match(fact, matching.key_matches(fact.key, expected.key_any))
            for fact in left
            if matching.value_matches(fact.value, expected.value_any)
        ]
        best = next((match for match in fitting if match.is_strict), fitting[0] if fitting else None)
        if best is not None:
            left = [fact for fact in left if fact is not best.fact]
        found.append(best)
    return found


def forbidden_facts(case: Case, outcome: Outcome) -> list[LearnedFact]:
    """The learned facts that the case forbids."""
    return [fact for fact in outcome.learned if matching.is_forbidden(fact.key, fact.value, case.forbidden)]


def outdated_keys(gold: GoldFact, outcome: Outcome) -> list[str]:
    """The keys of known facts that the update should have replaced and that still say what they said."""
    return [
        key
        for key, value in outcome.kept.items()
        if key not in outcome.retired
        and matching.key_matches(key, gold.key_any)
        and not matching.value_matches(value, gold.value_any)
    ]


def missed_retirements(case: Case, outcome: Outcome) -> list[str]:
    """The patterns of facts that should have ended, where none did."""
    return [pattern for pattern in case.retire if not any(matching.key_matches(k, [pattern]) for k in outcome.retired)]


def wrong_retirements(case: Case, outcome: Outcome) -> list[str]:
    """The keys of facts that ended and should not have."""
    return [key for key in outcome.retired if not matching.key_matches(key, _may_end(case))]


def _may_end(case: Case) -> list[str]:
    """Patterns of the keys that may end: those named, and those that an update replaces."""
    return [*case.retire, *(pattern for gold in case.gold if gold.op == "update" for pattern in gold.key_any)]

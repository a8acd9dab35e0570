"""The facts as the operator sees them: ranked, with what their rank is made of and where the prompt ends."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.conf import settings
from django.db.models import Max

from memory import events, wording
from memory.models import AuditRow, PersonalFact, RankedFact
from memory.ranking import Importance

PAGE_SIZE = 200

Origin = Literal["chat", "typed", "gone"]
"""Where a fact comes from: a chat that is still there, the operator's keyboard, a row that is no longer kept."""

_BUMPS = (
    events.FactAdded,
    events.FactUpdated,
    events.FactConfirmed,
    events.FactUserEdited,
    events.FactUserAdded,
)
_ORIGINS = (events.FactAdded, events.FactUpdated, events.FactUserAdded)


@dataclass(frozen=True)
class FactRow:
    """One fact on the page. `bumped_by`: the audit row that last moved its freshness or confidence."""

    fact: PersonalFact
    importance: Importance
    bar_percent: float
    is_left_out: bool
    is_first_left_out: bool
    bumped_by: int | None
    origin: Origin

    @property
    def edit_weight(self) -> str:
        """What its edits multiply it by, as short as it goes: 1.5, 2."""
        return f"{self.importance.edit_weight:.4g}"


@dataclass(frozen=True)
class Budget:
    """How many of the facts a prompt takes; None where facts are not put into prompts at all."""

    count: int | None
    ends_because: str = ""

    @classmethod
    def of(cls, ranked: Sequence[RankedFact]) -> "Budget":
        """The caps of ADR-0033 §3, applied to the facts in their order."""
        if not settings.CAESAR.facts_injection_enabled:
            return cls(None)
        caps = settings.CAESAR.memory.facts
        sentences = (item.fact.sentence for item in ranked)
        count = wording.facts_block(sentences, max_facts=caps.max_injected, max_chars=caps.max_chars).count
        if count >= caps.max_injected:
            return cls(count, f"{caps.max_injected:,} facts are the most it takes")
        return cls(count, f"the {caps.max_chars:,} characters it takes are used up")


@dataclass(frozen=True)
class FactTable:
    """One page of the facts, most important first."""

    rows: Sequence[FactRow]
    total: int
    budget: Budget
    page: int
    pages: int

    @property
    def previous_page(self) -> int | None:
        """The number of the page before this one."""
        return self.page - 1 if self.page > 1 else None

    @property
    def next_page(self) -> int | None:
        """The number of the page after this one."""
        return self.page + 1 if self.page < self.pages else None

    def has(self, fact_id: int | None) -> bool:
        """Whether this fact stands on this page."""
        return any(row.fact.pk == fact_id for row in self.rows)


def read_table(now: datetime, *, page: int = 1) -> FactTable:
    """One page of `PAGE_SIZE` facts; the last one where there are fewer. At most six queries, however many facts."""
    caps = settings.CAESAR.memory.facts
    if page <= 1 and caps.max_injected <= PAGE_SIZE:
        ranked = PersonalFact.objects.by_importance(now, limit=PAGE_SIZE)
        total = PersonalFact.objects.count()
    else:
        ranked = PersonalFact.objects.by_importance(now)
        total = len(ranked)
    pages = max(1, -(-total // PAGE_SIZE))
    page = min(max(page, 1), pages)
    budget = Budget.of(ranked)
    places = range((page - 1) * PAGE_SIZE, min(page * PAGE_SIZE, len(ranked)))
    return FactTable(_rows(ranked, places, budget), total=total, budget=budget, page=page, pages=pages)


def read_row(key: str, now: datetime) -> FactRow | None:
    """One fact as it stands in the table, or None where there is none with this key."""
    fact = PersonalFact.objects.by_key(key)
    ranked = PersonalFact.objects.by_importance(now)
    place = next((at for at, item in enumerate(ranked) if fact is not None and item.fact.pk == fact.pk), None)
    return None if place is None else _rows(ranked, range(place, place + 1), Budget.of(ranked))[0]


def _rows(ranked: Sequence[RankedFact], places: range, budget: Budget) -> list[FactRow]:
    shown = [ranked[place].fact for place in places]
    bumped_by, origins = _bumped_by(shown), _origins(shown)
    largest = ranked[0].importance.value if ranked else 0.0
    taken = len(ranked) if budget.count is None else budget.count
    return [
        FactRow(
            fact=(item := ranked[place]).fact,
            importance=item.importance,
            bar_percent=round(100 * item.importance.value / largest, 1) if largest > 0 else 0.0,
            is_left_out=place >= taken,
            is_first_left_out=place == taken,
            bumped_by=bumped_by.get(item.fact.key),
            origin=origins.get(item.fact.key, "gone"),
        )
        for place in places
    ]


def _bumped_by(facts: Sequence[PersonalFact]) -> Mapping[str | None, int]:
    """{key: id of the newest row that moved the fact's freshness or confidence} (ADR-0034 §5). One query."""
    rows = AuditRow.objects.get_queryset().of_type(*_BUMPS).filter(fact_key__in=[fact.key for fact in facts])
    return dict(rows.values_list("fact_key").annotate(newest=Max("id")).order_by())


def _origins(facts: Sequence[PersonalFact]) -> Mapping[str, Origin]:
    """{key: where the fact comes from}. One query, none where every fact has its chat."""
    origins: dict[str, Origin] = {fact.key: "chat" for fact in facts if fact.source_audit_id is not None}
    sourceless = [fact.key for fact in facts if fact.source_audit_id is None]
    if sourceless:
        rows = AuditRow.objects.get_queryset().of_type(*_ORIGINS).filter(fact_key__in=sourceless)
        for key, kind, restored_from in rows.order_by("id").values_list(
            "fact_key", "event_type", "payload__restored_from"
        ):
            if key is not None and restored_from is None:  # what undo brought back comes from where it came from first
                origins[key] = "typed" if kind == events.FactUserAdded.name else "gone"
    return origins

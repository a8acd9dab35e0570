"""The facts as the operator sees them: ranked, with what their rank is made of and where the prompt ends."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.conf import settings
from django.db.models import Max, Q

from dashboard.facts.query_parameters import Place
from dashboard.facts.search import Chips, chips, finder, namespace
from memory import events
from memory.models import AuditRow, PersonalFact, RankedFact
from memory.ranking import Importance
from memory.text import normalising, wording

PAGE_SIZE = 200

Origin = Literal["chat", "typed", "gone"]
"""Where a fact comes from: a chat that is still there, the operator's keyboard, a row that is no longer kept."""

BUMPS = (
    events.FactAdded,
    events.FactUpdated,
    events.FactConfirmed,
    events.FactUserEdited,
    events.FactUserAdded,
)
_ORIGINS = (events.FactAdded, events.FactUpdated, events.FactUserAdded)


@dataclass(frozen=True)
class FactRow:
    """One fact on the page. `bumped_by`: the audit row that last moved its freshness or confidence.

    `is_edited`: its value is the operator's own correction.
    """

    fact: PersonalFact
    importance: Importance
    bar_percent: float
    is_left_out: bool
    is_first_left_out: bool
    bumped_by: int | None
    origin: Origin
    is_edited: bool


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

    @property
    def caps(self) -> str:
        """What bounds it, in words: "30 facts or 2,048 characters"."""
        caps = settings.CAESAR.memory.facts
        return f"{caps.max_injected:,} facts or {caps.max_chars:,} characters"

    def leaves_out(self, at: int) -> bool:
        """Whether the fact at this place (from 0) does not get into the prompt."""
        return self.count is not None and at >= self.count


@dataclass(frozen=True)
class FactTable:
    """One page of the facts found, most important first. `total`: of all, `found`: of those asked for."""

    rows: Sequence[FactRow]
    total: int
    found: int
    found_in_prompt: int
    budget: Budget
    chips: Chips
    place: Place
    pages: int

    @property
    def previous_page(self) -> int | None:
        """The number of the page before this one."""
        return self.place.page - 1 if self.place.page > 1 else None

    @property
    def next_page(self) -> int | None:
        """The number of the page after this one."""
        return self.place.page + 1 if self.place.page < self.pages else None

    def has(self, fact_id: int | None) -> bool:
        """Whether this fact stands on this page."""
        return any(row.fact.pk == fact_id for row in self.rows)


def read_table(now: datetime, place: Place, *, keep: PersonalFact | None = None) -> FactTable:
    """The page of `PAGE_SIZE` facts at this place; the last one where there are fewer. Six queries, however many.

    `keep`: a fact that was just changed, shown even where the search no longer finds it.
    """
    ranked = PersonalFact.objects.by_importance(now)
    searched, found = _found(ranked, place, keep)
    pages = max(1, -(-len(found) // PAGE_SIZE))
    page = min(max(place.page, 1), pages)
    budget = Budget.of(ranked)
    return FactTable(
        _rows(ranked, found[(page - 1) * PAGE_SIZE : page * PAGE_SIZE], budget),
        total=len(ranked),
        found=len(found),
        found_in_prompt=sum(not budget.leaves_out(at) for at in found),
        budget=budget,
        chips=chips((ranked[at].fact.key for at in searched), chosen=place.namespace),
        place=Place(place.search, place.namespace, page),
        pages=pages,
    )


def _found(ranked: Sequence[RankedFact], place: Place, keep: PersonalFact | None) -> tuple[list[int], list[int]]:
    """Places in the whole order: of the facts the search finds, and of those among them in the namespace."""
    searched = list(range(len(ranked)))
    if place.search:
        finds = finder(place.search)
        searched = [at for at in searched if _is(ranked[at].fact, keep) or finds(_texts(ranked[at].fact))]
    if not place.namespace:
        return searched, searched
    wanted = place.namespace.casefold()
    return searched, [at for at in searched if _is(ranked[at].fact, keep) or namespace(ranked[at].fact.key) == wanted]


def _is(fact: PersonalFact, other: PersonalFact | None) -> bool:
    return other is not None and fact.pk == other.pk


def _texts(fact: PersonalFact) -> tuple[str, str, str]:
    """What a search looks at."""
    return fact.key, fact.value, fact.sentence


def read_row(key: str, now: datetime) -> FactRow | None:
    """One fact as it stands in the table, or None where there is none with this key."""
    ranked = PersonalFact.objects.by_importance(now)
    at = place_of(key, ranked)
    return None if at is None else _rows(ranked, [at], Budget.of(ranked))[0]


def place_of(key: str, ranked: Sequence[RankedFact]) -> int | None:
    """Where the fact with this key, as it is spelled or in its normal form, stands in the order (from 0)."""
    places = {item.fact.key: at for at, item in enumerate(ranked)}
    return next((places[spelled] for spelled in normalising.key_spellings(key) if spelled in places), None)


def _rows(ranked: Sequence[RankedFact], places: Sequence[int], budget: Budget) -> list[FactRow]:
    shown = [ranked[at].fact for at in places]
    bumped_by, origins, edited = _bumped_by(shown), origins_of(shown), _still_as_edited(shown)
    largest = ranked[0].importance.value if ranked else 0.0
    first_left_out = next((at for at in places if budget.leaves_out(at)), None)
    return [
        FactRow(
            fact=(item := ranked[at]).fact,
            importance=item.importance,
            bar_percent=round(100 * item.importance.value / largest, 1) if largest > 0 else 0.0,
            is_left_out=budget.leaves_out(at),
            is_first_left_out=at == first_left_out,
            bumped_by=bumped_by.get(item.fact.key),
            origin=origins.get(item.fact.key, "gone"),
            is_edited=item.fact.key in edited,
        )
        for at in places
    ]


def _bumped_by(facts: Sequence[PersonalFact]) -> Mapping[str | None, int]:
    """{key: id of the newest row that moved the fact's freshness or confidence} (ADR-0034 §5). One query.

    Undo of a deletion moves neither: the fact comes back as it was.
    """
    rows = AuditRow.objects.get_queryset().of_type(*BUMPS).filter(fact_key__in=[fact.key for fact in facts])
    is_no_undo = (
        ~Q(event_type=events.FactUserAdded.name)
        | Q(payload__restored_from=None)  # null in the payload
        | Q(payload__restored_from__isnull=True)  # absent from it
    )
    return dict(rows.filter(is_no_undo).values_list("fact_key").annotate(newest=Max("id")).order_by())


def _still_as_edited(facts: Sequence[PersonalFact]) -> set[str | None]:
    """The keys whose value is the operator's own correction, not what was said or written after it. One query."""
    edited, others = events.FactUserEdited, (events.FactAdded, events.FactUpdated, events.FactUserAdded)
    rows = AuditRow.objects.get_queryset().of_type(edited, *others).filter(fact_key__in=[fact.key for fact in facts])
    newest = rows.order_by("id").values_list("fact_key", "event_type", "payload__restored_from")
    last = {key: kind for key, kind, restored_from in newest if restored_from is None}
    return {key for key, kind in last.items() if kind == edited.name}


def origins_of(facts: Sequence[PersonalFact]) -> Mapping[str, Origin]:
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

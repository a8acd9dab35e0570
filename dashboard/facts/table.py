"""The table of facts: ranked, with what each rank is made of and where the prompt ends."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max, Q

from dashboard.facts.query_parameters import FactsQuery
from dashboard.facts.review import EndedFacts, read_ended
from dashboard.facts.search import NamespaceChips, namespace_chips, namespace_of, search_matcher
from dashboard.shared.fact_origins import FactOrigin, read_origins
from dashboard.shared.prompt_budget import PromptBudget
from memory import events
from memory.models import AuditRow, PersonalFact, RankedFact
from memory.ranking import Importance
from memory.text import normalising

PAGE_SIZE = 200

FRESHNESS_EVENTS = (
    events.FactAdded,
    events.FactUpdated,
    events.FactConfirmed,
    events.FactUserEdited,
    events.FactUserAdded,
    events.FactUserConfirmed,
)
"""What moves a fact's freshness or confidence."""


@dataclass(frozen=True)
class FactRow:
    """One row of the table.

    `bumped_by`: the id of the audit row that last moved the fact's freshness or confidence. `is_edited`: its value is
    the operator's own correction. `is_by_message`: it is in the prompts of messages that ask for it.
    """

    fact: PersonalFact
    importance: Importance
    bar_percent: float
    is_left_out: bool
    is_by_message: bool
    is_first_left_out: bool
    is_past: bool
    is_first_past: bool
    bumped_by: int | None
    origin: FactOrigin
    is_edited: bool


@dataclass(frozen=True)
class FactTable:
    """One page of the facts found, kept ones and then the most important first, those past their last day at the end.

    `total` counts all facts, `found` those of the query; `ended` are those found that are no longer true.
    """

    rows: Sequence[FactRow]
    total: int
    found: int
    found_in_prompt: int
    budget: PromptBudget
    chips: NamespaceChips
    query: FactsQuery
    pages: int
    ended: EndedFacts

    @property
    def previous_page(self) -> int | None:
        """The number of the page before this one."""
        return self.query.page - 1 if self.query.page > 1 else None

    @property
    def next_page(self) -> int | None:
        """The number of the page after this one."""
        return self.query.page + 1 if self.query.page < self.pages else None

    def has(self, fact_id: int | None) -> bool:
        """Whether this fact is on this page."""
        return any(row.fact.pk == fact_id for row in self.rows)


def read_table(now: datetime, query: FactsQuery, *, keep: PersonalFact | None = None) -> FactTable:
    """The page of `PAGE_SIZE` facts that the query asks for, or the last page. Seven queries, however many facts.

    `keep`: a fact that was just changed, shown even where the search does not find it.
    """
    ranked = PersonalFact.objects.in_prompt_order(now)
    searched, found = _search_positions(ranked, query, keep)
    pages = max(1, -(-len(found) // PAGE_SIZE))
    page = min(query.page, pages)
    budget = PromptBudget.of(ranked)
    return FactTable(
        _rows(ranked, found[(page - 1) * PAGE_SIZE : page * PAGE_SIZE], budget),
        total=len(ranked),
        found=len(found),
        found_in_prompt=sum(not budget.leaves_out(at) for at in found),
        budget=budget,
        chips=namespace_chips((ranked[at].fact.key for at in searched), chosen=query.namespace),
        query=FactsQuery(query.search, query.namespace, page),
        pages=pages,
        ended=read_ended(_finder(query)),
    )


def _finder(query: FactsQuery) -> Callable[[PersonalFact], bool]:
    """Whether the query finds a fact."""
    matches = search_matcher(query.search) if query.search else None
    wanted = query.namespace.casefold()
    return lambda fact: (
        (not matches or matches(_searched_texts(fact))) and (not wanted or namespace_of(fact.key) == wanted)
    )


def _search_positions(
    ranked: Sequence[RankedFact], query: FactsQuery, keep: PersonalFact | None
) -> tuple[list[int], list[int]]:
    """Positions in the ranking: of the facts the search finds, and of those among them in the namespace."""
    searched = list(range(len(ranked)))
    if query.search:
        matches = search_matcher(query.search)
        searched = [
            at for at in searched if _is_same(ranked[at].fact, keep) or matches(_searched_texts(ranked[at].fact))
        ]
    if not query.namespace:
        return searched, searched
    wanted = query.namespace.casefold()
    return searched, [
        at for at in searched if _is_same(ranked[at].fact, keep) or namespace_of(ranked[at].fact.key) == wanted
    ]


def _is_same(fact: PersonalFact, other: PersonalFact | None) -> bool:
    return other is not None and fact.pk == other.pk


def _searched_texts(fact: PersonalFact) -> tuple[str, str, str]:
    """The texts a search looks at."""
    return fact.key, fact.value, fact.sentence


def read_row(key: str, now: datetime) -> FactRow | None:
    """The table's row of one fact; None where no fact has this key."""
    ranked = PersonalFact.objects.in_prompt_order(now)
    at = position_of(key, ranked)
    return None if at is None else _rows(ranked, [at], PromptBudget.of(ranked))[0]


def position_of(key: str, ranked: Sequence[RankedFact]) -> int | None:
    """The position (from 0) of the fact with this key, as spelled or in its normal form; None where there is none."""
    positions = {item.fact.key: at for at, item in enumerate(ranked)}
    return next((positions[spelled] for spelled in normalising.key_spellings(key) if spelled in positions), None)


def _rows(ranked: Sequence[RankedFact], positions: Sequence[int], budget: PromptBudget) -> list[FactRow]:
    shown = [ranked[at].fact for at in positions]
    bumped_by, origins, edited = _read_bumping_rows(shown), read_origins(shown), _read_edited_keys(shown)
    largest = max((item.importance.value for item in ranked), default=0.0)
    first_left_out = next((at for at in positions if budget.leaves_out(at) and not ranked[at].is_past), None)
    first_past = next((at for at in positions if ranked[at].is_past), None)
    return [
        FactRow(
            fact=(item := ranked[at]).fact,
            importance=item.importance,
            bar_percent=round(100 * item.importance.value / largest, 1) if largest > 0 else 0.0,
            is_left_out=budget.leaves_out(at) and not _is_by_message(item, at, budget),
            is_by_message=_is_by_message(item, at, budget),
            is_first_left_out=at == first_left_out,
            is_past=item.is_past,
            is_first_past=at == first_past,
            bumped_by=bumped_by.get(item.fact.key),
            origin=origins.get(item.fact.key, "gone"),
            is_edited=item.fact.key in edited,
        )
        for at in positions
    ]


def _is_by_message(item: RankedFact, at: int, budget: PromptBudget) -> bool:
    return budget.by_message > 0 and budget.leaves_out(at) and not item.is_past


def _read_bumping_rows(facts: Sequence[PersonalFact]) -> Mapping[str | None, int]:
    """{key: id of the newest row that moved the fact's freshness or confidence} (ADR-0034 §5). One query.

    An undone deletion moves neither: the fact comes back as it was.
    """
    rows = AuditRow.objects.get_queryset().of_type(*FRESHNESS_EVENTS).filter(fact_key__in=[fact.key for fact in facts])
    is_not_undo = (
        ~Q(event_type=events.FactUserAdded.name)
        | Q(payload__restored_from=None)  # null in the payload
        | Q(payload__restored_from__isnull=True)  # absent from it
    )
    return dict(rows.filter(is_not_undo).values_list("fact_key").annotate(newest=Max("id")).order_by())


def _read_edited_keys(facts: Sequence[PersonalFact]) -> set[str | None]:
    """The keys of facts whose value is still the operator's own correction. One query."""
    edited, others = events.FactUserEdited, (events.FactAdded, events.FactUpdated, events.FactUserAdded)
    rows = AuditRow.objects.get_queryset().of_type(edited, *others).filter(fact_key__in=[fact.key for fact in facts])
    newest = rows.order_by("id").values_list("fact_key", "event_type", "payload__restored_from")
    last = {key: kind for key, kind, restored_from in newest if restored_from is None}
    return {key for key, kind in last.items() if kind == edited.name}

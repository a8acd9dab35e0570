"""The table of facts: one page of those that a query asks for, and where the prompt ends."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from dashboard.facts.map.drawing import DOTS_AT_MOST, FactMap, draw_map
from dashboard.facts.map.room import PromptRoom, read_room
from dashboard.facts.query_parameters import OTHER, FactsFilter, FactsOrder, FactsQuery
from dashboard.facts.review import EndedFacts, read_ended
from dashboard.facts.rows import FactRow, read_rows
from dashboard.facts.search import NamespaceChips, namespace_of, search_matcher
from dashboard.facts.selection import FILTER_NAMES, FilterChip, choose, filter_chips
from dashboard.shared.needs.reading import Needs, leaving_now
from dashboard.shared.prompt_budget import PromptBudget, sentences_needed
from memory.models import PersonalFact, Standings

PAGE_SIZE = 50

Texts = Mapping[int, tuple[str, str]]
"""{id: (key, value)}"""


_COLUMNS: Sequence[tuple[str, FactsOrder]] = (
    ("Importance", "importance"),
    ("Fact", "name"),
    ("Confirmed", "confirmed"),
    ("Learned in", "learned"),
)
_DIRECTIONS: Mapping[FactsOrder, str] = {
    "importance": "descending",
    "name": "ascending",
    "confirmed": "descending",
    "learned": "descending",
}


@dataclass(frozen=True)
class Column:
    """A heading that sorts the list. `direction`: as in `aria-sort`, "" where it is sorted by another one."""

    name: str
    sort: FactsOrder
    direction: str


@dataclass(frozen=True)
class FactTable:
    """One page of the facts found, in the order of the query.

    `total` counts all facts, `found` those of the query; `ended` are those found that are no longer true. `room` is how
    full the prompt is, `map` the drawing of all facts, None where the answer is not the whole page.
    """

    rows: Sequence[FactRow]
    total: int
    found: int
    found_in_prompt: int
    room: PromptRoom
    chips: NamespaceChips
    counts: Mapping[FactsFilter, int]
    query: FactsQuery
    pages: int
    ended: EndedFacts
    map: FactMap | None = None

    @property
    def budget(self) -> PromptBudget:
        """How many facts fit, and why no more."""
        return self.room.budget

    @property
    def previous_page(self) -> int | None:
        """The number of the page before this one."""
        return self.query.page - 1 if self.query.page > 1 else None

    @property
    def next_page(self) -> int | None:
        """The number of the page after this one."""
        return self.query.page + 1 if self.query.page < self.pages else None

    @property
    def columns(self) -> Sequence[Column]:
        """The columns that the list can be sorted by."""
        return [
            Column(name, order, _DIRECTIONS[order] if order == self.query.order else "") for name, order in _COLUMNS
        ]

    @property
    def namespace_words(self) -> str:
        """The chosen namespace in words."""
        return "namespaces with one fact" if self.query.namespace == OTHER else self.query.namespace

    @property
    def filter_words(self) -> str:
        """The chosen filter in words."""
        return FILTER_NAMES[self.query.only]

    def filters(self, waiting: int) -> Sequence[FilterChip]:
        """The chips that choose which facts are shown. `waiting`: how many claims wait for review."""
        counts = {**self.counts, "waiting": waiting, "ended": self.ended.count}
        return filter_chips(counts, self.query.only)

    def has(self, fact_id: int | None) -> bool:
        """Whether this fact is on this page."""
        return any(row.fact.pk == fact_id for row in self.rows)


def read_table(
    now: datetime,
    query: FactsQuery,
    *,
    keep: PersonalFact | None = None,
    with_map: bool = False,
    alone: str | None = None,
    needs: Needs | None = None,
) -> FactTable:
    """The page of `PAGE_SIZE` facts that the query asks for, or the last page. Ten queries, however many facts; a few
    more once the facts have changed.

    `keep`: a fact that was just changed, shown even where the search does not find it. `alone`: the key of the one fact
    whose row is read, "" for none. `needs`: what needs the operator, where the page has read it.
    """
    standings = PersonalFact.objects.standings(now)
    texts = _read_texts(standings, query, with_map=with_map)
    room = read_room(standings, texts)
    budget = room.budget
    leaving = {item.fact.pk: item.leaves_at for item in (needs.leaving if needs else leaving_now(now))}
    chosen = choose(
        standings, query, in_prompt=budget.count, texts=texts, leaving=leaving, keep=keep.pk if keep else None
    )
    found = chosen.places.tolist()
    pages = max(1, -(-len(found) // PAGE_SIZE))
    page = min(query.page, pages)
    query = replace(query, page=page, key="", at_fact=False)
    places = found[(page - 1) * PAGE_SIZE : page * PAGE_SIZE]
    if alone is not None:
        places = _place_of(alone, standings)
    draws_lines = query.order == "importance" and alone is None
    return FactTable(
        read_rows(standings, places, budget, query, draws_lines=draws_lines, leaving=leaving),
        total=len(standings),
        found=len(found),
        found_in_prompt=sum(not budget.leaves_out(at) for at in found),
        room=room,
        chips=chosen.chips,
        counts=chosen.counts,
        query=query,
        pages=pages,
        ended=read_ended(_finder(query)),
        map=draw_map(standings, room, texts, now) if with_map and len(standings) else None,
    )


def read_row(key: str, now: datetime, query: FactsQuery) -> FactRow | None:
    """The table's row of one fact; None where no fact has this key."""
    standings = PersonalFact.objects.standings(now)
    budget = read_room(standings, _read_texts(standings, FactsQuery(), with_map=False)).budget
    rows = read_rows(standings, _place_of(key, standings), budget, query, draws_lines=False, leaving={})
    return next(iter(rows), None)


def _place_of(key: str, standings: Standings) -> list[int]:
    """The place of the fact with this key; empty where there is none."""
    at = standings.position_of(key) if key else None
    return [] if at is None else [at]


def _read_texts(standings: Standings, query: FactsQuery, *, with_map: bool) -> Texts:
    """Keys and values of as many facts as are looked at: all for a search and a map of dots, else the first. One query.

    One more than fits, which may be the next to come in.
    """
    if query.search or (with_map and len(standings) <= DOTS_AT_MOST):
        return PersonalFact.objects.texts()
    return PersonalFact.objects.texts(standings.ranks.ids[: sentences_needed() + 1].tolist())


def _finder(query: FactsQuery) -> Callable[[PersonalFact], bool]:
    """Whether the query finds a fact."""
    matches = search_matcher(query.search) if query.search else None
    wanted = query.namespace.casefold()
    return lambda fact: (
        (not matches or matches((fact.key, fact.value, fact.sentence)))
        and (not wanted or namespace_of(fact.key) == wanted)
    )

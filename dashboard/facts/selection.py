"""Which facts a query asks for, and in which order: decided on columns, before any row is read whole."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import get_args

import numpy as np

from dashboard.facts.query_parameters import OTHER, FactsFilter, FactsQuery
from dashboard.facts.search import NamespaceChips, lonely_namespaces, namespace_chips, namespace_of, search_matcher
from memory.models import PersonalFact, Standings
from memory.ranking import Flags, Indices
from memory.text import wording

UNSURE_BELOW = 0.7
"""The confidence below which a fact counts as unsure."""

FILTER_NAMES: Mapping[FactsFilter, str] = {
    "": "all",
    "in": "in the prompt",
    "below": "below",
    "leaving": "leaving soon",
    "kept": "kept",
    "yours": "yours",
    "unsure": "unsure",
    "waiting": "waits for review",
    "ended": "no longer true",
}


@dataclass(frozen=True)
class FilterChip:
    """A link that chooses which facts are shown. `count`: how many of the facts found it shows."""

    name: str
    only: FactsFilter
    count: int
    is_chosen: bool


@dataclass(frozen=True)
class Chosen:
    """The facts that a query asks for, as places among the standings, in the order of the list."""

    places: Indices
    chips: NamespaceChips
    counts: Mapping[FactsFilter, int]


def choose(
    standings: Standings,
    query: FactsQuery,
    *,
    in_prompt: int | None,
    texts: Mapping[int, tuple[str, str]],
    leaving: Mapping[int, datetime],
    keep: int | None = None,
) -> Chosen:
    """What the query finds. `in_prompt`: how many of the first are in every prompt, None where none is put into any.

    `leaving`: {id: when it will leave the prompt} of those that do so soon.

    `texts`: {id: (key, value)} of all, where the query searches. `keep`: the id of a fact that is shown in any case.
    """
    kept = standings.ranks.ids == -1 if keep is None else standings.ranks.ids == keep
    searched = _found_by_search(standings, query, texts) | kept
    namespaces = np.array([namespace_of(key) for key in standings.keys], dtype=object)
    inside = _in_namespace(namespaces, searched, query.namespace) | kept
    masks = _masks(standings, in_prompt, PersonalFact.objects.own_words(), leaving)
    shown = masks.get(query.only, np.zeros(len(standings), dtype=np.bool_)) | (kept & query.has_table)
    places = np.flatnonzero(searched & inside & shown)
    return Chosen(
        places=places[_order(standings, places, query, leaving)],
        chips=namespace_chips(namespaces[searched & shown].tolist(), chosen=query.namespace),
        counts={name: int((mask & searched & inside).sum()) for name, mask in masks.items()},
    )


def filter_chips(counts: Mapping[FactsFilter, int], chosen: FactsFilter) -> Sequence[FilterChip]:
    """The chips of all filters that show something, and of the chosen one."""
    names: tuple[FactsFilter, ...] = get_args(FactsFilter)
    return [
        FilterChip(FILTER_NAMES[name], name, counts.get(name, 0), name == chosen)
        for name in names
        if counts.get(name) or name in ("", chosen)
    ]


def _masks(
    standings: Standings, in_prompt: int | None, yours: set[str], leaving: Mapping[int, datetime]
) -> dict[FactsFilter, Flags]:
    """{filter: which facts it shows}, each (n,)."""
    total = len(standings)
    is_in = np.arange(total) < (in_prompt or 0)
    return {
        "": np.ones(total, dtype=np.bool_),
        "in": is_in,
        "below": ~is_in if in_prompt is not None else np.zeros(total, dtype=np.bool_),
        "leaving": np.isin(standings.ranks.ids, list(leaving)),
        "kept": standings.is_kept,
        "yours": np.array([key in yours for key in standings.keys], dtype=np.bool_),
        "unsure": standings.ranks.confidence < UNSURE_BELOW,
    }


def _found_by_search(standings: Standings, query: FactsQuery, texts: Mapping[int, tuple[str, str]]) -> Flags:
    if not query.search:
        return np.ones(len(standings), dtype=np.bool_)
    matches = search_matcher(query.search)
    found = (
        row in texts and matches((*texts[row], wording.sentence(*texts[row]))) for row in standings.ranks.ids.tolist()
    )
    return np.fromiter(found, dtype=np.bool_, count=len(standings))


def _in_namespace(namespaces: "np.typing.NDArray[np.object_]", searched: Flags, wanted: str) -> Flags:
    if not wanted:
        return np.ones(len(namespaces), dtype=np.bool_)
    if wanted != OTHER:
        same: Flags = namespaces == wanted.casefold()
        return same
    single = lonely_namespaces(Counter(namespaces[searched].tolist()))
    return np.array([name in single for name in namespaces], dtype=np.bool_)


def _order(standings: Standings, places: Indices, query: FactsQuery, leaving: Mapping[int, datetime]) -> Indices:
    """The order of these places by the query's column; ties by importance. Of those that leave, the next first."""
    order = query.order
    if query.only == "leaving" and order == "importance":
        when = [leaving[row].timestamp() for row in standings.ranks.ids[places].tolist() if row in leaving]
        return np.argsort(when, kind="stable") if len(when) == len(places) else np.arange(len(places))
    if order == "confirmed":
        return np.argsort(-standings.ranks.confirmed_us[places], kind="stable")
    if order == "learned":
        learned = PersonalFact.objects.learned_order()
        return np.argsort([learned.get(row, 0) for row in standings.ranks.ids[places].tolist()], kind="stable")
    if order == "name":
        names = [standings.keys[place].casefold() for place in places]
        return np.array(sorted(range(len(names)), key=names.__getitem__), dtype=np.intp)
    return np.arange(len(places))

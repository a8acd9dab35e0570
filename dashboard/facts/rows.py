"""The rows of the table: whole facts, read for the page that is shown and no others."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from django.db.models import Max, Q
from django.urls import reverse

from dashboard.facts.query_parameters import FactsQuery
from dashboard.shared.fact_origins import FactOrigin, read_origins
from dashboard.shared.prompt_budget import PromptBudget
from memory import events
from memory.models import AuditRow, PersonalFact, Standings
from memory.ranking import Importance

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
class FactAddresses:
    """Where the links of one row lead."""

    page: str
    edit: str


@dataclass(frozen=True)
class FactRow:
    """One row of the table.

    `bumped_by`: the address of the audit row that last moved the fact's freshness or confidence, `source` that of its
    chat, "" where there is none. `is_edited`: its value is
    the operator's own correction. `is_by_message`: it is in the prompts of messages that ask for it. `shows_key`: the
    key says what the sentence does not.
    """

    fact: PersonalFact
    sentence: str
    importance: Importance
    bar_percent: int
    is_left_out: bool
    is_by_message: bool
    is_first_left_out: bool
    is_past: bool
    is_first_past: bool
    is_kept: bool
    shows_key: bool
    bumped_by: str
    source: str
    origin: FactOrigin
    is_edited: bool
    leaves_at: datetime | None
    addresses: FactAddresses


def read_rows(
    standings: Standings,
    places: Sequence[int],
    budget: PromptBudget,
    query: FactsQuery,
    *,
    draws_lines: bool,
    leaving: Mapping[int, datetime],
) -> list[FactRow]:
    """The rows of the facts at these places. Three queries, four where a fact has no chat.

    `draws_lines`: they stand in the order of importance, so that lines part what is in the prompt from what is not.
    `leaving`: when those leave the prompt that do so soon; said where the list is of these.
    """
    facts = PersonalFact.objects.in_bulk(standings.ranks.ids[list(places)].tolist())
    shown = {place: fact for place in places if (fact := facts.get(int(standings.ranks.ids[place]))) is not None}
    values = list(shown.values())
    bumped_by, origins, edited = _read_bumping_rows(values), read_origins(values), _read_edited_keys(values)
    is_past = standings.ranks.is_past
    first_left_out = next((at for at in shown if budget.leaves_out(at) and not is_past[at]), None)
    first_past = next((at for at in shown if is_past[at]), None)
    largest = float(standings.ranks.value.max(initial=0.0))
    locate, event_address = _locator(query), _event_locator()
    return [
        FactRow(
            fact=fact,
            sentence=(sentence := fact.sentence),
            importance=(importance := standings.ranks.parts(at)),
            bar_percent=round(100 * importance.value / largest) if largest > 0 else 0,
            is_left_out=budget.leaves_out(at) and not _is_by_message(standings, at, budget),
            is_by_message=_is_by_message(standings, at, budget),
            is_first_left_out=draws_lines and at == first_left_out,
            is_past=bool(is_past[at]),
            is_first_past=draws_lines and at == first_past,
            is_kept=bool(standings.is_kept[at]),
            shows_key=says_more(fact.key, sentence),
            bumped_by=event_address(bumped_by.get(fact.key)),
            source=event_address(fact.source_audit_id),
            origin=origins.get(fact.key, "gone"),
            is_edited=fact.key in edited,
            leaves_at=leaving.get(fact.pk) if query.only == "leaving" else None,
            addresses=locate(fact.key),
        )
        for at, fact in shown.items()
    ]


def says_more(key: str, sentence: str) -> bool:
    """Whether the last word of a key is not in its sentence, as in `address.city`: "You live in Ghent"."""
    return key.replace(".", " ").replace("_", " ").casefold().split(" ")[-1] not in sentence.casefold()


def _locator(query: FactsQuery) -> Callable[[str], FactAddresses]:
    """Makes a fact's addresses of its key. What is the same in all of them is put together once."""
    page, edit = reverse("fact"), reverse("fact-edit")
    place = {name: value for name, value in query.parameters.items() if value is not None}
    kept = f"&{urlencode(place, errors='replace')}" if place else ""

    def locate(key: str) -> FactAddresses:
        named = urlencode({"key": key}, errors="replace")
        return FactAddresses(f"{page}?{named}", f"{edit}?{named}{kept}")

    return locate


def _event_locator() -> Callable[[int | None], str]:
    """Makes the address of a row of the audit log of its id, "" of none."""
    before, after = reverse("event", args=[0]).rsplit("0", 1)
    return lambda row: "" if row is None else f"{before}{row}{after}"


def _is_by_message(standings: Standings, at: int, budget: PromptBudget) -> bool:
    return budget.by_message > 0 and budget.leaves_out(at) and not standings.ranks.is_past[at]


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

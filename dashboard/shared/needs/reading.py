"""Everything that needs the operator, read at once for the overview and counted for the head of every page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import connections
from django.db.models import Subquery

from dashboard.shared.health import Health
from dashboard.shared.jobs import JOBS
from dashboard.shared.needs.leaving import LeavingFact, read_leaving
from dashboard.shared.needs.replaced import ReplacedEdit, read_replaced
from dashboard.shared.subqueries import count_subquery, read_subqueries
from memory import events
from memory.backup import standing
from memory.backup.standing import BackupStanding
from memory.models import AskAgain, AuditRow, MemoryRevision, WaitingFact
from memory.text import wording

SHOWN = 3
"""How many facts that leave, and how many replaced edits, are shown one by one."""


@dataclass(frozen=True)
class GivenUpChats:
    """The chats one worker gave up: how many, the id of the last, and how many the operator has asked for again."""

    job: str
    count: int
    last: int | None
    asked_again: int

    @property
    def can_be_asked(self) -> bool:
        """Whether there is one that the operator has not asked for again."""
        return self.count > self.asked_again


@dataclass(frozen=True)
class Needs:
    """What needs the operator now. `to_review`: how many claims wait, `first_claim`: the oldest, in words."""

    given_up: Sequence[GivenUpChats]
    to_review: int
    first_claim: str
    leaving: Sequence[LeavingFact]
    replaced: Sequence[ReplacedEdit]
    is_paused: bool
    backup: BackupStanding
    sweep: events.Event | None = None
    """The last row about a sweep: what it did and held back, or that the operator allowed it to go on."""
    is_shared: bool = False
    """Whether others use the clients, and no setting says who the operator is."""

    @property
    def held_back(self) -> events.RetentionSweep | None:
        """The last sweep, where rows wait for the operator's word."""
        return self.sweep if isinstance(self.sweep, events.RetentionSweep) and self.sweep.held_back else None

    @property
    def is_sweep_allowed(self) -> bool:
        """Whether the operator has just allowed the sweep to go on."""
        return isinstance(self.sweep, events.SweepAllowed)

    @property
    def failed(self) -> Sequence[GivenUpChats]:
        """What was given up and not asked for again, for each worker that gave something up."""
        return [chats for chats in self.given_up if chats.can_be_asked]

    @property
    def count(self) -> int:
        """How many lines the list of them has: reviews are one, and so are the failed chats of one worker."""
        one_each = (self.to_review, self.is_paused, self.held_back, self.is_shared, self.backup.needs_operator)
        many = (_lines(self.leaving), _lines(self.replaced), len(self.failed))
        return sum(many) + sum(map(bool, one_each))

    @property
    def leaving_shown(self) -> Sequence[LeavingFact]:
        """Those shown one by one, the next to leave first: what is worth keeping goes before others."""
        chosen = sorted(self.leaving, key=lambda item: (not item.is_worth_keeping, item.leaves_at))[:SHOWN]
        return sorted(chosen, key=lambda item: item.leaves_at)

    @property
    def leaving_more(self) -> int:
        """How many more leave."""
        return max(0, len(self.leaving) - SHOWN)

    @property
    def replaced_shown(self) -> Sequence[ReplacedEdit]:
        """Those shown one by one."""
        return self.replaced[:SHOWN]

    @property
    def replaced_more(self) -> int:
        """How many more were replaced."""
        return max(0, len(self.replaced) - SHOWN)


def _lines(items: Sequence[object]) -> int:
    """One for each that is shown, and one for the rest."""
    return min(len(items), SHOWN + 1)


def read_needs(now: datetime, health: Health, row: Mapping[str, Any] | None = None) -> Needs:
    """What needs the operator at `now`. `row`: the `needs_columns`, where they were read with others.

    Two queries, one with `row`; up to eight more once the facts have changed.
    """
    row = read_subqueries(needs_columns()) if row is None else row
    of_facts = _current_fact_needs(now)
    return Needs(
        given_up=_given_up(row),
        to_review=row["to_review"],
        first_claim=wording.sentence(row["claim_key"], row["claim_value"]) if row["claim_key"] else "",
        leaving=of_facts.leaving,
        replaced=of_facts.replaced,
        is_paused=health.paused_at is not None and bool(health.at_work),
        backup=standing.of_row(row, is_on=settings.CAESAR.backup.enabled, now=now),
        sweep=events.parse(row["sweep_type"], row["sweep_payload"]) if row["sweep_type"] else None,
        is_shared=bool(health.first_person),
    )


def leaving_now(now: datetime) -> Sequence[LeavingFact]:
    """The facts that leave the prompt soon, the next first. One query; more once the facts have changed."""
    return _current_fact_needs(now).leaving


@dataclass(frozen=True)
class _FactNeeds:
    """What needs the operator of the facts, and the state of memory and settings that it holds for."""

    valid_for: tuple[object, ...]
    leaving: Sequence[LeavingFact]
    replaced: Sequence[ReplacedEdit]


_kept: _FactNeeds | None = None


def _current_fact_needs(now: datetime) -> _FactNeeds:
    """Read again after a change of the facts, on another day, and inside a transaction, whose changes may be undone."""
    global _kept
    memory, revision = settings.CAESAR.memory, MemoryRevision.current()
    valid_for = (revision.facts_changed, memory.facts, memory.facts_importance, settings.CAESAR.day_of(now))
    is_in_transaction = connections[AuditRow.objects.db].in_atomic_block
    if _kept is not None and _kept.valid_for == valid_for and not is_in_transaction:
        return _kept
    found = _FactNeeds(valid_for, read_leaving(now), read_replaced(now))
    if not is_in_transaction:
        _kept = found
    return found


def _given_up(row: Mapping[str, Any]) -> list[GivenUpChats]:
    return [
        GivenUpChats(name, row[f"{name}_given_up"], row[f"{name}_last_given_up"], row[f"{name}_asked_again"])
        for name in JOBS
    ]


def needs_columns() -> dict[str, Any]:
    """{name: what is counted}, all read in one query."""
    claims = WaitingFact.objects.open()
    sweeps = AuditRow.objects.get_queryset().of_type(events.RetentionSweep, events.SweepAllowed).order_by("-id")
    columns: dict[str, Any] = {
        "to_review": count_subquery(claims),
        "claim_key": Subquery(claims.order_by("id").values("key")[:1]),
        "claim_value": Subquery(claims.order_by("id").values("value")[:1]),
        "sweep_type": Subquery(sweeps.values("event_type")[:1]),
        "sweep_payload": Subquery(sweeps.values("payload")[:1]),
    }
    for name, job in JOBS.items():
        given_up = job.abandoned_chats()
        columns[f"{name}_given_up"] = count_subquery(given_up)
        columns[f"{name}_last_given_up"] = Subquery(given_up.order_by("-id").values("id")[:1])
        columns[f"{name}_asked_again"] = count_subquery(AskAgain._default_manager.filter(job=job.task))
    return columns | standing.columns()

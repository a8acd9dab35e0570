"""The overview's numbers: how much memory holds, and what its workers gave up."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, Subquery

from dashboard.episodes.rows import recallable
from dashboard.shared.health import Health, WorkerHealth, read_health
from dashboard.shared.jobs import JOBS
from dashboard.shared.prompt_budget import PromptBudget, ranked_for_budget
from dashboard.shared.subqueries import count_subquery, read_subqueries
from memory import events
from memory.learning import reembedding
from memory.models import AskAgain, AuditRow, OutgrownEpisodes, PersonalFact, WaitingFact


@dataclass(frozen=True)
class GivenUpChats:
    """The chats one worker gave up: how many, the id of the last, and how many the operator has asked for again."""

    count: int
    last: int | None
    asked_again: int

    @property
    def can_be_asked(self) -> bool:
        """Whether there is one that the operator has not asked for again."""
        return self.count > self.asked_again


@dataclass(frozen=True)
class OverviewSummary:
    """Whether memory is well, and how much it holds."""

    health: Health
    workers: Sequence[tuple[WorkerHealth, GivenUpChats]]
    facts: int
    budget: PromptBudget
    episodes: int
    is_new: bool
    to_review: int
    """Claims that wait for the operator's review."""
    sweep: events.Event | None = None
    """The last row about a sweep: what it did and held back, or that the operator allowed it to go on."""
    outgrown: OutgrownEpisodes | None = None
    """Episodes that the embedder cannot find any more, since its vectors have another length now."""

    @property
    def held_back(self) -> events.RetentionSweep | None:
        """The last sweep, where rows wait for the operator's word."""
        return self.sweep if isinstance(self.sweep, events.RetentionSweep) and self.sweep.held_back else None

    @property
    def is_sweep_allowed(self) -> bool:
        """Whether the operator has just allowed the sweep to go on."""
        return isinstance(self.sweep, events.SweepAllowed)

    @property
    def given_up(self) -> int:
        """How many readings and summaries were given up."""
        return sum(given_up.count for _, given_up in self.workers)

    @property
    def fitting(self) -> int | None:
        """How many facts fit into a prompt; None where facts stay out of prompts."""
        return self.budget.count

    @property
    def by_message(self) -> int:
        """About how many more a message brings in."""
        return self.budget.by_message

    @property
    def caps(self) -> str:
        """What limits the facts in a prompt, in words."""
        return self.budget.caps


def read_summary(now: datetime) -> OverviewSummary:
    """The current numbers. Three queries, six after a change of the facts; with recall on up to four more."""
    health = read_health(now)
    row = read_subqueries(_subqueries())
    given_up = (
        GivenUpChats(row[f"{name}_given_up"], row[f"{name}_last_given_up"], row[f"{name}_asked_again"]) for name in JOBS
    )
    return OverviewSummary(
        health=health,
        workers=list(zip(health.workers, given_up, strict=True)),
        facts=row["facts"],
        budget=PromptBudget.of(ranked_for_budget(now)),
        episodes=row["episodes"],
        is_new=not row["facts"] and not row["has_chats"] and not row["to_review"],
        outgrown=reembedding.outgrown(now),
        sweep=events.parse(row["sweep_type"], row["sweep_payload"]) if row["sweep_type"] else None,
        to_review=row["to_review"],
    )


def _subqueries() -> dict[str, Any]:
    """{name: what is counted}, all read in one query."""
    columns: dict[str, Any] = {
        "facts": count_subquery(PersonalFact.objects.filter(retired_at=None)),
        "to_review": count_subquery(WaitingFact.objects.open()),
        "episodes": count_subquery(recallable()),
        "has_chats": Exists(AuditRow.objects.get_queryset().chats()),
    }
    sweeps = AuditRow.objects.get_queryset().of_type(events.RetentionSweep, events.SweepAllowed).order_by("-id")
    columns["sweep_type"] = Subquery(sweeps.values("event_type")[:1])
    columns["sweep_payload"] = Subquery(sweeps.values("payload")[:1])
    for name, job in JOBS.items():
        given_up = job.abandoned_chats()
        columns[f"{name}_given_up"] = count_subquery(given_up)
        columns[f"{name}_last_given_up"] = Subquery(given_up.order_by("-id").values("id")[:1])
        columns[f"{name}_asked_again"] = count_subquery(AskAgain._default_manager.filter(job=job.task))
    return columns

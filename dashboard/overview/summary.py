"""The overview's numbers: how much memory holds, and what needs the operator."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists

from dashboard.shared.health import Health, WorkerHealth, read_health
from dashboard.shared.needs.reading import GivenUpChats, Needs, needs_columns, read_needs
from dashboard.shared.prompt_budget import PromptBudget, ranked_for_budget
from dashboard.shared.subqueries import count_subquery, read_subqueries
from memory.learning import reembedding
from memory.models import AuditRow, OutgrownEpisodes, PersonalFact
from memory.recall.recallable import recallable


@dataclass(frozen=True)
class OverviewSummary:
    """Whether memory is well, how much it holds, and what needs the operator."""

    health: Health
    needs: Needs
    workers: Sequence[tuple[WorkerHealth, GivenUpChats]]
    facts: int
    budget: PromptBudget
    episodes: int
    is_new: bool
    outgrown: OutgrownEpisodes | None = None
    """Episodes that the embedder cannot find any more, since its vectors have another length now."""

    @property
    def given_up(self) -> int:
        """How many readings and summaries were given up."""
        return sum(given_up.count for _, given_up in self.workers)

    @property
    def is_ill(self) -> bool:
        """Whether a worker needs a look: one is stuck, late, past the end of the log, or has not run yet."""
        return any(worker.is_stuck or worker.is_past_end or worker.is_late for worker in self.health.at_work)

    @property
    def last_run(self) -> datetime | None:
        """When one of the workers ran last."""
        return max((worker.last_run for worker in self.health.at_work if worker.last_run), default=None)

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
    """The current numbers. Five queries, eight after a change of the facts; with recall on up to four more."""
    health = read_health(now)
    row = read_subqueries(_subqueries())
    needs = read_needs(now, health, row)
    return OverviewSummary(
        health=health,
        needs=needs,
        workers=list(zip(health.workers, needs.given_up, strict=True)),
        facts=row["facts"],
        budget=PromptBudget.of(ranked_for_budget(now)),
        episodes=row["episodes"],
        is_new=not row["facts"] and not row["has_chats"] and not needs.to_review,
        outgrown=reembedding.outgrown(now),
    )


def _subqueries() -> dict[str, Any]:
    """{name: what is counted}, all read in one query."""
    return needs_columns() | {
        "facts": count_subquery(PersonalFact.objects.filter(retired_at=None)),
        "episodes": count_subquery(recallable()),
        "has_chats": Exists(AuditRow.objects.get_queryset().chats()),
    }

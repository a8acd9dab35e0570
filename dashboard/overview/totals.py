"""The overview's numbers: what memory holds, and what its workers gave up."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import Exists, Subquery

from dashboard.facts.table import Budget
from dashboard.shared.counts import count_of, read_columns
from dashboard.shared.health import JOBS, Health, Worker, read_health
from memory.models import AskAgain, AuditRow, EpisodeSummary, PersonalFact


@dataclass(frozen=True)
class GivenUp:
    """The chats one worker gave up: how many, the last of them, and for how many the operator has asked again."""

    count: int
    last: int | None
    asked_again: int

    @property
    def can_be_asked(self) -> bool:
        """Whether there is one that nobody has asked for again."""
        return self.count > self.asked_again


@dataclass(frozen=True)
class Board:
    """Whether memory is well, and how much it holds. `fitting`: facts in a prompt, None where none are put there."""

    health: Health
    workers: Sequence[tuple[Worker, GivenUp]]
    facts: int
    fitting: int | None
    episodes: int
    is_new: bool

    @property
    def given_up(self) -> int:
        """The readings and summaries that were given up."""
        return sum(given_up.count for _, given_up in self.workers)

    @property
    def caps(self) -> str:
        """What bounds the facts in a prompt, in words."""
        caps = settings.CAESAR.memory.facts
        return f"{caps.max_injected:,} facts or {caps.max_chars:,} characters"


def read_board(now: datetime) -> Board:
    """Three queries, six after a change of the facts."""
    health = read_health(now)
    row = read_columns(_columns())
    given_up = (
        GivenUp(row[f"{name}_given_up"], row[f"{name}_last_given_up"], row[f"{name}_asked_again"]) for name in JOBS
    )
    return Board(
        health=health,
        workers=list(zip(health.workers, given_up, strict=True)),
        facts=row["facts"],
        fitting=Budget.of(PersonalFact.objects.for_prompt(now)).count,
        episodes=row["episodes"],
        is_new=not row["facts"] and not row["has_chats"],
    )


def _columns() -> dict[str, Any]:
    columns: dict[str, Any] = {
        "facts": count_of(PersonalFact.objects.all()),
        "episodes": count_of(EpisodeSummary.objects.exclude(model="")),
        "has_chats": Exists(AuditRow.objects.get_queryset().chats()),
    }
    for name, job in JOBS.items():
        given_up = job.abandoned_chats()
        columns[f"{name}_given_up"] = count_of(given_up)
        columns[f"{name}_last_given_up"] = Subquery(given_up.order_by("-id").values("id")[:1])
        columns[f"{name}_asked_again"] = count_of(AskAgain._default_manager.filter(job=job.task))
    return columns

"""Everything about one fact: how it stands, what happened to it, what will become of it."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings

from dashboard.fact.forecast import Outlook, read_outlook
from dashboard.fact.history import History, read_history
from dashboard.fact.importance_chart import Curve, draw
from dashboard.facts.table import Budget, Origin, origins_of, place_of
from dashboard.shared.entries import readable
from memory import events
from memory.models import AuditRow, PersonalFact, RankedFact
from memory.ranking import Importance
from memory.text import normalising
from memory.text.lines import one_line


@dataclass(frozen=True)
class Standing:
    """How a fact stands among the others."""

    fact: PersonalFact
    importance: Importance
    age_days: float
    halflife_days: float
    edit_weight_scale: float
    origin: Origin
    budget: Budget
    outlook: Outlook
    curve: Curve


@dataclass(frozen=True)
class FactPage:
    """One fact. `standing` is None where it was deleted; then `deletion` is the row to take back, if it is kept, and
    `last_value` what the fact said then."""

    key: str
    standing: Standing | None
    history: History
    deletion: AuditRow | None = None
    last_value: str = ""


def read_fact_page(key: str, *, before: int | None, now: datetime) -> FactPage | None:
    """The page of a fact, known or deleted; None where nothing was ever known of it. At most eight queries.

    `before`: where to continue its history.
    """
    ranked = PersonalFact.objects.by_importance(now)
    at = place_of(key, ranked)
    keys = normalising.key_spellings(key) if at is None else [ranked[at].fact.key]
    history = read_history(keys, before=before)
    if at is not None:
        return FactPage(ranked[at].fact.key, _standing(ranked, at, now), history)
    if not history.steps:
        return None
    deletions = AuditRow.objects.get_queryset().of_type(events.FactUserDeleted).filter(fact_key__in=keys)
    deletion = deletions.order_by("-id").first()
    event = readable(deletion) if deletion else None
    if not isinstance(event, events.FactUserDeleted):
        return FactPage(history.steps[0].row.fact_key or key, None, history)
    return FactPage(event.key, None, history, deletion, last_value=one_line(event.value))


def _standing(ranked: list[RankedFact], at: int, now: datetime) -> Standing:
    item, budget = ranked[at], Budget.of(ranked)
    scale = settings.CAESAR.memory.facts_importance
    is_put_in = budget.count is not None and not budget.leaves_out(at)
    outlook = read_outlook(ranked, at, is_put_in=is_put_in, now=now)
    return Standing(
        fact=item.fact,
        importance=item.importance,
        age_days=round(max(0.0, (now - item.fact.last_confirmed_at) / timedelta(days=1)), 1),
        halflife_days=scale.halflife_days,
        edit_weight_scale=scale.edit_weight_scale,
        origin=origins_of([item.fact]).get(item.fact.key, "gone"),
        budget=budget,
        outlook=outlook,
        curve=draw(item, now=now, leaves_at=outlook.leaves_at),
    )

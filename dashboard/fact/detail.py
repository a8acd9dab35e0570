"""Everything about one fact: how it ranks, its history, and the forecast for it."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings

from dashboard.fact.forecast import PromptForecast, read_forecast
from dashboard.fact.history import FactHistory, read_history
from dashboard.fact.importance_chart import ImportanceChart, draw_importance_chart
from dashboard.facts.table import position_of
from dashboard.shared.audit_entries import parsed_event
from dashboard.shared.fact_origins import FactOrigin, read_chat_of_client, read_origins
from dashboard.shared.prompt_budget import PromptBudget
from memory import events
from memory.models import AuditRow, PersonalFact, RankedFact
from memory.ranking import Importance
from memory.text import normalising
from memory.text.lines import one_line


@dataclass(frozen=True)
class FactStanding:
    """How a fact ranks among the others, and what that is made of."""

    fact: PersonalFact
    importance: Importance
    age_days: float
    halflife_days: float
    edit_weight_scale: float
    origin: FactOrigin
    chat_of_client: AuditRow | None
    budget: PromptBudget
    outlook: PromptForecast
    curve: ImportanceChart
    is_past: bool


@dataclass(frozen=True)
class FactPage:
    """One fact, known or deleted.

    `standing` is None where it has ended (`ended`), or was deleted. Then `deletion` is the row to undo, as long as it
    is kept, and `last_value` is the value the fact had; "" where that is no longer kept, so that it cannot be brought
    back.
    """

    key: str
    standing: FactStanding | None
    history: FactHistory
    ended: PersonalFact | None = None
    deletion: AuditRow | None = None
    last_value: str = ""


def read_fact_page(key: str, *, before: int | None, now: datetime) -> FactPage | None:
    """The page of a fact; None where no row knows of one with this key. At most eight queries.

    `before`: the id of the row to continue its history before.
    """
    ranked = PersonalFact.objects.by_importance(now)
    at = position_of(key, ranked)
    ended = PersonalFact.objects.by_key(key) if at is None else None
    keys = [ended.key] if ended else normalising.key_spellings(key) if at is None else [ranked[at].fact.key]
    history = read_history(keys, before=before)
    if at is not None:
        return FactPage(ranked[at].fact.key, _read_standing(ranked, at, now), history)
    if ended is not None:
        return FactPage(ended.key, None, history, ended)
    if not history.steps:
        return None
    deletions = AuditRow.objects.get_queryset().of_type(events.FactUserDeleted).filter(fact_key__in=keys)
    deletion = deletions.order_by("-id").first()
    event = parsed_event(deletion) if deletion else None
    if not isinstance(event, events.FactUserDeleted):
        return FactPage(history.steps[0].row.fact_key or key, None, history)
    return FactPage(event.key, None, history, deletion=deletion, last_value=one_line(event.value))


def _read_standing(ranked: list[RankedFact], at: int, now: datetime) -> FactStanding:
    item, budget = ranked[at], PromptBudget.of(ranked)
    if not item.is_past:
        ranked = [other for other in ranked if not other.is_past]  # those come last, and compete no more
    scale = settings.CAESAR.memory.facts_importance
    is_put_in = budget.count is not None and not budget.leaves_out(at)
    forecast = read_forecast(ranked, at, is_put_in=is_put_in, now=now)
    return FactStanding(
        fact=item.fact,
        importance=item.importance,
        age_days=round(max(0.0, (now - item.fact.last_confirmed_at) / timedelta(days=1)), 1),
        halflife_days=scale.halflife_days,
        edit_weight_scale=scale.edit_weight_scale,
        origin=read_origins([item.fact]).get(item.fact.key, "gone"),
        chat_of_client=read_chat_of_client(item.fact),
        budget=budget,
        outlook=forecast,
        curve=draw_importance_chart(item, now=now, leaves_at=forecast.leaves_at),
        is_past=item.is_past,
    )

"""Everything about one fact: how it ranks, its history, and the forecast for it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.conf import settings

from dashboard.fact.history import FactHistory, read_history
from dashboard.fact.importance_chart import ImportanceChart, draw_importance_chart
from dashboard.fact.usage import FactUsage, read_usage
from dashboard.facts.map.room import PromptRoom, read_room
from dashboard.shared.audit_entries import parsed_event
from dashboard.shared.fact_origins import FactOrigin, read_chat_of_client, read_origins
from dashboard.shared.needs.forecast import PromptForecast, read_forecast
from dashboard.shared.prompt_budget import PromptBudget, sentences_needed
from memory import events
from memory.models import AuditRow, PersonalFact, Standings
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
    room: PromptRoom
    outlook: PromptForecast
    curve: ImportanceChart
    is_past: bool
    is_kept: bool
    comes_first: bool
    """Whether it is in the prompt because the operator keeps it."""

    @property
    def budget(self) -> PromptBudget:
        """How many facts fit, and why no more."""
        return self.room.budget


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
    usage: FactUsage | None = None
    ended: PersonalFact | None = None
    deletion: AuditRow | None = None
    last_value: str = ""


def read_fact_page(key: str, *, before: int | None, now: datetime) -> FactPage | None:
    """The page of a fact; None where no row knows of one with this key. At most seventeen queries.

    `before`: the id of the row to continue its history before.
    """
    standings = PersonalFact.objects.standings(now)
    at = standings.position_of(key)
    fact = PersonalFact.objects.by_key(key)
    keys = [fact.key] if fact else normalising.key_spellings(key)
    history = read_history(keys, before=before, current=fact.value if fact else None)
    if at is not None and fact is not None:
        return FactPage(fact.key, _read_standing(standings, at, fact, now), history, read_usage(fact.key, now))
    if fact is not None:
        return FactPage(fact.key, None, history, ended=fact)
    return _read_deleted(key, keys, history) if history.steps else None


def _read_deleted(key: str, keys: Sequence[str], history: FactHistory) -> FactPage:
    deletions = AuditRow.objects.get_queryset().of_type(events.FactUserDeleted).filter(fact_key__in=keys)
    deletion = deletions.order_by("-id").first()
    event = parsed_event(deletion) if deletion else None
    if not isinstance(event, events.FactUserDeleted):
        return FactPage(history.steps[0].row.fact_key or key, None, history)
    return FactPage(event.key, None, history, deletion=deletion, last_value=one_line(event.value))


def _read_standing(standings: Standings, at: int, fact: PersonalFact, now: datetime) -> FactStanding:
    room = read_room(standings, PersonalFact.objects.texts(standings.ranks.ids[: sentences_needed() + 1].tolist()))
    is_past = bool(standings.ranks.is_past[at])
    is_put_in = room.budget.count is not None and not room.budget.leaves_out(at) and not is_past
    comes_first = is_put_in and at < standings.first
    outlook = read_forecast(standings, at, is_put_in=is_put_in, now=now)
    outlook = replace(outlook, leaves_at=None) if comes_first else outlook  # nothing newer comes before it
    scale = settings.CAESAR.memory.facts_importance
    return FactStanding(
        fact=fact,
        importance=standings.ranks.parts(at),
        age_days=round(max(0.0, (now - fact.last_confirmed_at) / timedelta(days=1)), 1),
        halflife_days=scale.halflife_days,
        edit_weight_scale=scale.edit_weight_scale,
        origin=read_origins([fact]).get(fact.key, "gone"),
        chat_of_client=read_chat_of_client(fact),
        room=room,
        outlook=outlook,
        curve=draw_importance_chart(
            standings, at, outlook, places=room.budget.count, halflife_days=scale.halflife_days, now=now
        ),
        is_past=is_past,
        is_kept=bool(standings.is_kept[at]),
        comes_first=comes_first,
    )

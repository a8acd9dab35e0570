"""The page of one fact, known or deleted."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from dashboard.fact.detail import read_fact_page
from dashboard.fact.query_parameters import FactPageQuery
from dashboard.facts.forms import FactForm
from dashboard.facts.query_parameters import FactsQuery
from dashboard.shared.addresses import address
from dashboard.shared.pages import PageRequest, operator_page, refusal, render_template
from memory.models import FactConflict, PersonalFact
from memory.text.dates import parse_day
from memory.text.keys import is_worth_keeping
from memory.text.lines import one_line


@operator_page("GET", "HEAD")
def show(request: PageRequest) -> HttpResponse:
    """How the fact named by `key` ranks, its history and the forecast for it. `before` pages through the history."""
    now, query = timezone.now(), FactPageQuery.of(request.GET)
    shown = read_fact_page(query.key, before=query.before, now=now)
    if shown is None:
        return refusal(request, _unknown_fact(query.key), status=404, section="facts")
    fact = shown.standing.fact if shown.standing else shown.ended
    context = {
        "section": "facts",
        "shown": shown,
        "standing": shown.standing,
        "fact": fact,
        "form": FactForm(initial={"value": one_line(fact.value)}) if fact else None,
        "seen": fact.value if fact else "",
        "is_worth_keeping": is_worth_keeping(shown.key),
        "place": FactsQuery(at_fact=True),  # a change made here leads back here
        "before": query.before,
        "retention_days": settings.CAESAR.memory.retention_days,
        "now": now,
    }
    return render_template(request, "dashboard/fact/fact.html", context)


@operator_page("POST")
def set_date(request: PageRequest) -> HttpResponse:
    """Set the last day on which the fact holds; an empty field takes it away."""
    now, query = timezone.now(), FactPageQuery.of(request.GET)
    fact = PersonalFact.objects.by_key(query.key)
    if fact is None:
        return refusal(request, _unknown_fact(query.key), status=404, section="facts")
    typed = str(request.POST.get("until", "")).strip()
    day = parse_day(typed)
    if typed and day is None:
        return refusal(request, f"{typed} is no day. Write it as 2026-10-31.", status=422, section="facts")
    try:
        dated = fact.set_valid_until(day, now=now)
    except FactConflict as conflict:
        return refusal(request, str(conflict), status=409, section="facts")
    holds = f"holds until {day.day} {day:%B %Y}" if day else "holds without an end"
    said = f"{fact.key} {holds}{'' if dated else ' already'}."
    messages.success(request, said, extra_tags=str(dated.pk) if dated else "")
    return redirect(address("fact", key=fact.key))


def _unknown_fact(key: str) -> str:
    return f"Nothing is known of a fact {key}, nor was it ever." if key else "The address names no fact."

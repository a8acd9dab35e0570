"""A fact's own page, also of one that was deleted."""

from django.conf import settings
from django.http import HttpResponse
from django.utils import timezone

from dashboard.fact.detail import read_fact_page
from dashboard.facts.forms import FactForm
from dashboard.facts.query_parameters import Place
from dashboard.shared.pages import PageRequest, answer, asked, asked_number, operator_page
from memory.text.lines import one_line


@operator_page("GET", "HEAD")
def show(request: PageRequest) -> HttpResponse:
    """How the fact named by `key` stands, what happened to it, what will become of it; `before` pages its history."""
    now, key, before = timezone.now(), asked(request, "key"), asked_number(request, "before")
    shown = read_fact_page(key, before=before, now=now)
    if shown is None:
        problem = f"Nothing is known of a fact {key}, nor was it ever." if key else "The address names no fact."
        context = {"problem": problem, "status": 404, "section": "facts"}
        return answer(request, "refused.html", context, status=404)
    fact = shown.standing.fact if shown.standing else None
    context = {
        "section": "facts",
        "shown": shown,
        "standing": shown.standing,
        "fact": fact,
        "form": FactForm(initial={"value": one_line(fact.value)}) if fact else None,
        "seen": fact.value if fact else "",
        "place": Place(at_fact=True),
        "before": before,
        "retention_days": settings.CAESAR.memory.retention_days,
        "now": now,
    }
    return answer(request, "dashboard/fact/fact.html", context)

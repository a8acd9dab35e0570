"""The operator's review: claims that wait are accepted, corrected or dropped; facts that ended are brought back."""

from datetime import datetime

from django.contrib import messages
from django.http import HttpResponse
from django.utils import timezone

from dashboard.facts.forms import AcceptForm
from dashboard.facts.query_parameters import FactsQuery
from dashboard.facts.responses import last_word_on, refused, review_with_errors, table_changed
from dashboard.shared.pages import PageRequest, operator_page
from memory.models import FactConflict, NotWaiting, PersonalFact, WaitingFact
from memory.text.lines import one_line

_GONE = "That claim waits no longer: it was accepted or dropped meanwhile."


@operator_page("POST")
def accept(request: PageRequest, claim_id: int) -> HttpResponse:
    """Make a fact of a claim, with the value of the form: the claim's own, or a corrected one."""
    now, query, form = timezone.now(), FactsQuery.on_screen(request), AcceptForm(request.POST)
    if not form.is_valid():
        return review_with_errors(request, query, claim_id, form, now=now)
    seen = str(request.POST.get("seen", ""))
    try:
        fact = WaitingFact.objects.claim(claim_id).accept(now=now, value=form.cleaned_data["value"], expected=seen)
    except NotWaiting:
        return _gone(request, query, now)
    except FactConflict as conflict:
        form.add_error("value", str(conflict))
        return review_with_errors(request, query, claim_id, form, now=now)
    messages.success(request, f"Accepted {fact.key}.", extra_tags=last_word_on(fact))
    return table_changed(request, query, now=now, focus=fact, with_review=True)


@operator_page("POST")
def drop(request: PageRequest, claim_id: int) -> HttpResponse:
    """Have a claim wait no longer. The message that says so has a button to undo it."""
    now, query = timezone.now(), FactsQuery.on_screen(request)
    try:
        claim = WaitingFact.objects.claim(claim_id)
        row = claim.drop(now=now)
    except NotWaiting:
        return _gone(request, query, now)
    messages.success(request, f"Dropped “{one_line(claim.value)}” for {claim.key}.", extra_tags=str(row.pk))
    return table_changed(request, query, now=now, with_review=True)


@operator_page("POST")
def bring_back(request: PageRequest) -> HttpResponse:
    """Take back that a fact has ended. Done again, it changes nothing."""
    now, query = timezone.now(), FactsQuery.on_screen(request)
    fact = PersonalFact.objects.by_key(query.key)
    if fact is None:
        problem = f"There is no fact {query.key}. It may have been deleted meanwhile."
        return refused(request, query, problem, status=404, now=now)
    try:
        back = fact.bring_back(now=now)
    except FactConflict as conflict:
        return refused(request, query, str(conflict), status=409, now=now)
    said = f"{fact.key} is back." if back else f"{fact.key} holds already."
    messages.success(request, said, extra_tags=str(back.pk) if back else "")
    return table_changed(request, query, now=now, focus=fact)


def _gone(request: PageRequest, query: FactsQuery, now: datetime) -> HttpResponse:
    return refused(request, query, _GONE, status=404, now=now, with_review=True)

"""The facts page, and the operator's changes to one fact. Each works with htmx and, by POST and redirect, without."""

from dataclasses import replace

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone

from dashboard.facts.forms import FactForm, NewFactForm
from dashboard.facts.query_parameters import FactsQuery
from dashboard.facts.responses import (
    MAP_COOKIE,
    MAP_FOLDED,
    add_form_with_errors,
    edit_form,
    facts_page,
    last_word_on,
    refused,
    search_results,
    table_changed,
)
from dashboard.facts.table import read_row
from dashboard.shared.audit_entries import parsed_event
from dashboard.shared.pages import PageRequest, operator_page, render_template, wants_partial
from memory import events
from memory.models import AuditRow, FactConflict, PersonalFact, WaitingFact
from memory.text.lines import encodable, one_line


@operator_page("GET", "HEAD")
def show(request: PageRequest) -> HttpResponse:
    """The facts, 50 a page: all, those a search finds (`q`), those of a namespace (`ns`), some (`only`); by `sort`."""
    now, query = timezone.now(), FactsQuery.of(request.GET)
    return search_results(request, query, now=now) if wants_partial(request) else facts_page(request, query, now=now)


@operator_page("POST")
def fold_map(request: PageRequest) -> HttpResponse:
    """Remember in the browser whether the map is folded. With script, the page does so by itself."""
    response = redirect(FactsQuery.of(request.GET).address)
    folded = MAP_FOLDED if request.POST.get("map") == MAP_FOLDED else "open"
    response.set_cookie(MAP_COOKIE, folded, max_age=365 * 86_400, path=reverse("overview"), samesite="Lax")
    return response


@operator_page("GET", "HEAD", "POST")
def add(request: PageRequest) -> HttpResponse:
    """Write down a fact; by GET the facts page with the form open."""
    now = timezone.now()
    if request.method != "POST":
        return facts_page(request, FactsQuery.of(request.GET), now=now, is_adding=True)
    query, form = FactsQuery.on_screen(request), NewFactForm(request.POST)
    if not form.is_valid():
        return add_form_with_errors(request, query, form, now=now)
    try:
        fact = PersonalFact.objects.add(form.cleaned_data["key"], form.cleaned_data["value"], now=now)
    except FactConflict as conflict:
        form.add_error("key", str(conflict))
        return add_form_with_errors(request, query, form, now=now)
    messages.success(request, f"Added {fact.key}.", extra_tags=last_word_on(fact))
    return table_changed(request, query, now=now, focus=fact, form=NewFactForm())


@operator_page("GET", "HEAD", "POST")
def edit(request: PageRequest) -> HttpResponse:
    """Correct a fact: by GET the form, in the row's place or on a page of its own; by POST the change."""
    query = FactsQuery.on_screen(request)
    fact = PersonalFact.objects.by_key(query.key)
    if request.method == "POST":
        return _save(request, query, fact)
    if fact is None:
        return refused(request, query, _no_such_fact(query.key), status=404, now=timezone.now())
    return edit_form(request, query, fact, FactForm(initial={"value": one_line(fact.value)}), seen=fact.value)


@operator_page("GET", "HEAD")
def row(request: PageRequest) -> HttpResponse:
    """One row of the table, which takes the place of its edit form on Cancel."""
    now, query = timezone.now(), FactsQuery.on_screen(request)
    fact_row = read_row(query.key, now, replace(query, key=""))
    if fact_row is None:
        return refused(request, query, _no_such_fact(query.key), status=404, now=now)
    if not request.htmx:
        return redirect(f"{query.address}#fact-row-{fact_row.fact.pk}")
    context = {"row": fact_row, "now": now, "place": query, "focus": fact_row.fact.pk}
    return render_template(request, "dashboard/facts/_fact_row.html", context)


@operator_page("POST")
def delete(request: PageRequest) -> HttpResponse:
    """Forget the fact of the form, or of the address, at once. The message that says so has a button to undo it."""
    now, query = timezone.now(), FactsQuery.on_screen(request)
    query = replace(query, key=encodable(str(request.POST.get("key", query.key))))
    fact = PersonalFact.objects.by_key(query.key)
    gone = fact.pk if fact else None
    deletion = fact.forget(now=now) if fact else None
    if fact is None or deletion is None:
        problem = f"There is no fact {query.key} to delete. It is gone already."
        return refused(request, query, problem, status=404, now=now)
    messages.success(request, f"Deleted {fact.key}.", extra_tags=str(deletion.pk))
    return table_changed(request, replace(query, key=fact.key), now=now, gone=gone)


@operator_page("POST")
def restore(request: PageRequest, deletion_id: int) -> HttpResponse:
    """Undo a deletion, or that a waiting claim was dropped, which may be done again and again."""
    now, query = timezone.now(), FactsQuery.on_screen(request)
    deletion = AuditRow.objects.filter(pk=deletion_id).first()
    event = parsed_event(deletion) if deletion else None
    if deletion is not None and isinstance(event, events.FactUserDropped):
        claim = WaitingFact.objects.restore(deletion, now=now)
        messages.success(request, f"“{claim.value}” for {claim.key} waits again.")
        return table_changed(request, query, now=now, with_review=True)
    if deletion is None or not isinstance(event, events.FactUserDeleted):
        problem = f"Event {deletion_id} is no deletion that could be taken back."
        return refused(request, query, problem, status=404, now=now)
    try:
        fact = PersonalFact.objects.restore(deletion, now=now)
    except FactConflict as conflict:
        return refused(request, query, str(conflict), status=409, now=now)
    messages.success(request, f"{fact.key} is back.")
    return table_changed(request, query, now=now, focus=fact)


def _save(request: PageRequest, query: FactsQuery, stored: PersonalFact | None) -> HttpResponse:
    """Change the fact's value to the form's. `stored` is None where the fact was deleted since the form was opened."""
    now, form, seen = timezone.now(), FactForm(request.POST), str(request.POST.get("seen", ""))
    fact = stored or PersonalFact(key=query.key, value=seen)  # editing an unsaved fact raises the conflict
    if not form.is_valid():
        return edit_form(request, query, fact, form, seen=seen)
    # Browsers change line breaks, so a value stored before values had to be one line is compared as one line.
    expected = fact.value if one_line(seen) == one_line(fact.value) else seen
    try:
        edited = fact.edit(form.cleaned_data["value"], now=now, expected=expected)
    except FactConflict as conflict:
        form.add_error("value", str(conflict))
        current = conflict.current if isinstance(conflict.current, PersonalFact) else None
        seen = current.value if current else seen
        return edit_form(request, query, current or fact, form, seen=seen, is_gone=current is None)
    said = f"Saved {fact.key}." if edited else f"{fact.key} says that already."
    messages.success(request, said, extra_tags=str(edited.pk) if edited else "")
    return table_changed(request, query, now=now, focus=fact)


def _no_such_fact(key: str) -> str:
    return f"There is no fact {key}. It may have been deleted meanwhile."

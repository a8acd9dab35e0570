"""The facts page and the operator's verbs on it. Each works with htmx and, by POST and redirect, without script."""

from datetime import datetime

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django_htmx.http import retarget

from dashboard.facts.forms import FactForm, NewFactForm
from dashboard.facts.query_parameters import Place
from dashboard.facts.responses import changed, facts_page, found, refused
from dashboard.facts.table import read_row
from dashboard.shared.entries import readable
from dashboard.shared.pages import PageRequest, answer, asked, operator_page
from memory import events
from memory.models import AuditRow, FactConflict, PersonalFact
from memory.text.lines import one_line


@operator_page("GET", "HEAD")
def show(request: PageRequest) -> HttpResponse:
    """The facts, most important first, 200 a page: all, those a search finds (`q`), those of a namespace (`ns`)."""
    now, place = timezone.now(), Place.of(request.GET)
    if request.htmx and not request.htmx.history_restore_request:
        return found(request, place, now=now)
    return facts_page(request, place, now=now)


@operator_page("GET", "HEAD", "POST")
def add(request: PageRequest) -> HttpResponse:
    """Write down a fact; by GET the facts page with the form open."""
    now, place = timezone.now(), Place.of(request.GET)
    if request.method != "POST":
        return facts_page(request, place, now=now, is_adding=True)
    form = NewFactForm(request.POST)
    if form.is_valid():
        try:
            fact = PersonalFact.objects.add(form.cleaned_data["key"], form.cleaned_data["value"], now=now)
        except FactConflict as conflict:
            form.add_error("key", str(conflict))
        else:
            messages.success(request, f"Added {fact.key}.")
            return changed(request, now=now, focus=fact, form=NewFactForm())
    if not request.htmx:
        return facts_page(request, place, now=now, form=form, is_adding=True, status=422)
    context = {"form": form, "is_adding": True, "place": Place.behind(request)}
    return retarget(answer(request, "dashboard/facts/_fact_add.html", context, status=422), "#fact-add")


@operator_page("GET", "HEAD", "POST")
def edit(request: PageRequest) -> HttpResponse:
    """Correct a fact: by GET the form, in the row's place or on a page of its own; by POST the change."""
    now = timezone.now()
    key = asked(request, "key")
    fact = PersonalFact.objects.by_key(key)
    if request.method == "POST":
        form = FactForm(request.POST)
        seen = str(request.POST.get("seen", ""))
        return _save(request, fact or PersonalFact(key=key, value=seen), form, seen=seen, now=now)
    if fact is None:
        return refused(request, _no_such(key), status=404, now=now)
    return _edit_form(request, fact, FactForm(initial={"value": one_line(fact.value)}), seen=fact.value)


@operator_page("GET", "HEAD")
def row(request: PageRequest) -> HttpResponse:
    """One row as it stands, which takes the place of its form on Cancel."""
    now = timezone.now()
    place, key = Place.behind(request), asked(request, "key")
    found_row = read_row(key, now)
    if found_row is None:
        return refused(request, _no_such(key), status=404, now=now)
    if not request.htmx:
        return redirect(f"{place.address}#fact-row-{found_row.fact.pk}")
    context = {"row": found_row, "now": now, "place": place, "focus": found_row.fact.pk}
    return answer(request, "dashboard/facts/_fact_row.html", context)


@operator_page("POST")
def delete(request: PageRequest) -> HttpResponse:
    """Forget a fact at once; the message that says so takes it back."""
    now = timezone.now()
    key = asked(request, "key")
    fact = PersonalFact.objects.by_key(key)
    deletion = fact.forget(now=now) if fact else None
    if fact is None or deletion is None:
        return refused(request, f"There is no fact {key} to delete. It is gone already.", status=404, now=now)
    messages.success(request, f"Deleted {fact.key}.", extra_tags=str(deletion.pk))
    return changed(request, now=now, key=fact.key)


@operator_page("POST")
def restore(request: PageRequest, deletion_id: int) -> HttpResponse:
    """Take a deletion back, as often as asked."""
    now = timezone.now()
    deletion = AuditRow.objects.filter(pk=deletion_id).first()
    if deletion is None or not isinstance(readable(deletion), events.FactUserDeleted):
        return refused(request, f"Event {deletion_id} is no deletion that could be taken back.", status=404, now=now)
    try:
        fact = PersonalFact.objects.restore(deletion, now=now)
    except FactConflict as conflict:
        return refused(request, str(conflict), status=409, now=now)
    messages.success(request, f"{fact.key} is back.")
    return changed(request, now=now, focus=fact)


def _no_such(key: str) -> str:
    return f"There is no fact {key}. It may have been deleted meanwhile."


def _save(request: PageRequest, fact: PersonalFact, form: FactForm, *, seen: str, now: datetime) -> HttpResponse:
    """`fact` is unsaved where it vanished since the form was opened: the verb finds out and says so."""
    if not form.is_valid():
        return _edit_form(request, fact, form, seen=seen, status=422)
    # A browser writes line breaks its own way, so a value from before values were one line is compared as one line.
    expected = fact.value if one_line(seen) == one_line(fact.value) else seen
    try:
        has_changed = fact.edit(form.cleaned_data["value"], now=now, expected=expected)
    except FactConflict as conflict:
        form.add_error("value", str(conflict))
        seen = conflict.current.value if conflict.current else seen
        return _edit_form(request, conflict.current or fact, form, seen=seen, is_gone=not conflict.current, status=422)
    messages.success(request, f"Saved {fact.key}." if has_changed else f"{fact.key} says that already.")
    return changed(request, now=now, focus=fact)


def _edit_form(
    request: PageRequest, fact: PersonalFact, form: FactForm, *, seen: str, is_gone: bool = False, status: int = 200
) -> HttpResponse:
    template = "dashboard/facts/_fact_edit_row.html" if request.htmx else "dashboard/facts/fact_edit.html"
    context = {
        "section": "facts",
        "fact": fact,
        "form": form,
        "seen": seen,
        "is_gone": is_gone,
        "place": Place.behind(request),
    }
    return answer(request, template, context, status=status)

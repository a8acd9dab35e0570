"""What the views of the facts list answer with: the page, the table after a change, a refusal."""

from dataclasses import replace
from datetime import datetime

from django.http import HttpResponse
from django.shortcuts import redirect
from django_htmx.http import push_url, replace_url, reselect, reswap, retarget

from dashboard.facts.forms import AcceptForm, FactForm, NewFactForm
from dashboard.facts.query_parameters import FactsQuery
from dashboard.facts.review import WaitingClaims, read_waiting
from dashboard.facts.table import FactTable, read_table
from dashboard.shared.addresses import address
from dashboard.shared.health import read_health
from dashboard.shared.needs.reading import read_needs
from dashboard.shared.pages import PageRequest, next_page, refusal, render_template
from memory import events
from memory.models import AuditRow, PersonalFact

MAP_COOKIE, MAP_FOLDED = "facts_map", "folded"
"""Whether the map above the table is folded: remembered in the browser."""


def facts_page(
    request: PageRequest,
    query: FactsQuery,
    *,
    now: datetime,
    form: NewFactForm | None = None,
    is_adding: bool = False,
    waiting: WaitingClaims | None = None,
    status: int = 200,
) -> HttpResponse:
    """The whole page. `is_adding`: the form for a new fact is open."""
    waiting = waiting or read_waiting()
    health = read_health(now)
    needs = read_needs(now, health)
    context = _table_context(read_table(now, query, with_map=True, needs=needs), now, waiting)
    context |= {"section": "facts", "form": form or NewFactForm(), "is_adding": is_adding}
    context |= {"health": health, "needs": needs}
    context |= {"is_map_open": _is_map_open(request)}
    return render_template(request, "dashboard/facts/facts.html", context, status=status)


def search_results(request: PageRequest, query: FactsQuery, *, now: datetime) -> HttpResponse:
    """The table alone, for a search typed into the page, with the search's address for the browser.

    A search is one step of the browser's history, however many letters it is typed in.
    """
    context = _table_context(read_table(now, query), now, read_waiting())
    response = render_template(request, "dashboard/facts/_facts_found.html", context)
    before = FactsQuery.on_screen(request)  # the list that the operator searched from
    is_new_search = query.search and not before.search
    return push_url(response, query.address) if is_new_search else replace_url(response, query.address)


def add_form_with_errors(request: PageRequest, query: FactsQuery, form: NewFactForm, *, now: datetime) -> HttpResponse:
    """The form for a new fact with its errors: alone for htmx, else on the whole page."""
    if not request.htmx:
        return facts_page(request, query, now=now, form=form, is_adding=True, status=422)
    context = {"form": form, "is_adding": True, "place": query}
    return retarget(render_template(request, "dashboard/facts/_fact_add.html", context, status=422), "#fact-add")


def review_with_errors(
    request: PageRequest, query: FactsQuery, claim_id: int, form: AcceptForm, *, now: datetime
) -> HttpResponse:
    """The claims that wait, one of them with the errors of its form: alone for htmx, else on the whole page."""
    waiting = read_waiting(refused=claim_id, form=form)
    if not request.htmx:
        return facts_page(request, query, now=now, waiting=waiting, status=422)
    context = {"waiting": waiting, "place": query, "now": now}
    response = render_template(request, "dashboard/facts/review/_facts_waiting.html", context, status=422)
    return retarget(response, "#facts-waiting")


def edit_form(
    request: PageRequest,
    query: FactsQuery,
    fact: PersonalFact,
    form: FactForm,
    *,
    seen: str,
    is_gone: bool = False,
) -> HttpResponse:
    """The form for a fact's value: in the row's place for htmx, else on a page of its own.

    `seen`: the value the operator saw when they opened it. `is_gone`: the fact was deleted meanwhile; the same form
    adds it again.
    """
    template = "dashboard/facts/_fact_edit_row.html" if request.htmx else "dashboard/facts/fact_edit.html"
    context = {"section": "facts", "fact": fact, "form": form, "seen": seen, "is_gone": is_gone, "place": query}
    response = render_template(request, template, context, status=422 if form.errors else 200)
    return push_url(response, False) if request.htmx else response  # a form in a row is no step of the history


def last_word_on(fact: PersonalFact) -> str:
    """The id of the operator's newest word on this fact, for the message with the button that undoes it. One query."""
    words = AuditRow.objects.get_queryset().of_type(*events.LAST_WORDS).filter(fact_key=fact.key)
    return str(words.order_by("-id").values_list("pk", flat=True).first() or "")


def table_changed(
    request: PageRequest,
    query: FactsQuery,
    *,
    now: datetime,
    focus: PersonalFact | None = None,
    form: NewFactForm | None = None,
    gone: int | None = None,
    with_review: bool = False,
) -> HttpResponse:
    """The answer to a change: its row and the summary where it was made in a row, else the whole table.

    `focus`: the changed fact, shown even where the search does not find it; None where it was deleted, whose id is
    `gone` then. `form`: an empty one that replaces the used one. `with_review`: the claims that wait changed, too.
    Without htmx it is a redirect to the page the change was made on, or which its form names as `next`.
    """
    if not request.htmx:
        return redirect(next_page(request) or _return_address(query, focus))
    changed = focus.pk if focus else gone
    if changed is not None and _is_in_row(request) and form is None:
        return _row_changed(request, query, focus, changed, now)
    table, waiting = read_table(now, query, keep=focus, with_map=True), read_waiting()
    focus_id = focus.pk if focus and table.has(focus.pk) else None
    context = _table_context(table, now, waiting) | {"is_map_open": _is_map_open(request)}
    context |= {"form": form, "focus": focus_id, "is_swap": True, "with_review": with_review}
    response = render_template(request, "dashboard/facts/_facts_changed.html", context)
    return retarget(response, "#facts-table")


def _is_in_row(request: PageRequest) -> bool:
    """Whether a change was made in a row of the table: in its edit form, or with a button of its menu."""
    return (request.htmx.target or "").startswith("fact-row-")


def _row_changed(
    request: PageRequest, query: FactsQuery, focus: PersonalFact | None, changed: int, now: datetime
) -> HttpResponse:
    """The row as it is now, in its place, and what stands above the table: numbers, chips, map and room.

    None of the other rows is read. The row stays where it is: where it belongs now, the page says when it is asked for
    anew.
    """
    table = read_table(now, replace(query, key=""), keep=focus, with_map=True, alone=focus.key if focus else "")
    context = _table_context(table, now, read_waiting())
    context |= {"row": next(iter(table.rows), None), "focus": focus.pk if focus else None, "is_swap": True}
    response = render_template(request, "dashboard/facts/_facts_row_changed.html", context)
    return retarget(response, f"#fact-row-{changed}")


def refused(
    request: PageRequest, query: FactsQuery, problem: str, *, status: int, now: datetime, with_review: bool = False
) -> HttpResponse:
    """The answer to a change that was not possible: why, and for htmx also the table as it is now."""
    if not request.htmx:
        return refusal(request, problem, status=status, section="facts")
    context = _table_context(read_table(now, query), now, read_waiting())
    context |= {"problem": problem, "is_swap": True, "with_review": with_review}
    response = render_template(request, "dashboard/facts/_facts_refused.html", context, status=status)
    return reselect(reswap(retarget(response, "#status"), "innerHTML"), "#problem")


def _table_context(table: FactTable, now: datetime, waiting: WaitingClaims) -> dict[str, object]:
    """What the table's template needs. `place` holds the page that is shown, which may not be the one asked for."""
    filters = table.filters(waiting.count)
    return {"table": table, "place": table.query, "now": now, "waiting": waiting, "filters": filters}


def _is_map_open(request: PageRequest) -> bool:
    return request.COOKIES.get(MAP_COOKIE) != MAP_FOLDED


def _return_address(query: FactsQuery, focus: PersonalFact | None) -> str:
    key = focus.key if focus else query.key
    if query.at_fact and key:
        return address("fact", key=key)
    return query.address + (f"#fact-row-{focus.pk}" if focus else "")

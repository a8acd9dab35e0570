"""What the verbs on facts answer with: the page, the table after a change, a refusal. With htmx and without."""

from datetime import datetime

from django.http import HttpResponse
from django.shortcuts import redirect
from django_htmx.http import push_url, replace_url, reselect, reswap, retarget

from dashboard.facts.forms import NewFactForm
from dashboard.facts.query_parameters import Place, fact_address
from dashboard.facts.table import FactTable, read_table
from dashboard.shared.pages import PageRequest, answer
from memory.models import PersonalFact


def facts_page(
    request: PageRequest,
    place: Place,
    *,
    now: datetime,
    form: NewFactForm | None = None,
    is_adding: bool = False,
    status: int = 200,
) -> HttpResponse:
    """The whole page, with the form for a new fact open where one is being added."""
    context = {
        "section": "facts",
        "form": form or NewFactForm(),
        "is_adding": is_adding,
        **_shown(read_table(now, place), now),
    }
    return answer(request, "dashboard/facts/facts.html", context, status=status)


def changed(
    request: PageRequest,
    *,
    now: datetime,
    focus: PersonalFact | None = None,
    key: str = "",
    form: NewFactForm | None = None,
) -> HttpResponse:
    """After a change: the whole table anew, since one change moves the order, the counts and where the prompt ends.

    `focus`: the changed fact, shown whatever the search says. `key`: of a fact that is gone. `form`: an empty one to
    take the place of the form that was used.
    """
    place = Place.behind(request)
    if not request.htmx:
        return redirect(_back(place, focus, key))
    table = read_table(now, place, keep=focus)
    focus_id = focus.pk if focus and table.has(focus.pk) else None
    context = _shown(table, now) | {"form": form, "focus": focus_id, "is_swap": True}
    return retarget(answer(request, "dashboard/facts/_facts_changed.html", context), "#facts-table")


def refused(request: PageRequest, problem: str, *, status: int, now: datetime) -> HttpResponse:
    """A verb that met another change, or nothing to do: what is wrong, and the table as it stands."""
    if not request.htmx:
        context = {"problem": problem, "status": status, "section": "facts"}
        return answer(request, "refused.html", context, status=status)
    context = {"problem": problem, "is_swap": True, **_shown(read_table(now, Place.behind(request)), now)}
    response = answer(request, "dashboard/facts/_facts_refused.html", context, status=status)
    return reselect(reswap(retarget(response, "#status"), "innerHTML"), "#problem")


def found(request: PageRequest, place: Place, *, now: datetime) -> HttpResponse:
    """What a search typed into the page found: the table alone, and the address of the same search.

    A search is one step of the browser's history, however many letters it is typed in.
    """
    response = answer(request, "dashboard/facts/_facts_found.html", _shown(read_table(now, place), now))
    has_begun = place.search and not Place.behind(request).search
    return push_url(response, place.address) if has_begun else replace_url(response, place.address)


def _shown(table: FactTable, now: datetime) -> dict[str, object]:
    """What the table's template needs; `place` has the page that the table came out at."""
    return {"table": table, "place": table.place, "now": now}


def _back(place: Place, focus: PersonalFact | None, key: str) -> str:
    if place.at_fact and (focus or key):
        return fact_address(focus.key if focus else key)
    return place.address + (f"#fact-row-{focus.pk}" if focus else "")

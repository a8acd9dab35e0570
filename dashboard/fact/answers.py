"""What a change to a fact answers with, wherever its button stands: on the list, on a page of the fact, on others."""

from datetime import datetime
from urllib.parse import urlsplit

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django_htmx.http import HttpResponseClientRedirect

from dashboard.facts.query_parameters import FactsQuery
from dashboard.facts.responses import refused, table_changed
from dashboard.shared.addresses import address
from dashboard.shared.pages import PageRequest, next_page, refusal
from memory.models import PersonalFact


def changed(
    request: PageRequest, *, key: str, now: datetime, focus: PersonalFact | None, with_review: bool = False
) -> HttpResponse:
    """The answer to a change: the list for htmx on the list, else back to the page the button stands on.

    That is the form's `next`, else the page of the fact with this `key`.
    """
    query = FactsQuery.on_screen(request)
    if _is_on_the_list(request):
        return table_changed(request, query, now=now, focus=focus, with_review=with_review)
    to = next_page(request) or (address("fact", key=key) if key else query.address)
    if focus is not None and urlsplit(to).path == reverse("facts"):
        to += f"#fact-row-{focus.pk}"
    return HttpResponseClientRedirect(to) if request.htmx else redirect(to)


def not_changed(request: PageRequest, problem: str, *, status: int, now: datetime) -> HttpResponse:
    """The answer to a change that was not possible: why, and for htmx on the list also the list as it is now."""
    if _is_on_the_list(request):
        return refused(request, FactsQuery.on_screen(request), problem, status=status, now=now)
    return refusal(request, problem, status=status, section="facts")


def _is_on_the_list(request: PageRequest) -> bool:
    """Whether htmx asks, on the page of the list."""
    page = urlsplit(request.htmx.current_url_abs_path or "").path if request.htmx else ""
    return page == reverse("facts")

"""The timeline, and how many rows are new on it."""

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django_htmx.http import replace_url

from dashboard.shared.pages import PageRequest, operator_page, render_template, wants_partial
from dashboard.timeline.event_families import EVENT_FAMILIES
from dashboard.timeline.listing import count_news, read_timeline
from dashboard.timeline.query_parameters import TimelineQuery
from memory.models import PersonalFact


@operator_page("GET", "HEAD")
def show(request: PageRequest) -> HttpResponse:
    """The log, newest first. `family` and `type` choose events, `fact`, `day` and `q` filter, `before` is the page.

    A search made while typing gets the rows alone, and its address into the browser.
    """
    now, query = timezone.now(), TimelineQuery.of(request.GET)
    context = {
        "section": "audit",
        "choice": query,
        "timeline": read_timeline(query, now=now),
        "families": EVENT_FAMILIES,
        "today": settings.CAESAR.day_of(now),
        "now": now,
    }
    if wants_partial(request):
        return replace_url(render_template(request, "dashboard/timeline/_timeline_found.html", context), query.address)
    context["fact"] = PersonalFact.objects.by_key(query.fact_key) if query.fact_key else None
    return render_template(request, "dashboard/timeline/timeline.html", context)


@operator_page("GET", "HEAD")
def news(request: PageRequest) -> HttpResponse:
    """A link that says how many rows came after the row `after`; 204 where there are none.

    Without htmx it leads to the timeline.
    """
    query = TimelineQuery.of(request.GET)
    if not request.htmx:
        return redirect(query.address)
    count = count_news(query)
    if not count:
        return HttpResponse(status=204)
    context = {"choice": query, "count": count}
    return render_template(request, "dashboard/timeline/_timeline_news_link.html", context)

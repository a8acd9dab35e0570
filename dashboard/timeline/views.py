"""The timeline, how many rows are new on it, and its rows as a file."""

from django.conf import settings
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django_htmx.http import replace_url

from dashboard.shared.pages import PageRequest, operator_page, refusal, render_template, wants_partial
from dashboard.timeline.download import FORMATS
from dashboard.timeline.event_families import EVENT_FAMILIES
from dashboard.timeline.listing import read_timeline
from dashboard.timeline.query_parameters import TimelineQuery
from dashboard.timeline.rows import count_news, read_all
from memory.models import ApiKey, PersonalFact


@operator_page("GET", "HEAD")
def show(request: PageRequest) -> HttpResponse:
    """The log, newest first. `family` and `type` choose events; `fact`, `client`, `q` and days filter (`day`, or `from`
    and `to`); `before` is the page. Days that make no sense are a 422 that says so, without rows.

    A search made while typing gets the rows alone, and its address into the browser.
    """
    now, query = timezone.now(), TimelineQuery.of(request.GET)
    context = {
        "section": "audit",
        "choice": query,
        "timeline": read_timeline(query, now=now),
        "families": EVENT_FAMILIES,
        "formats": list(FORMATS),
        "today": settings.CAESAR.day_of(now),
        "zone": settings.CAESAR.zone.key,
        "now": now,
    }
    status = 422 if query.dates.problem else 200
    if wants_partial(request):
        found = render_template(request, "dashboard/timeline/_timeline_found.html", context, status=status)
        return replace_url(found, query.address)
    context["fact"] = PersonalFact.objects.by_key(query.fact_key) if query.fact_key else None
    context["clients"] = ApiKey.objects.labels()
    return render_template(request, "dashboard/timeline/timeline.html", context, status=status)


@operator_page("GET", "HEAD")
def download(request: PageRequest) -> HttpResponseBase:
    """Every row that the same query shows on the timeline, on all its pages, as a file of the `format`."""
    query, chosen = TimelineQuery.of(request.GET), FORMATS.get(request.GET.get("format", "jsonl"))
    if chosen is None:
        problem = f"There is no format of that name: choose {' or '.join(FORMATS)}."
        return refusal(request, problem, status=422, section="audit")
    if query.dates.problem:
        return refusal(request, query.dates.problem, status=422, section="audit")
    name = f"timeline-{settings.CAESAR.day_of(timezone.now()).isoformat()}.{chosen.name}"
    return StreamingHttpResponse(
        (line.encode() for line in chosen.lines(read_all(query))),
        content_type=chosen.content_type,
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


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

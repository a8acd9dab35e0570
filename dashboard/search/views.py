"""The search page. A GET that writes nothing: the operator's own question leaves no row."""

from django.conf import settings
from django.http import HttpResponse
from django.utils import timezone

from dashboard.search.hits import kind_choices, sections
from dashboard.search.query_parameters import SearchChoice
from dashboard.shared.pages import PageRequest, operator_page, render_template
from memory.recall import explicit

MOST_OF_A_KIND = 12


@operator_page("GET", "HEAD")
def show(request: PageRequest) -> HttpResponse:
    """The box, and what memory has that answers `q`: facts, conversations, and the words of chats."""
    choice, now = SearchChoice.of(request.GET), timezone.now()
    context: dict[str, object] = {
        "section": "search",
        "choice": choice,
        "kinds": kind_choices(choice),
        "now": now,
        "today": settings.CAESAR.day_of(now),
        "zone": settings.CAESAR.time_zone,
    }
    if choice.text and not choice.problem:
        question = explicit.ask(choice.text, since=choice.since, until=choice.until, now=now, zone=settings.CAESAR.zone)
        by_kind = explicit.answer_by_kind(question, kinds=choice.kinds, limit=MOST_OF_A_KIND)
        results = next(iter(by_kind.values()))
        context |= {
            "sections": sections(by_kind, limit=MOST_OF_A_KIND),
            "count": sum(len(one.found) for one in by_kind.values()),
            "results": results,
            "is_said": bool(results.read_dates) or any(hit.words for one in by_kind.values() for hit in one.found),
        }
    status = 422 if choice.problem else 200
    return render_template(request, "dashboard/search/search.html", context, status=status)

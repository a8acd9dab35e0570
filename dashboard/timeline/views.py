"""The timeline, and one event with everything that hangs on it."""

import json

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django_htmx.http import replace_url

from dashboard.chats.detail import read_chat
from dashboard.shared.entries import Entry, entries
from dashboard.shared.pages import PageRequest, answer, asked_number, operator_page
from dashboard.shared.tags import address
from dashboard.timeline.listing import FAMILIES, Choice, count_news, read_timeline
from memory import events
from memory.models import AuditRow, PersonalFact
from memory.text.lines import encodable


@operator_page("GET", "HEAD")
def show(request: PageRequest) -> HttpResponse:
    """The log, newest first: `family` and `type` choose events, `fact`, `day` and `q` narrow it, `before` is the page.

    A search made while typing gets the rows alone, and its address into the browser.
    """
    now = timezone.now()
    choice = Choice.of(request.GET)
    context = {
        "section": "audit",
        "choice": choice,
        "timeline": read_timeline(choice, now=now),
        "families": FAMILIES,
        "today": now.astimezone(settings.CAESAR.zone).date(),
        "now": now,
    }
    if request.htmx and not request.htmx.history_restore_request:
        rows = answer(request, "dashboard/timeline/_timeline_found.html", context)
        return replace_url(rows, address("audit", before=choice.before, **choice.parameters))
    key = choice.fact_key
    context["fact"] = PersonalFact.objects.by_key(key) if key else None
    return answer(request, "dashboard/timeline/timeline.html", context)


@operator_page("GET", "HEAD")
def news(request: PageRequest) -> HttpResponse:
    """How many rows of the choice came after the row `after`: a link to them, nothing (204) where there are none.

    Asked for by itself it is the timeline.
    """
    choice = Choice.of(request.GET)
    if not request.htmx:
        return redirect(address("audit", before=choice.before, **choice.parameters))
    count = count_news(choice, after=asked_number(request, "after") or 0)
    if not count:
        return HttpResponse(status=204)
    return answer(request, "dashboard/timeline/_timeline_news_link.html", {"choice": choice, "count": count})


@operator_page("GET", "HEAD")
def event(request: PageRequest, row_id: int) -> HttpResponse:
    """One row: its sentence, its links and payload; a chat with its conversation, receipt and consequences."""
    row = AuditRow.objects.filter(pk=row_id).first()
    if row is None:
        gone = _no_such_event(row_id)
        return answer(request, "refused.html", {"problem": gone, "status": 404, "section": "audit"}, status=404)
    entry = entries([row])[0]
    context: dict[str, object] = {
        "section": "audit",
        "entry": entry,
        "payload": encodable(json.dumps(row.payload, indent=2, ensure_ascii=False)),
        "receipt": entry.receipt,
        "now": timezone.now(),
    }
    if isinstance(entry.event, events.ChatCompleted):
        shown = read_chat(row, entry.event)
        return answer(request, "dashboard/chats/chat.html", context | {"chat": entry.event, "shown": shown})
    context["task_beginnings"] = settings.CAESAR.proxy.beginnings
    return answer(request, "dashboard/timeline/event.html", context | _fact(entry))


def _no_such_event(row_id: int) -> str:
    days = settings.CAESAR.memory.retention_days
    return f"There is no event {row_id}." + (f" Events older than {days} days are swept." if days else "")


def _fact(entry: Entry) -> dict[str, object]:
    """The fact an event is about, as it stands now."""
    key = entry.row.fact_key
    fact = PersonalFact.objects.filter(key=key).first() if key else None
    return {"fact": fact, "can_be_restored": fact is None and isinstance(entry.event, events.FactUserDeleted)}

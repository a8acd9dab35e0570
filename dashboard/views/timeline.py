"""The timeline, and one event with everything that hangs on it."""

import json

from django.conf import settings
from django.http import HttpResponse
from django.utils import timezone

from dashboard.conversation import Conversation
from dashboard.entries import Entry, entries
from dashboard.pages import PageRequest, answer, asked, asked_number, operator_page
from dashboard.timeline import FAMILIES, family, read_timeline
from memory import events, transcript
from memory.models import AuditRow, ExtractCursor, PersonalFact

CONSEQUENCES_SHOWN = 100


@operator_page("GET", "HEAD")
def show(request: PageRequest) -> HttpResponse:
    """The log, newest first: `family` chooses events, `fact` one fact's history, `before` the page."""
    now = timezone.now()
    chosen, key = family(asked(request, "family")), asked(request, "fact")
    timeline = read_timeline(chosen, fact_key=key, before=asked_number(request, "before"), now=now)
    context = {
        "section": "audit",
        "timeline": timeline,
        "families": FAMILIES,
        "chosen": chosen,
        "fact_key": key,
        "fact": PersonalFact.objects.by_key(key) if key else None,
        "before": asked_number(request, "before"),
        "now": now,
    }
    return answer(request, "dashboard/audit.html", context)


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
        "payload": transcript.encodable(json.dumps(row.payload, indent=2, ensure_ascii=False)),
        "receipt": entry.receipt,
    }
    if isinstance(entry.event, events.ChatCompleted):
        return answer(request, "dashboard/chat.html", context | _chat(row, entry.event))
    return answer(request, "dashboard/event.html", context | _fact(entry))


def _no_such_event(row_id: int) -> str:
    days = settings.CAESAR.memory.retention_days
    return f"There is no event {row_id}." + (f" Events older than {days} days are swept." if days else "")


def _chat(row: AuditRow, chat: events.ChatCompleted) -> dict[str, object]:
    came_of_it = entries(list(row.consequences.order_by("id")[:CONSEQUENCES_SHOWN]))
    return {
        "chat": chat,
        "conversation": Conversation.of(chat),
        "came_of_it": came_of_it,
        "nothing_because": "" if came_of_it else _nothing_because(row, chat),
    }


def _nothing_because(row: AuditRow, chat: events.ChatCompleted) -> str:
    """Why nothing came of a chat, as far as the rows tell."""
    if not chat.learn:
        return "Learning was switched off for this turn."
    if chat.replay:
        return "This was said before, word for word: a repetition teaches nothing."
    if chat.new_messages == []:
        return "You said nothing new here."
    cursor = ExtractCursor.objects.filter(pk=1).first()
    if cursor is not None and cursor.last_audit_id >= row.pk:
        return "It was read, and held nothing worth keeping."
    if settings.CAESAR.memory.facts_extract.enabled:
        return "It has not been read yet. That takes a minute at most, unless the worker is stopped."
    return "It has not been read: learning is off. Set CAESAR_MEMORY__FACTS_EXTRACT__ENABLED=true to change that."


def _fact(entry: Entry) -> dict[str, object]:
    """The fact an event is about, as it stands now."""
    key = entry.row.fact_key
    fact = PersonalFact.objects.filter(key=key).first() if key else None
    return {"fact": fact, "can_be_restored": fact is None and isinstance(entry.event, events.FactUserDeleted)}

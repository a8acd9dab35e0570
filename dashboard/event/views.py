"""The page of one event, with everything that belongs to it."""

import json

from django.conf import settings
from django.http import HttpResponse
from django.utils import timezone

from dashboard.chats.detail import read_chat
from dashboard.shared.audit_entries import AuditEntry, read_entries
from dashboard.shared.pages import PageRequest, operator_page, refusal, render_template
from dashboard.shared.receipts.answers import Answer
from memory import events
from memory.models import AuditRow, PersonalFact
from memory.text.lines import encodable


@operator_page("GET", "HEAD")
def show(request: PageRequest, row_id: int) -> HttpResponse:
    """One audit row: its sentence, links and payload; a chat with its conversation, receipt and what came of it."""
    row = AuditRow.objects.filter(pk=row_id).first()
    if row is None:
        return refusal(request, _no_such_event(row_id), status=404, section="audit")
    entry = read_entries([row])[0]
    context = _entry_context(entry)
    if isinstance(entry.event, events.ChatCompleted):
        context |= {"chat": entry.event, "shown": read_chat(row, entry.event)}
        return render_template(request, "dashboard/chats/chat.html", context)
    context |= _fact_context(entry) | {"task_beginnings": settings.CAESAR.proxy.beginnings}
    return render_template(request, "dashboard/event/event.html", context)


def _entry_context(entry: AuditEntry) -> dict[str, object]:
    return {
        "section": "audit",
        "entry": entry,
        "payload": encodable(json.dumps(entry.row.payload, indent=2, ensure_ascii=False)),
        "receipt": entry.receipt,
        "answer": Answer.of(entry.receipt) if entry.receipt else None,
        "now": timezone.now(),
    }


def _fact_context(entry: AuditEntry) -> dict[str, object]:
    """The fact an event is about, as it is now."""
    key = entry.row.fact_key
    fact = PersonalFact.objects.filter(key=key).first() if key else None
    ended = isinstance(entry.event, events.FactRetired) and fact is not None and fact.retired_at is not None
    is_deletion = isinstance(entry.event, events.FactUserDeleted) and not entry.event.emptied
    return {"fact": fact, "can_be_restored": fact is None and is_deletion, "can_be_brought_back": ended}


def _no_such_event(row_id: int) -> str:
    days = settings.CAESAR.memory.retention_days
    return f"There is no event {row_id}." + (f" Events older than {days} days are swept." if days else "")

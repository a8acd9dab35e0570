"""Undo, from wherever it is offered: the message after a change, the timeline, the event's page, a fact's history."""

from django.contrib import messages
from django.http import HttpResponse
from django.utils import timezone

from dashboard.fact.answers import changed, not_changed
from dashboard.shared.pages import PageRequest, operator_page
from memory import events
from memory.models import (
    AuditRow,
    CannotUndo,
    FactConflict,
    NotWaiting,
    PersonalFact,
    TooManyKept,
    back_to,
    undo,
    value_after,
)
from memory.text.lines import one_line

_REVIEWED = (events.FactUserDropped.name, events.FactWaiting.name)


@operator_page("POST")
def take_back(request: PageRequest, row_id: int) -> HttpResponse:
    """Undo what this row says the operator did. Done again, it changes nothing."""
    now, row = timezone.now(), AuditRow.objects.filter(pk=row_id).first()
    if row is None:
        return not_changed(request, _no_such_event(row_id), status=404, now=now)
    try:
        written = undo(row, now=now)
    except (CannotUndo, FactConflict, NotWaiting, TooManyKept) as problem:
        return not_changed(request, str(problem), status=409, now=now)
    key = row.fact_key or ""
    what = key or "the episode"
    said = _what_is_back(row, key) if written else f"That is undone already: {what} is as it is."
    messages.success(request, said, extra_tags=str(written.pk) if written and key else "")
    is_review = row.event_type in _REVIEWED or "waited" in row.payload
    return changed(request, key=key, now=now, focus=PersonalFact.objects.by_key(key), with_review=is_review)


@operator_page("POST")
def set_back(request: PageRequest, row_id: int) -> HttpResponse:
    """Give a fact the value again that this row gave it. `seen`: the value the operator saw on the page."""
    now, row = timezone.now(), AuditRow.objects.filter(pk=row_id).first()
    if row is None:
        return not_changed(request, _no_such_event(row_id), status=404, now=now)
    seen = request.POST.get("seen")
    try:
        written = back_to(row, now=now, expected=None if seen is None else str(seen))
    except (CannotUndo, FactConflict) as problem:
        return not_changed(request, str(problem), status=409, now=now)
    key, value = row.fact_key or "", one_line(value_after(row))
    said = f"{key} is “{value}” again." if written else f"{key} is “{value}” already."
    messages.success(request, said, extra_tags=str(written.pk) if written else "")
    return changed(request, key=key, now=now, focus=PersonalFact.objects.by_key(key))


def _what_is_back(row: AuditRow, key: str) -> str:
    if row.event_type in _REVIEWED:
        waits = row.event_type == events.FactUserDropped.name
        return f"The claim for {key} {'waits again' if waits else 'is dropped again'}."
    if row.event_type == events.EpisodeUserDeleted.name:
        return "The episode is back."
    fact = PersonalFact.objects.by_key(key)
    if fact is None:
        return f"Undone: {key} is gone again."
    if row.event_type == events.FactUserDeleted.name:
        return f"{key} is back."
    if row.event_type == events.FactUserEdited.name:
        return f"Undone: {key} is “{one_line(fact.value)}” again."
    return f"Undone: {key} is as it was before."


def _no_such_event(row_id: int) -> str:
    return f"There is no event {row_id} to undo. It may have been swept."

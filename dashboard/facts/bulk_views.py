"""Changes to several facts at once: deleted together, restored together, with one audit row for each fact."""

from collections.abc import Sequence
from datetime import datetime

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.template.defaultfilters import pluralize
from django.utils import timezone

from dashboard.facts.query_parameters import FactsQuery
from dashboard.facts.responses import facts_page, refused, table_changed
from dashboard.facts.table import PAGE_SIZE
from dashboard.shared.audit_entries import parsed_event
from dashboard.shared.pages import PageRequest, operator_page
from dashboard.shared.query_parameters import whole_number
from memory import events
from memory.models import AuditRow, FactConflict, PersonalFact

_MAX_CONFLICTS_NAMED = 3


@operator_page("POST")
def delete(request: PageRequest) -> HttpResponse:
    """Forget the selected facts, all or none of them. The message that says so has a button to undo it.

    A row is named by its id, so that a fact learned anew meanwhile under the same key is not deleted.
    """
    now, query = timezone.now(), FactsQuery.on_screen(request)
    ids = _row_ids(request.POST.getlist("fact"))
    if not ids:
        return _nothing_selected(request, query, now)
    with transaction.atomic():
        facts = PersonalFact.objects.filter(pk__in=ids).order_by("pk")
        deletions = [deletion for fact in facts if (deletion := fact.forget(now=now))]
    if not deletions:
        return refused(request, query, "These facts are gone already.", status=404, now=now)
    deletion_ids = " ".join(str(row.pk) for row in deletions)
    messages.success(request, _deleted_message(deletions, len(ids)), extra_tags=deletion_ids)
    return table_changed(request, query, now=now)


@operator_page("POST")
def restore(request: PageRequest) -> HttpResponse:
    """Undo several deletions, which may be done again and again. A fact learned anew meanwhile stays, and is named."""
    now, query = timezone.now(), FactsQuery.on_screen(request)
    rows = AuditRow.objects.filter(pk__in=_row_ids(str(request.POST.get("deletions", "")).split())).order_by("pk")
    deletions = [row for row in rows if isinstance(parsed_event(row), events.FactUserDeleted)]
    if not deletions:
        return refused(request, query, "These are no deletions that could be taken back.", status=404, now=now)
    facts, conflicts = _restore_all(deletions, now)
    if not facts:
        return refused(request, query, " ".join(conflicts[:_MAX_CONFLICTS_NAMED]), status=409, now=now)
    messages.success(request, _restored_message(facts, conflicts))
    return table_changed(request, query, now=now, focus=facts[0])


def _restore_all(deletions: Sequence[AuditRow], now: datetime) -> tuple[list[PersonalFact], list[str]]:
    """The facts that were restored, and why the others were not."""
    facts, conflicts = [], []
    with transaction.atomic():
        for deletion in deletions:
            try:
                facts.append(PersonalFact.objects.restore(deletion, now=now))
            except FactConflict as conflict:
                conflicts.append(str(conflict))
    return facts, conflicts


def _nothing_selected(request: PageRequest, query: FactsQuery, now: datetime) -> HttpResponse:
    problem = "Nothing is selected. Tick the facts to delete first."
    if request.htmx:
        return refused(request, query, problem, status=422, now=now)
    messages.error(request, problem)
    return facts_page(request, query, now=now, status=422)


def _deleted_message(deletions: Sequence[AuditRow], selected: int) -> str:
    gone_before = selected - len(deletions)
    message = f"Deleted {len(deletions)} facts." if len(deletions) > 1 else f"Deleted {deletions[0].fact_key}."
    return message + (f" {gone_before} {pluralize(gone_before, 'was,were')} gone already." if gone_before else "")


def _restored_message(facts: Sequence[PersonalFact], conflicts: Sequence[str]) -> str:
    message = f"{len(facts)} facts are back." if len(facts) > 1 else f"{facts[0].key} is back."
    if conflicts:
        message += f" {len(conflicts)} stayed as {pluralize(len(conflicts), 'it is,they are')}: "
    return message + " ".join(conflicts[:_MAX_CONFLICTS_NAMED])


def _row_ids(texts: Sequence[str]) -> set[int]:
    """The ids among these texts, at most as many as a page has rows."""
    numbers = (whole_number(text) for text in texts[:PAGE_SIZE])
    return {number for number in numbers if number is not None}

"""Several facts at once: deleted together, taken back together, one audit row for each."""

from collections.abc import Sequence
from datetime import datetime

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.template.defaultfilters import pluralize
from django.utils import timezone

from dashboard.facts.query_parameters import Place
from dashboard.facts.responses import changed, facts_page, refused
from dashboard.facts.table import PAGE_SIZE
from dashboard.shared.entries import readable
from dashboard.shared.pages import PageRequest, operator_page
from memory import events
from memory.models import AuditRow, FactConflict, PersonalFact

_CONFLICTS_TOLD = 3


@operator_page("POST")
def delete(request: PageRequest) -> HttpResponse:
    """Forget the facts that are ticked, all or none of them; one message takes them all back.

    A ticked row is named by its id, so that a fact learned anew meanwhile under the same key is not deleted.
    """
    now = timezone.now()
    ids = _numbers(request.POST.getlist("fact"))
    if not ids:
        return _nothing_ticked(request, now)
    with transaction.atomic():
        facts = PersonalFact.objects.filter(pk__in=ids).order_by("pk")
        deletions = [deletion for fact in facts if (deletion := fact.forget(now=now))]
    if not deletions:
        return refused(request, "These facts are gone already.", status=404, now=now)
    messages.success(request, _told(deletions, len(ids)), extra_tags=" ".join(str(row.pk) for row in deletions))
    return changed(request, now=now)


@operator_page("POST")
def restore(request: PageRequest) -> HttpResponse:
    """Take several deletions back, as often as asked. What was learned anew meanwhile stays, and is named."""
    now = timezone.now()
    rows = AuditRow.objects.filter(pk__in=_numbers(str(request.POST.get("deletions", "")).split())).order_by("pk")
    deletions = [row for row in rows if isinstance(readable(row), events.FactUserDeleted)]
    if not deletions:
        return refused(request, "These are no deletions that could be taken back.", status=404, now=now)
    facts, conflicts = _take_back(deletions, now)
    if not facts:
        return refused(request, " ".join(conflicts[:_CONFLICTS_TOLD]), status=409, now=now)
    back = f"{len(facts)} facts are back." if len(facts) > 1 else f"{facts[0].key} is back."
    stayed = f" {len(conflicts)} stayed as {pluralize(len(conflicts), 'it is,they are')}: " if conflicts else ""
    messages.success(request, back + stayed + " ".join(conflicts[:_CONFLICTS_TOLD]))
    return changed(request, now=now, focus=facts[0])


def _take_back(deletions: Sequence[AuditRow], now: datetime) -> tuple[list[PersonalFact], list[str]]:
    """The facts that are back, and why the others are not."""
    facts, conflicts = [], []
    with transaction.atomic():
        for deletion in deletions:
            try:
                facts.append(PersonalFact.objects.restore(deletion, now=now))
            except FactConflict as conflict:
                conflicts.append(str(conflict))
    return facts, conflicts


def _nothing_ticked(request: PageRequest, now: datetime) -> HttpResponse:
    problem = "Nothing is selected. Tick the facts to delete first."
    if request.htmx:
        return refused(request, problem, status=422, now=now)
    messages.error(request, problem)
    return facts_page(request, Place.of(request.GET), now=now, status=422)


def _told(deletions: Sequence[AuditRow], asked_for: int) -> str:
    gone_before = asked_for - len(deletions)
    told = f"Deleted {len(deletions)} facts." if len(deletions) > 1 else f"Deleted {deletions[0].fact_key}."
    return told + (f" {gone_before} {pluralize(gone_before, 'was,were')} gone already." if gone_before else "")


def _numbers(texts: Sequence[str]) -> set[int]:
    """The ids among these texts, at most as many as a page has rows."""
    return {int(text) for text in texts[:PAGE_SIZE] if text.isascii() and text.isdigit() and len(text) <= 18}

"""What the operator says of a fact without changing its value: still true, keep, no longer keep."""

from collections.abc import Callable
from datetime import datetime

from django.contrib import messages
from django.http import HttpResponse
from django.utils import timezone

from dashboard.fact.answers import changed, not_changed
from dashboard.shared.pages import PageRequest, operator_page
from dashboard.shared.query_parameters import text_parameter
from memory import models
from memory.models import AuditRow, FactConflict, PersonalFact, TooManyKept


@operator_page("POST")
def confirm(request: PageRequest) -> HttpResponse:
    """Say that the fact is still true: it is confirmed now."""
    return _act(request, lambda fact, now: fact.confirm(now=now), done="is confirmed: still true", already="")


@operator_page("POST")
def keep(request: PageRequest) -> HttpResponse:
    """Keep the fact: it comes first in the prompt."""
    return _act(request, lambda fact, now: fact.keep(now=now), done="is kept", already="is kept already")


@operator_page("POST")
def unkeep(request: PageRequest) -> HttpResponse:
    """Keep the fact no longer."""
    return _act(
        request, lambda fact, now: fact.unkeep(now=now), done="is no longer kept", already="was not kept anyway"
    )


@operator_page("POST")
def let_go(request: PageRequest) -> HttpResponse:
    """Let the fact leave the prompt, and ask no more."""
    done = "may leave the prompt; it is not deleted"
    return _act(request, lambda fact, now: models.let_go(fact, now=now), done=done, already="was let go already")


def _act(
    request: PageRequest, verb: Callable[[PersonalFact, datetime], AuditRow | None], *, done: str, already: str
) -> HttpResponse:
    """Do this to the fact named by `key`. The message that says so has a button to undo it."""
    now = timezone.now()
    key = text_parameter(request.POST, "key") or text_parameter(request.GET, "key")
    fact = PersonalFact.objects.by_key(key)
    if fact is None:
        return not_changed(request, f"There is no fact {key}. It may have been deleted.", status=404, now=now)
    try:
        row = verb(fact, now)
    except (FactConflict, TooManyKept) as problem:
        return not_changed(request, str(problem), status=409, now=now)
    messages.success(request, f"{fact.key} {done if row else already}.", extra_tags=str(row.pk) if row else "")
    return changed(request, key=fact.key, now=now, focus=fact)

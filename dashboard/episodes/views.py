"""The episodes page, and the deletion of episodes with its undo. Each works with htmx and, by redirect, without."""

from collections.abc import Sequence
from datetime import datetime

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect
from django.template.defaultfilters import pluralize
from django.utils import timezone
from django_htmx.http import push_url, replace_url, reselect, reswap, retarget

from dashboard.episodes.listing import read_list, read_overview
from dashboard.episodes.query_parameters import EpisodesQuery
from dashboard.episodes.rows import PAGE_SIZE
from dashboard.shared.addresses import address
from dashboard.shared.pages import PageRequest, next_page, operator_page, refusal, render_template, wants_partial
from dashboard.shared.query_parameters import number_parameter, whole_number
from memory import events
from memory.models import AuditRow, EpisodeGone, EpisodeSummary


@operator_page("GET", "HEAD")
def show(request: PageRequest) -> HttpResponse:
    """The calendar, and the episodes 50 a page: all, of a `day`, those a search finds (`q`), in an `order`.

    A search made while typing gets the list alone, and its address into the browser: one step of its history.
    """
    now, query = timezone.now(), EpisodesQuery.of(request.GET)
    if not wants_partial(request):
        return render_template(request, "dashboard/episodes/episodes.html", _context(query, now))
    response = render_template(request, "dashboard/episodes/_episodes_found.html", _list_context(query, now))
    is_new_search = query.search and not EpisodesQuery.on_screen(request).search
    return push_url(response, query.address) if is_new_search else replace_url(response, query.address)


@operator_page("POST")
def delete(request: PageRequest) -> HttpResponse:
    """Forget the episodes of these chats, all or none of them. The message that says so has a button to undo it."""
    now, query = timezone.now(), EpisodesQuery.on_screen(request)
    chats = _numbers(request.POST.getlist("episode"))
    if not chats:
        return _refused(request, query, "Nothing is selected. Tick the episodes to delete first.", status=422, now=now)
    with transaction.atomic():
        EpisodeSummary.objects.hold(chat_ids=chats)
        rows = EpisodeSummary.objects.defer("embedding").filter(audit_log__in=chats).order_by("pk")
        deletions = [deletion for row in rows if (deletion := row.forget(now=now))]
    if not deletions:
        return _refused(request, query, "These episodes are gone already.", status=404, now=now)
    undo = address("episodes-restore", deletions=" ".join(str(row.pk) for row in deletions))
    messages.success(request, _deleted_words(len(deletions), len(chats)), extra_tags=undo)
    return _changed(request, query, now=now)


@operator_page("POST")
def restore(request: PageRequest) -> HttpResponse:
    """Undo `deletions`, which may be done again and again. With `at`, the operator came from that chat's page."""
    now, query = timezone.now(), EpisodesQuery.on_screen(request)
    ids = _numbers(request.GET.get("deletions", "").split())
    deletions = AuditRow.objects.get_queryset().of_type(events.EpisodeUserDeleted).filter(pk__in=ids)
    back, problem = _restore_all(list(deletions.order_by("pk")), now)
    if not back:
        problem = problem or "These are no deletions that could be taken back."
        return _refused(request, query, problem, status=409 if ids else 404, now=now)
    messages.success(request, f"{_count_words(back)} {pluralize(back, 'is,are')} back. {problem}".strip())
    if not request.htmx and (to := next_page(request)):
        return redirect(to)
    chat = number_parameter(request.GET, "at")
    return redirect("event", chat) if chat and not request.htmx else _changed(request, query, now=now)


def _restore_all(deletions: Sequence[AuditRow], now: datetime) -> tuple[int, str]:
    """How many episodes are back, and why another one is not: "" where all are."""
    back, problem = 0, ""
    with transaction.atomic():
        EpisodeSummary.objects.hold(chat_ids=[row.chat_id for row in deletions if row.chat_id is not None])
        for deletion in deletions:
            try:
                EpisodeSummary.objects.restore(deletion, now=now)
                back += 1
            except EpisodeGone as gone:
                problem = str(gone)
    return back, problem


def _context(query: EpisodesQuery, now: datetime) -> dict[str, object]:
    """What the whole page needs."""
    return _list_context(query, now) | {"section": "episodes", "overview": read_overview(query, now=now)}


def _list_context(query: EpisodesQuery, now: datetime) -> dict[str, object]:
    return {"listing": query, "page": read_list(query, now=now), "now": now}


def _changed(request: PageRequest, query: EpisodesQuery, *, now: datetime) -> HttpResponse:
    """The answer to a change: for htmx the list and the calendar anew with the message, else the page by redirect."""
    if not request.htmx:
        return redirect(query.address)
    context = _context(query, now) | {"is_swap": True}
    response = render_template(request, "dashboard/episodes/_episodes_changed.html", context)
    return retarget(response, "#episodes-list")


def _refused(request: PageRequest, query: EpisodesQuery, problem: str, *, status: int, now: datetime) -> HttpResponse:
    """The answer to a change that was not possible: why, and for htmx also the list as it is now."""
    if not request.htmx:
        return refusal(request, problem, status=status, section="episodes")
    context = _context(query, now) | {"problem": problem, "is_swap": True}
    response = render_template(request, "dashboard/episodes/_episodes_refused.html", context, status=status)
    return reselect(reswap(retarget(response, "#status"), "innerHTML"), "#problem")


def _numbers(texts: Sequence[str]) -> set[int]:
    """The ids among these texts, at most as many as a page has rows."""
    numbers = (whole_number(text) for text in texts[:PAGE_SIZE])
    return {number for number in numbers if number is not None}


def _count_words(count: int) -> str:
    return f"{count} episodes" if count > 1 else "The episode"


def _deleted_words(count: int, selected: int) -> str:
    gone = selected - count
    words = f"Deleted {count} episodes." if count > 1 else "Deleted the episode."
    return words + (f" {gone} {pluralize(gone, 'was,were')} gone already." if gone else "")

"""The overview: whether memory is well, what happened lately, and a first message where nothing has happened yet."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache

from dashboard.overview.activity_chart import read_strip
from dashboard.overview.totals import Board, read_board
from dashboard.shared.entries import readable
from dashboard.shared.health import Health, read_health
from dashboard.shared.pages import PERMISSION, PageRequest, answer, asked_number, operator_page
from memory import chat, events
from memory.conversation import Conversation
from memory.models import AuditRow, ExtractCursor, PersonalFact
from memory.text.lines import encodable, one_line, shorten

_MOST_SHOWN_CHARS = 300


@operator_page("GET", "HEAD")
def show(request: PageRequest) -> HttpResponse:
    """The whole page; with `?said=` what became of a message that was typed in here."""
    now = timezone.now()
    return _page(request, read_board(now), said=_said(asked_number(request, "said"), now), now=now)


@operator_page("GET", "HEAD")
def board(request: PageRequest) -> HttpResponse:
    """The part that changes while the workers work, asked for by itself as long as chats wait."""
    now = timezone.now()
    if not request.htmx:
        return redirect("overview")
    return answer(request, "dashboard/overview/_board_changed.html", board_context(now))


@never_cache
def health(request: PageRequest) -> HttpResponse:
    """The words in the head of a page, asked for again while chats wait. A stranger is left in peace with what is
    on the screen: nobody typing into a form should be sent to the login by a clock."""
    if request.method not in ("GET", "HEAD"):
        return HttpResponseNotAllowed(("GET", "HEAD"))
    if not request.user.has_perm(PERMISSION):
        return HttpResponse(status=204)
    if not request.htmx:
        return redirect("overview")
    return answer(request, "dashboard/shared/_health.html", {"health": read_health(timezone.now())})


@operator_page("POST")
def say(request: PageRequest) -> HttpResponse:
    """Record what the operator typed as a finished chat without a reply. No model answers; the worker reads it later,
    like any other chat."""
    now = timezone.now()
    words = encodable(request.POST.get("message", ""))
    if not one_line(words):
        return _page(request, read_board(now), now=now, problem="There is nothing to remember yet. Write a sentence.")
    conversation = Conversation([events.Message(role="user", content=words)])
    recorded = chat.record(chat.Turn(conversation=conversation, now=now), chat.Reply(""))
    return redirect(f"{reverse('overview')}?{urlencode({'said': recorded.audit_log_id})}")


@operator_page("GET", "HEAD")
def said(request: PageRequest, chat_id: int) -> HttpResponse:
    """What became of one message, asked for again until it was read."""
    now = timezone.now()
    message = _said(chat_id, now)
    if not request.htmx or message is None:
        return redirect(f"{reverse('overview')}?{urlencode({'said': chat_id})}")
    return answer(request, "dashboard/overview/_said.html", {"said": message})


def board_context(now: datetime, *, keeps_focus: bool = False) -> dict[str, object]:
    """What `_board_changed.html` is made of. `keeps_focus`: the button that was used is still there."""
    read, strip = read_board(now), read_strip(now)
    return {
        "section": "overview",
        "board": read,
        "health": read.health,
        "strip": strip,
        "chats_today": strip.chats_today,
        "zone": settings.CAESAR.time_zone,
        "now": now,
        "is_swap": True,
        "focus": keeps_focus,
    }


SaidState = Literal["learned", "nothing", "replay", "reading", "late", "stuck", "paused", "off"]
"""How far a typed message got: the first three when it was read, the others say why it was not."""


@dataclass(frozen=True)
class Said:
    """A message that was typed in, and what came of it so far. `facts`: what was learned from it and still stands."""

    chat: AuditRow
    words: str
    state: SaidState
    facts: Sequence[PersonalFact]

    @property
    def may_change(self) -> bool:
        """Whether it may be read at any moment, so that the page asks again."""
        return self.state in ("reading", "late", "stuck")


def _said(chat_id: int | None, now: datetime) -> Said | None:
    """The chat with this id, None where there is none. Four queries."""
    row = AuditRow.objects.get_queryset().chats().filter(pk=chat_id).first() if chat_id else None
    event = readable(row) if row is not None else None
    if row is None or not isinstance(event, events.ChatCompleted):
        return None
    learned = row.consequences.get_queryset().of_type(events.FactAdded, events.FactUpdated, events.FactConfirmed)
    facts = list(PersonalFact.objects.filter(key__in=learned.values("fact_key")).order_by("id"))
    words = shorten(one_line(Conversation(event.messages).question), _MOST_SHOWN_CHARS)
    if facts:
        return Said(row, words, "learned", facts)
    if ExtractCursor.current().last_audit_id >= row.pk:
        return Said(row, words, "replay" if event.replay else "nothing", [])
    return Said(row, words, _why_unread(read_health(now)), [])


def _why_unread(health: Health) -> SaidState:
    reader = health.workers[0]
    if not reader.is_on:
        return "off"
    if health.paused_at is not None:
        return "paused"
    if reader.is_stuck:
        return "stuck"
    return "late" if reader.is_late else "reading"


def _page(
    request: HttpRequest, read: Board, *, now: datetime, said: Said | None = None, problem: str = ""
) -> HttpResponse:
    context = {
        "section": "overview",
        "board": read,
        "health": read.health,
        "said": said,
        "problem": problem,
        "typed": request.POST.get("message", "") if problem else "",
        "now": now,
    }
    if not read.is_new:
        strip = read_strip(now)
        context |= {"strip": strip, "chats_today": strip.chats_today, "zone": settings.CAESAR.time_zone}
    return answer(request, "dashboard/overview/overview.html", context, status=422 if problem else 200)

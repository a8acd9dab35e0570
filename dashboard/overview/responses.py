"""What the overview's views answer with: the whole page, or the parts that change while the workers work."""

from datetime import datetime

from django.conf import settings
from django.http import HttpResponse

from dashboard.overview.activity_chart import read_activity_chart
from dashboard.overview.since import SinceLastLook, read_since
from dashboard.overview.summary import OverviewSummary, read_summary
from dashboard.overview.typed_message import TypedMessage
from dashboard.shared.pages import PageRequest, render_template
from memory.models import LastLook


def overview_page(
    request: PageRequest,
    *,
    now: datetime,
    said: TypedMessage | None = None,
    typed: str = "",
    problem: str = "",
) -> HttpResponse:
    """The whole page. `said`: a message that was typed in. `typed` and `problem`: one that was refused, and why."""
    summary = read_summary(now)
    context = _summary_context(summary, now) | {"said": said, "problem": problem, "typed": typed}
    since = _since_last_look(request, now)
    if not summary.is_new:
        context |= _chart_context(now) | {"since": since}
    return render_template(request, "dashboard/overview/overview.html", context, status=422 if problem else 200)


def summary_changed(
    request: PageRequest, *, now: datetime, keeps_focus: bool = False, said: TypedMessage | None = None
) -> HttpResponse:
    """The head of the page with the numbers beside it, for htmx; all parts of the page once no chat waits.

    `keeps_focus`: the button that was used is still there. `said`: a message that was typed in, whose box comes first,
    so that it and the numbers never disagree.
    """
    summary = read_summary(now)
    context = _summary_context(summary, now) | _chart_context(now) | {"is_swap": True, "focus": keeps_focus}
    is_settled = not summary.health.may_change or (said is not None and not said.may_change)
    if is_settled:
        context |= {"since": _since_last_look(request, now)}
    context |= {"said": said, "is_settled": is_settled}
    template = "_board_changed.html" if said is None else "_said_changed.html"
    return render_template(request, f"dashboard/overview/{template}", context)


def _since_last_look(request: PageRequest, now: datetime) -> SinceLastLook:
    """What has changed since this account looked last; this is a look, too."""
    return read_since(LastLook.look(int(request.user.pk or 0), now=now), now)


def _summary_context(summary: OverviewSummary, now: datetime) -> dict[str, object]:
    shown = {"section": "overview", "board": summary, "health": summary.health, "needs": summary.needs}
    return shown | {"now": now}


def _chart_context(now: datetime) -> dict[str, object]:
    chart = read_activity_chart(now)
    return {"strip": chart, "chats_today": chart.chats_today, "zone": settings.CAESAR.time_zone}

"""What the overview's views answer with: the whole page, or the part that changes while the workers work."""

from datetime import datetime

from django.conf import settings
from django.http import HttpResponse

from dashboard.overview.activity_chart import read_activity_chart
from dashboard.overview.summary import OverviewSummary, read_summary
from dashboard.overview.typed_message import TypedMessage
from dashboard.shared.pages import PageRequest, render_template


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
    if not summary.is_new:
        context |= _chart_context(now)
    return render_template(request, "dashboard/overview/overview.html", context, status=422 if problem else 200)


def summary_changed(request: PageRequest, *, now: datetime, keeps_focus: bool = False) -> HttpResponse:
    """The part with the numbers, for htmx. `keeps_focus`: the button that was used is still there."""
    context = _summary_context(read_summary(now), now) | _chart_context(now) | {"is_swap": True, "focus": keeps_focus}
    return render_template(request, "dashboard/overview/_board_changed.html", context)


def _summary_context(summary: OverviewSummary, now: datetime) -> dict[str, object]:
    return {"section": "overview", "board": summary, "health": summary.health, "now": now}


def _chart_context(now: datetime) -> dict[str, object]:
    chart = read_activity_chart(now)
    return {"strip": chart, "chats_today": chart.chats_today, "zone": settings.CAESAR.time_zone}

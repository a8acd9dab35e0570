"""Which model does what: where each task is sent, whether that is configured, and which models its server offers."""

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from dashboard.language_models.usage_chart import read_usage
from dashboard.shared.addresses import address
from dashboard.shared.audit_entries import parsed_event
from dashboard.shared.pages import PageRequest, operator_page, refusal, render_template, wants_partial
from dashboard.shared.query_parameters import number_parameter, text_parameter
from memory import events, model_servers
from memory.models import AuditRow


@operator_page("GET", "HEAD")
def show(request: PageRequest) -> HttpResponse:
    """Where each task is sent. Only `?ask=TASK` asks a server: that task's, for the models it offers.

    For htmx the answer is the list of these models alone. `?tried=ID` shows what came of trying a model.
    """
    task = text_parameter(request.GET, "ask")
    ways = model_servers.ways()
    chosen = next((way for way in ways if way.has(task) and not way.first.is_offline), None)
    tried, now = _tried(number_parameter(request.GET, "tried")), timezone.now()
    context: dict[str, object] = {
        "section": "models",
        "now": now,
        "today": settings.CAESAR.day_of(now),
        "ways": ways,
        "embedder": model_servers.embedder(),
        "asked": chosen,
        "way": chosen,
        "offer": model_servers.offered(chosen.first.task) if chosen else None,
        "usage": read_usage(now),
        "tried": tried,
        "tried_way": next((way for way in ways if tried and way.has(tried.task)), None),
    }
    if chosen and wants_partial(request):
        return render_template(request, "dashboard/language_models/_models_offered.html", context)
    return render_template(request, "dashboard/language_models/models.html", context)


@operator_page("POST")
def try_now(request: PageRequest) -> HttpResponse:
    """Have a task's model answer one short question: how long it took, what it cost, or what is wrong."""
    task = text_parameter(request.POST, "task")
    way = next((way for way in model_servers.ways() if way.has(task) and not way.first.is_offline), None)
    if way is None:
        return refusal(request, "No model does this task, so there is none to try.", status=404, section="models")
    row = model_servers.try_out(way.first.task, now=timezone.now())
    if not request.htmx:
        return redirect(f"{address('models', tried=row.pk)}#{way.first.task}")
    context = {"way": way, "tried": parsed_event(row)}
    return render_template(request, "dashboard/language_models/_model_tried.html", context)


def _tried(row_id: int | None) -> events.ModelTried | None:
    row = AuditRow.objects.filter(pk=row_id).first() if row_id else None
    event = parsed_event(row) if row else None
    return event if isinstance(event, events.ModelTried) else None

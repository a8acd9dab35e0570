"""Which model does what: where each task is sent, whether that is configured, and which models its server offers."""

from collections.abc import Mapping

from django.http import HttpResponse

from dashboard.shared.pages import PageRequest, operator_page, render_template, wants_partial
from dashboard.shared.query_parameters import text_parameter
from memory import model_servers

TITLES: Mapping[str, str] = {
    "chat": "Chat",
    "memory_extract": "Learning facts",
    "memory_summarise": "Summing up chats",
}
"""A task -> its heading."""


@operator_page("GET", "HEAD")
def show(request: PageRequest) -> HttpResponse:
    """Where each task is sent. Only `?ask=TASK` asks a server: that task's, for the models it offers.

    For htmx the answer is the list of these models alone.
    """
    task = text_parameter(request.GET, "ask")
    sections = [(each, TITLES[each.task]) for each in model_servers.destinations()]
    chosen = next((each for each, _ in sections if each.task == task and not each.is_offline), None)
    context: dict[str, object] = {
        "section": "models",
        "sections": sections,
        "embedder": model_servers.embedder(),
        "asked": chosen.task if chosen else "",
        "destination": chosen,
        "offer": model_servers.offered(chosen.task) if chosen else None,
    }
    if chosen and wants_partial(request):
        return render_template(request, "dashboard/language_models/_models_offered.html", context)
    return render_template(request, "dashboard/language_models/models.html", context)

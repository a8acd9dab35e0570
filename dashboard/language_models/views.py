"""Which model does what: where each task goes, whether it is ready, and what its server offers when asked."""

from collections.abc import Mapping

from django.http import HttpResponse

from dashboard.shared.pages import PageRequest, answer, asked, operator_page
from memory import model_servers

TITLES: Mapping[str, str] = {
    "chat": "Chat",
    "memory_extract": "Learning facts",
    "memory_summarise": "Summing up chats",
}
"""A task -> its heading."""


@operator_page("GET", "HEAD")
def show(request: PageRequest) -> HttpResponse:
    """Every task's destination, asking nobody; with `?ask=TASK` that task's server says which models it offers.

    For htmx that list alone.
    """
    wanted = asked(request, "ask")
    sections = [(each, TITLES[each.task]) for each in model_servers.destinations()]
    chosen = next((each for each, _ in sections if each.task == wanted and not each.is_offline), None)
    context: dict[str, object] = {
        "section": "models",
        "sections": sections,
        "embedder": model_servers.embedder(),
        "asked": chosen.task if chosen else "",
        "destination": chosen,
        "offer": model_servers.offered(chosen.task) if chosen else None,
    }
    if request.htmx and chosen and not request.htmx.history_restore_request:
        return answer(request, "dashboard/language_models/_models_offered.html", context)
    return answer(request, "dashboard/language_models/models.html", context)

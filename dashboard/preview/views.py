"""The preview: the prompt that a message would get, and what other settings would change about it."""

from django.http import HttpResponse
from django.utils import timezone
from django_htmx.http import replace_url, retarget

from dashboard.preview.comparison import compare_scenarios
from dashboard.preview.forms import PreviewForm
from dashboard.preview.scenarios import Scenario, settings_in_force
from dashboard.shared.addresses import address
from dashboard.shared.pages import PageRequest, operator_page, render_template

RESULT = "preview-result"


@operator_page("GET", "HEAD")
def show(request: PageRequest) -> HttpResponse:
    """The page. For htmx the result alone, or form and result where an error in the form comes or goes."""
    now = timezone.now()
    current = Scenario(settings_in_force(now), now)
    form = PreviewForm(request.GET, memory=current.memory, now=now)
    context: dict[str, object] = {"section": "preview", "form": form, "now": now}
    if not form.is_valid():
        template = "dashboard/preview/_preview.html" if request.htmx else "dashboard/preview/preview.html"
        return retarget(render_template(request, template, context, status=422), "#preview")
    tried = Scenario(form.tried, form.cleaned_data["as_of"])
    context["outcome"] = compare_scenarios(form.cleaned_data["message"], current, tried)
    if not request.htmx:
        return render_template(request, "dashboard/preview/preview.html", context)
    part = "_preview_changed.html" if request.htmx.target == RESULT else "_preview.html"
    response = render_template(request, f"dashboard/preview/{part}", context)
    return replace_url(response, address("preview", **form.parameters))

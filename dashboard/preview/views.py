"""The preview: a message, the prompt it would get, and what other settings would change."""

from urllib.parse import urlencode

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django_htmx.http import replace_url, retarget

from dashboard.preview.comparison import Terms, read_preview
from dashboard.preview.forms import PreviewForm
from dashboard.shared.pages import PageRequest, answer, operator_page

RESULT = "preview-result"


@operator_page("GET", "HEAD")
def show(request: PageRequest) -> HttpResponse:
    """The page; for htmx its result alone, unless the form itself has to change because of an error in it."""
    now = timezone.now()
    form = PreviewForm(request.GET, now=now)
    context: dict[str, object] = {"section": "preview", "form": form, "now": now}
    if not form.is_valid():
        template = "dashboard/preview/_preview.html" if request.htmx else "dashboard/preview/preview.html"
        return retarget(answer(request, template, context, status=422), "#preview")
    tried = Terms(form.tried, form.cleaned_data["as_of"])
    context["outcome"] = read_preview(form.cleaned_data["message"], tried, now=now)
    if not request.htmx:
        return answer(request, "dashboard/preview/preview.html", context)
    part = "_preview_result.html" if request.htmx.target == RESULT else "_preview.html"
    return replace_url(answer(request, f"dashboard/preview/{part}", context), _address(form))


def _address(form: PreviewForm) -> str:
    """The shortest address of this preview, to be shared or come back to."""
    query = urlencode(form.parameters, errors="replace")
    return reverse("preview") + (f"?{query}" if query else "")

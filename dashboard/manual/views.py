"""The pages of the documentation."""

from django.http import Http404, HttpResponse

from dashboard.manual.documents import document, documents
from dashboard.shared.pages import PageRequest, operator_page, render_template


@operator_page("GET", "HEAD")
def show(request: PageRequest, name: str = "README") -> HttpResponse:
    """One document, beside the list of all."""
    shown = document(name)
    if shown is None:
        raise Http404
    return render_template(
        request,
        "dashboard/manual/manual.html",
        {"section": "manual", "shown": shown, "documents": documents()},
    )

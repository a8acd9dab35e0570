"""The form again that was sent after the session had ended, with what was typed into it."""

from collections.abc import Mapping
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import Resolver404, resolve
from django.utils import timezone

from dashboard.shared.pages import PageRequest, operator_page, page_here, render_template
from dashboard.shared.session import drafts

TITLES: Mapping[str, str] = {
    "fact-edit": "Edit",
    "fact-add": "Add a fact",
    "fact-date": "Last day",
    "waiting-accept": "Accept",
    "say": "Your message",
    "key-make": "A new key",
}
"""The view a form was sent to -> what the form does."""

LABELS: Mapping[str, str] = {
    "key": "Key",
    "value": "Value",
    "message": "What you said",
    "until": "The last day on which it holds",
    "label": "Who is the new key for?",
}


@operator_page("GET", "HEAD")
def show(request: PageRequest) -> HttpResponse:
    """The form with the text, ready to be sent where it was meant to go."""
    draft = drafts.waiting(request, now=timezone.now())
    if draft is None:
        return redirect("overview")
    context = {
        "draft": draft,
        "title": TITLES.get(_view_name(draft.action), "What you wrote"),
        "about": QueryDict(urlsplit(draft.action).query).get("key", ""),
        "typed": [(name, LABELS[name], text) for name, text in draft.typed],
        "is_sent": _view_name(draft.action) == "say",
    }
    return render_template(request, "dashboard/account/draft.html", context)


@operator_page("POST")
def drop(request: PageRequest) -> HttpResponse:
    """Forget what was typed, and go back to the page it was typed on."""
    draft = drafts.waiting(request, now=timezone.now())
    drafts.drop(request)
    return redirect((draft and page_here(request, draft.back)) or "overview")


def after_login(sender: object, request: HttpRequest, user: object, **kwargs: object) -> None:
    """The session lives as long as any other again; what another account typed, or long ago, is forgotten."""
    request.session.set_expiry(None)
    if drafts.waiting(request, now=timezone.now()) is None:
        drafts.drop(request)
    request.session.clear_expired()


def _view_name(action: str) -> str:
    try:
        return resolve(urlsplit(action).path).url_name or ""
    except Resolver404:
        return ""

"""The overview: whether memory is well, what happened lately, and a form for a first message."""

from django.http import HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.cache import never_cache

from dashboard.overview.responses import overview_page, summary_changed
from dashboard.overview.typed_message import read_typed_message, record_typed_message
from dashboard.shared.addresses import address
from dashboard.shared.health import read_health
from dashboard.shared.pages import PERMISSION, PageRequest, operator_page, render_template
from dashboard.shared.query_parameters import number_parameter
from memory.text.lines import encodable, one_line


@operator_page("GET", "HEAD")
def show(request: PageRequest) -> HttpResponse:
    """The whole page; with `?said=ID` also what became of a message that was typed in here."""
    now = timezone.now()
    said = read_typed_message(number_parameter(request.GET, "said"), now)
    return overview_page(request, now=now, said=said)


@operator_page("GET", "HEAD")
def board(request: PageRequest) -> HttpResponse:
    """The part with the numbers, which the page asks for again as long as chats wait."""
    if not request.htmx:
        return redirect("overview")
    return summary_changed(request, now=timezone.now())


@never_cache
def health(request: PageRequest) -> HttpResponse:
    """The health in the head of a page, which every page asks for again while chats wait.

    A stranger gets 204, which changes nothing: polling must not send someone who is typing into a form to the login.
    """
    if request.method not in ("GET", "HEAD"):
        return HttpResponseNotAllowed(("GET", "HEAD"))
    if not request.user.has_perm(PERMISSION):
        return HttpResponse(status=204)
    if not request.htmx:
        return redirect("overview")
    return render_template(request, "dashboard/shared/_health.html", {"health": read_health(timezone.now())})


@operator_page("POST")
def say(request: PageRequest) -> HttpResponse:
    """Record what the operator typed as a chat, and go on to the page that says what becomes of it."""
    now = timezone.now()
    text = encodable(request.POST.get("message", ""))
    if not one_line(text):
        typed = request.POST.get("message", "")
        problem = "There is nothing to remember yet. Write a sentence."
        return overview_page(request, now=now, typed=typed, problem=problem)
    return redirect(address("overview", said=record_typed_message(text, now)))


@operator_page("GET", "HEAD")
def said(request: PageRequest, chat_id: int) -> HttpResponse:
    """What became of one typed message, which the page asks for again until the message is read."""
    message = read_typed_message(chat_id, timezone.now())
    if not request.htmx or message is None:
        return redirect(address("overview", said=chat_id))
    return summary_changed(request, now=timezone.now(), said=message)

"""What every page shares: who may see it, how it is rendered, and how a refusal looks."""

import re
from collections.abc import Callable, Mapping
from functools import wraps
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from dashboard.shared.addresses import address
from dashboard.shared.session import drafts
from memory.models.facts import OPERATE
from memory.text.lines import encodable

PERMISSION = f"memory.{OPERATE}"
View = Callable[..., HttpResponseBase]

_PATH_HERE = re.compile(r"/(?!/)[^\\\x00-\x1f\x7f]*")
"""A path that no browser takes for the name of another server: one slash first, no backslash, no control character."""


class PageRequest(HttpRequest):
    """A request as the middleware leaves it: `htmx` is true for a request made by htmx."""

    htmx: HtmxDetails


def operator_page(*methods: str) -> Callable[[View], View]:
    """A decorator for views of the logged-in operator that answer these methods only.

    Strangers are sent to the login, and what they had typed is kept for after it; other methods get a readable 405.
    Browsers must not keep the answer: facts must not come back with the back button after logging out, and one address
    has two renderings.
    """

    def wrap(view: View) -> View:
        @never_cache
        @wraps(view)
        def guarded(request: PageRequest, *args: object, **kwargs: object) -> HttpResponseBase:
            if request.method not in methods:
                return _not_allowed(request, methods)
            if not request.user.is_authenticated:
                return _to_login(request)
            if not request.user.has_perm(PERMISSION):
                return render_template(request, "not_permitted.html", {}, status=403)
            response = view(request, *args, **kwargs)
            drafts.drop_sent(request)
            return response

        return guarded

    return wrap


def wants_partial(request: PageRequest) -> bool:
    """Whether htmx asks for a part of the page. To restore its history it asks for the whole page."""
    return bool(request.htmx) and not request.htmx.history_restore_request


def render_template(
    request: HttpRequest, template: str, context: Mapping[str, object], *, status: int = 200
) -> HttpResponse:
    """The rendered template. Text of old rows that cannot be encoded is replaced, so that no row breaks a page."""
    html = render_to_string(template, dict(context), request)
    return HttpResponse(encodable(html), status=status)


def refusal(request: HttpRequest, problem: str, *, status: int, section: str) -> HttpResponse:
    """A page that says why something was not done. `section`: the page to mark in the navigation."""
    context = {"problem": problem, "status": status, "section": section}
    return render_template(request, "refused.html", context, status=status)


def page_here(request: HttpRequest, where: str) -> str:
    """`where` as path, query and fragment; "" where it is no page of this server, or too long to be sent on to."""
    if not url_has_allowed_host_and_scheme(where, {request.get_host()}, require_https=request.is_secure()):
        return ""
    parts = urlsplit(where.strip())
    return parts._replace(scheme="", netloc="").geturl() if _PATH_HERE.fullmatch(parts.path) else ""


def next_page(request: HttpRequest) -> str:
    """The page that a form names as `next`, without a fragment; "" where it names none of this server."""
    return page_here(request, str(request.POST.get("next", ""))).partition("#")[0]


def page_before(request: HttpRequest) -> str:
    """The page of this server that a form was sent from, as path and query; "" where the browser does not say."""
    return page_here(request, request.headers.get("Referer", ""))


def _not_allowed(request: PageRequest, methods: tuple[str, ...]) -> HttpResponse:
    response = render_template(request, "405.html", {}, status=405)
    response["Allow"] = ", ".join(methods)
    return response


def _to_login(request: PageRequest) -> HttpResponse:
    page = _current_page(request)
    if request.method == "POST":
        drafts.keep(request, back=page, now=timezone.now())
    login = address("login", next=page)
    return HttpResponseClientRedirect(login) if request.htmx else HttpResponseRedirect(login)


def _current_page(request: PageRequest) -> str:
    """The page the operator is on: this address (too long: its path), or the one a form or htmx was used from."""
    if request.htmx:
        page = page_here(request, request.htmx.current_url or "")
    elif request.method in ("GET", "HEAD"):
        page = page_here(request, request.get_full_path()) or page_here(request, request.path)
    else:
        page = page_before(request)
    return page or reverse("facts")

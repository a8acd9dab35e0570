"""What every page shares: who may see it, how it is rendered, where a stranger is sent."""

from collections.abc import Callable, Mapping
from functools import wraps
from urllib.parse import urlencode, urlsplit

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from memory.models.facts import OPERATE
from memory.text.lines import encodable

PERMISSION = f"memory.{OPERATE}"
View = Callable[..., HttpResponse]


class PageRequest(HttpRequest):
    """A request as the middleware leaves it: `htmx` is true for a request made by htmx."""

    htmx: HtmxDetails


def operator_page(*methods: str) -> Callable[[View], View]:
    """A view for an account that may operate memory, for these methods alone.

    It is never kept by a browser: facts must not come back by the back button after a log-out, and one address has
    two renderings. Strangers are sent to the login, other methods get a readable 405.
    """

    def wrap(view: View) -> View:
        @never_cache
        @wraps(view)
        def guarded(request: PageRequest, *args: object, **kwargs: object) -> HttpResponse:
            if request.method not in methods:
                return _not_allowed(request, methods)
            if not request.user.is_authenticated:
                return _to_login(request)
            if not request.user.has_perm(PERMISSION):
                return answer(request, "not_permitted.html", {}, status=403)
            return view(request, *args, **kwargs)

        return guarded

    return wrap


def answer(request: HttpRequest, template: str, context: Mapping[str, object], *, status: int = 200) -> HttpResponse:
    """The rendered template. Text of old rows that cannot be encoded is replaced, so that no row breaks a page."""
    html = render_to_string(template, dict(context), request)
    return HttpResponse(encodable(html), status=status)


def asked(request: HttpRequest, name: str) -> str:
    """A parameter of the address, "" where it is missing, without the NUL that no database takes."""
    return encodable(request.GET.get(name, ""))


def asked_number(request: HttpRequest, name: str) -> int | None:
    """A positive whole number of the address, None where it is missing or anything else."""
    text = request.GET.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else None


def _not_allowed(request: PageRequest, methods: tuple[str, ...]) -> HttpResponse:
    response = answer(request, "405.html", {}, status=405)
    response["Allow"] = ", ".join(methods)
    return response


def _to_login(request: PageRequest) -> HttpResponse:
    address = f"{reverse('login')}?{urlencode({'next': _page_of(request)})}"
    return HttpResponseClientRedirect(address) if request.htmx else HttpResponseRedirect(address)


def _page_of(request: PageRequest) -> str:
    """The page the operator is on: this address, or the one a form or htmx was used from."""
    if request.htmx:
        return request.htmx.current_url_abs_path or reverse("facts")
    if request.method in ("GET", "HEAD"):
        return request.get_full_path()
    referer = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(referer, {request.get_host()}, require_https=request.is_secure()):
        return reverse("facts")
    parts = urlsplit(referer)
    return parts._replace(scheme="", netloc="").geturl()

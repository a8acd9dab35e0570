"""Django's error views. Where the database is what broke, the page comes without whatever it would have read."""

import logging
from collections.abc import Callable

from django.db import Error
from django.http import HttpRequest, HttpResponse
from django.template import loader
from django.views import csrf, defaults

logger = logging.getLogger(__name__)

_LAST_RESORT = (
    '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Something broke here - CAESAR memory</title>'
    "</head><body><h1>Something broke here</h1><p>The fault is this server's, not yours. The log says what happened."
    "</p></body></html>\n"
)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400."""
    return _page("400.html", 400, lambda: defaults.bad_request(request, exception))


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403."""
    return _page("403.html", 403, lambda: defaults.permission_denied(request, exception))


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404."""
    return _page("404.html", 404, lambda: defaults.page_not_found(request, exception))


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403 of a form that is out of date."""
    return _page("403_csrf.html", 403, lambda: csrf.csrf_failure(request, reason))


def server_error(request: HttpRequest) -> HttpResponse:
    """500, from a template that needs nothing; plain where even that is broken."""
    try:
        return defaults.server_error(request)
    except Exception:
        # Anything a template can raise: missing, unreadable, with a wrong tag, a processor that asks a broken database.
        # An exception from here would leave the WSGI handler, and the browser would get a bare line of the server's.
        logger.exception("The page for errors cannot be made")
        return HttpResponse(_LAST_RESORT, status=500)


def _page(template: str, status: int, made: Callable[[], HttpResponse]) -> HttpResponse:
    try:
        return made()
    except Error:
        logger.warning("The database does not answer; the page with status %d comes without the account", status)
        return HttpResponse(loader.render_to_string(template), status=status)

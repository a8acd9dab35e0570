"""Whose browser this is: a signed cookie names the account that was logged in here last. It lets nobody in."""

from collections.abc import Callable
from contextlib import suppress

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest
from django.http.response import HttpResponseBase

COOKIE = "account"
KEPT_SECONDS = 180 * 24 * 3600
_SALT = "dashboard.known_account"


def known_account(request: HttpRequest) -> str:
    """The id of the account that was logged in last; "" where nobody was, or the cookie is not of this server."""
    return request.get_signed_cookie(COOKIE, default="", salt=_SALT, max_age=KEPT_SECONDS) or ""


class KnownAccountMiddleware:
    """Has the browser know whoever is logged in, wherever they logged in and whichever page they see.

    An account that came in by Django admin must not leave a draft in the name of the one before it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer. What looked at no session, such as the API, is left alone."""
        response = self.get_response(request)
        with suppress(DatabaseError):  # an error page comes without the account, too
            if request.session.accessed and request.user.is_authenticated:
                _remember_account(request, response)
        return response


def _remember_account(request: HttpRequest, response: HttpResponseBase) -> None:
    """Have the browser know the account that is logged in."""
    account = str(request.user.pk)
    if known_account(request) == account:
        return
    response.set_signed_cookie(
        COOKIE,
        account,
        salt=_SALT,
        max_age=KEPT_SECONDS,
        httponly=True,
        samesite="Lax",
        secure=bool(settings.SESSION_COOKIE_SECURE),
    )

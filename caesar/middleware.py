"""Middleware of the whole site."""

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from memory.actor import Actor, acting


class ActorMiddleware:
    """What a request of a logged-in account changes is written down as that account's."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer."""

        def account() -> Actor | None:
            return Actor(f"account {request.user.get_username()}") if request.user.is_authenticated else None

        with acting(account):
            return self.get_response(request)

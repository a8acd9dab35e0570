"""Middleware of the whole site."""

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

from caesar import log_context
from memory.actor import Actor, acting


class LogContextMiddleware:
    """Log lines of one request never name the ids of another."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer."""
        with log_context.forgotten():
            return self.get_response(request)


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


class PageGZipMiddleware(GZipMiddleware):
    """Compresses pages, and nothing else: what the API streams must reach its client word by word.

    On BREACH (a guess in a page that also holds a secret, and the length of the answer): the tokens against forged
    requests are masked anew in every answer, the session's cookie is sent to no page that another site loads
    (SameSite=Lax), and Django adds up to a hundred random bytes to each compressed answer.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """The response, compressed where it is a page."""
        is_page = response.get("Content-Type", "").startswith("text/html")
        if response.streaming or not is_page:
            return response
        compressed: HttpResponseBase = super().process_response(request, response)
        return compressed

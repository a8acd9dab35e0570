"""Light, dark, or as the system: a cookie of this browser keeps it, and the server writes it into every page."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from dashboard.shared.pages import page_before

COOKIE = "theme"
THEMES = ("light", "dark")
KEPT_SECONDS = 365 * 24 * 3600


def theme(request: HttpRequest) -> dict[str, str]:
    """`theme` for every template: light, dark, or "" for what the system says."""
    chosen = request.COOKIES.get(COOKIE, "")
    return {"theme": chosen if chosen in THEMES else ""}


@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    """Keep the chosen theme in this browser, and go back to the page it was chosen on. Anything else: as the system."""
    response = redirect(page_before(request) or reverse("home"))
    chosen = request.POST.get("theme", "")
    if chosen in THEMES:
        response.set_cookie(
            COOKIE,
            chosen,
            max_age=KEPT_SECONDS,
            httponly=True,
            samesite="Lax",
            secure=bool(settings.SESSION_COOKIE_SECURE),
        )
    else:
        response.delete_cookie(COOKIE, samesite="Lax")
    return response

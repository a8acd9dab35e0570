"""Login and its limit, logout, the password; also the first address and the icon that browsers ask for."""

import math
from collections.abc import Mapping
from datetime import datetime, timedelta

from axes.helpers import get_client_username
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm
from django.contrib.auth.views import LoginView, PasswordChangeDoneView, PasswordChangeView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.urls import reverse, reverse_lazy
from django.utils import timezone
from django.utils.cache import add_never_cache_headers
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from dashboard.shared.pages import render_template
from dashboard.shared.session import drafts
from dashboard.shared.session.known_account import known_account


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """A redirect to the dashboard's first page."""
    return redirect("overview")


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """The icon, for pages that name none: Django admin and the API's documentation."""
    return redirect(static("favicon.ico"))


class OperatorLogin(LoginView):
    """Django's login with our template. Before the first account exists, the page says how to make one."""

    template_name = "dashboard/account/login.html"
    redirect_authenticated_user = True

    def get_context_data(self, **kwargs: object) -> dict[str, object]:
        """Adds `is_first_visit`, and why somebody who was in has to log in again."""
        context = {
            "is_first_visit": not get_user_model().objects.exists(),
            "has_draft": drafts.waiting(self.request, now=timezone.now()) is not None,
            "has_ended": bool(self.get_redirect_url() and known_account(self.request)),
        }
        return {**super().get_context_data(**kwargs), **context}

    def get_success_url(self) -> str:
        """The form again that was sent without a session; else the page that was asked for."""
        is_waiting = drafts.waiting(self.request, now=timezone.now()) is not None
        return reverse("draft") if is_waiting else super().get_success_url()

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        """The form with its error, as 422."""
        return self.render_to_response(self.get_context_data(form=form), status=422)


def locked_out(
    request: HttpRequest, refused: HttpResponse | None, credentials: Mapping[str, str] | None = None
) -> HttpResponse:
    """What django-axes answers to a login after too many failures, here and in Django admin: when the lock ends."""
    now = timezone.now()
    ends = _lock_ends(request, credentials) or now + settings.AXES_COOLOFF_TIME
    seconds = max(1, math.ceil((ends - now).total_seconds()))
    full_minute = (ends + timedelta(seconds=59, microseconds=999_999)).replace(second=0, microsecond=0)
    context = {"ends": full_minute, "minutes": math.ceil(seconds / 60)}
    response = render_template(request, "dashboard/account/locked_out.html", context, status=429)
    response["Retry-After"] = str(seconds)
    add_never_cache_headers(response)
    return response


def _lock_ends(request: HttpRequest, credentials: Mapping[str, str] | None) -> datetime | None:
    """When enough failures will be too old to count. There is one row for each browser that failed."""
    username = get_client_username(request, credentials)
    failures = 0
    rows = AccessAttempt.objects.filter(username=username, ip_address=request.META.get("REMOTE_ADDR"))
    for row in rows.order_by("-attempt_time"):
        failures += row.failures_since_start
        if failures >= settings.AXES_FAILURE_LIMIT:
            ends: datetime = row.attempt_time + settings.AXES_COOLOFF_TIME
            return ends
    return None


@method_decorator(never_cache, name="dispatch")
class PasswordChange(PasswordChangeView):
    """Django's form with our template. A stranger is sent to the login first, and then back."""

    template_name = "dashboard/account/password.html"
    success_url = reverse_lazy("password-done")
    extra_context = {"section": "password"}

    def form_invalid(self, form: PasswordChangeForm) -> HttpResponse:
        """The form with its errors, as 422."""
        return self.render_to_response(self.get_context_data(form=form), status=422)


@method_decorator(never_cache, name="dispatch")
class PasswordChanged(PasswordChangeDoneView):
    """The page that says that the password was changed, and what that means."""

    template_name = "dashboard/account/password_done.html"
    extra_context = {"section": "password"}

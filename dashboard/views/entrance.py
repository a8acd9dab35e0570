"""The way in and out: the first address, login, the icon browsers ask for."""

from django.contrib.auth import get_user_model
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.views.decorators.http import require_safe


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The dashboard's first page."""
    return redirect("overview")


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """The icon, for pages that name none (Django admin, the API's page)."""
    return redirect(static("favicon.ico"))


class OperatorLogin(LoginView):
    """Django's login with our template. Before the first account exists, the page says how to make one."""

    template_name = "login.html"
    redirect_authenticated_user = True

    def get_context_data(self, **kwargs: object) -> dict[str, object]:
        """Adds `is_first_visit`."""
        return {**super().get_context_data(**kwargs), "is_first_visit": not get_user_model().objects.exists()}

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        """The form with its error, as 422."""
        return self.render_to_response(self.get_context_data(form=form), status=422)

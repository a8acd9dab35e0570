"""The dashboard app."""

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in


class DashboardConfig(AppConfig):
    """The operator's pages."""

    name = "dashboard"

    def ready(self) -> None:
        """What was typed before a login is looked at after it."""
        from dashboard.account.draft_views import after_login

        user_logged_in.connect(after_login, dispatch_uid="draft")

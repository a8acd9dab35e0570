"""The dashboard app."""

from django.apps import AppConfig


class DashboardConfig(AppConfig):
    """The operator's pages."""

    name = "dashboard"

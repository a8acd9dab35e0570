"""The memory app."""

from django.apps import AppConfig


class MemoryConfig(AppConfig):
    """Facts, episodes and the audit log of one operator."""

    name = "memory"
    verbose_name = "Memory"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the system checks."""
        from memory import checks  # noqa: F401 (importing registers)

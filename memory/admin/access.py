"""API keys in Django's admin."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone

from memory.admin.base import ReadOnly
from memory.models import ApiKey


@admin.register(ApiKey)
class ApiKeyAdmin(ReadOnly[ApiKey]):
    """API keys: made here, shown once, revoked. None is deleted, so that the log can always name the key of a call."""

    list_display = ("label", "shown_prefix", "scopes", "created_at", "last_used_at", "expires_at", "revoked_at")
    readonly_fields = (
        "shown_prefix",
        "scopes",
        "created_at",
        "last_used_at",
        "expires_at",
        "requests_per_minute",
        "tokens_per_day",
        "revoked_at",
    )
    search_fields = ("label", "prefix")
    actions = ("revoke",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Whether the user may add API keys."""
        return bool(request.user.has_perm("memory.add_apikey"))

    def view_on_site(self, obj: ApiKey) -> str:
        """The page of keys on the dashboard."""
        return reverse("connect")

    def has_revoke_permission(self, request: HttpRequest) -> bool:
        """Whether the user may change API keys."""
        return bool(request.user.has_perm("memory.change_apikey"))

    def get_fields(self, request: HttpRequest, obj: ApiKey | None = None) -> tuple[str, ...]:
        """A new key has a label only."""
        return ("label", *self.readonly_fields) if obj else ("label",)

    @admin.display(description="key")
    def shown_prefix(self, key: ApiKey) -> str:
        """How the key begins, by which its holder recognises it."""
        return f"{key.prefix}…"

    def save_model(self, request: HttpRequest, obj: ApiKey, form: Any, change: bool) -> None:
        """Issue the key and show it this once."""
        issued = ApiKey.objects.issue(obj.label)
        obj.pk = issued.row.pk
        self.message_user(request, f"The key of {issued.row.label}, shown this once: {issued.secret}")

    def response_add(self, request: HttpRequest, obj: ApiKey, post_url_continue: str | None = None) -> HttpResponse:
        """Back to the list, without Django's own message."""
        return HttpResponseRedirect(reverse("admin:memory_apikey_changelist"))

    @admin.action(description="Revoke the selected API keys", permissions=["revoke"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[ApiKey]) -> None:
        """Refuse them from now on."""
        for key in queryset:
            key.revoke(now=timezone.now())
        self.message_user(request, "Revoked. Whoever uses one of these keys gets 401 from now on.")

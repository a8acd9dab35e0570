"""Episodes in Django's admin: read-only, but for deleting, which goes through `forget`, and its undo."""

from collections.abc import Iterable
from datetime import datetime

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html

from memory.admin.base import ReadOnly
from memory.models import DeletedEpisode, EpisodeSummary


@admin.register(EpisodeSummary)
class EpisodeSummaryAdmin(ReadOnly[EpisodeSummary]):
    """What past chats were about. Deleting empties the row, which stays, so that its chat is not summed up again.

    No page reads a vector. Only the search reads more than an index and the rows on the page.
    """

    list_display = ("summary", "chat", "created_at", "recall_count", "last_recalled_at")
    search_fields = ("summary",)
    ordering = ("-created_at", "-id")
    sortable_by = ("created_at",)
    show_full_result_count = False
    list_per_page = 50
    fields = ("summary", "chat", "created_at", "recall_count", "last_recalled_at", "model")
    readonly_fields = ("chat",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[EpisodeSummary]:
        """The episodes that are not empty: those with a model, by which an index alone can count them."""
        return super().get_queryset(request).exclude(model="").defer("embedding")

    def view_on_site(self, obj: EpisodeSummary) -> str:
        """The page of its chat on the dashboard."""
        return reverse("event", args=[obj.audit_log_id])

    def has_delete_permission(self, request: HttpRequest, obj: EpisodeSummary | None = None) -> bool:
        """Whether the user may delete episodes."""
        return bool(request.user.has_perm("memory.delete_episodesummary"))

    @admin.display(description="chat")
    def chat(self, episode: EpisodeSummary) -> str:
        """A link to the chat that it sums up."""
        number = episode.audit_log_id
        return format_html('<a href="{}">#{}</a>', reverse("event", args=[number]), number)

    def get_deleted_objects(
        self, objs: Iterable[EpisodeSummary], request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        """What the page that asks names: the episodes alone. What belongs to one goes with it, and is not read."""
        names = [str(episode) for episode in objs]
        return names, {"episodes": len(names)}, set(), []

    def delete_model(self, request: HttpRequest, obj: EpisodeSummary) -> None:
        """Forget the episode."""
        obj.forget(now=timezone.now())

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[EpisodeSummary]) -> None:
        """Forget each episode, with one audit row each."""
        for episode in queryset:
            episode.forget(now=timezone.now())


@admin.register(DeletedEpisode)
class DeletedEpisodeAdmin(ReadOnly[DeletedEpisode]):
    """Deleted episodes that can still be brought back. The sweep takes them with their chats."""

    list_display = ("deletion_time", "summary", "chat")
    list_display_links = None
    list_select_related = ("deletion", "episode")
    ordering = ("-deletion",)
    sortable_by = ()
    list_per_page = 50
    actions = ("restore",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[DeletedEpisode]:
        """All of them, without a vector or the words of another row."""
        return super().get_queryset(request).defer("embedding", "episode__embedding", "deletion__payload")

    def has_restore_permission(self, request: HttpRequest) -> bool:
        """Whether the user may delete episodes, and so take that back."""
        return bool(request.user.has_perm("memory.delete_episodesummary"))

    @admin.display(description="deleted")
    def deletion_time(self, kept: DeletedEpisode) -> datetime:
        """When it was deleted."""
        return kept.deletion.ts

    @admin.display(description="chat")
    def chat(self, kept: DeletedEpisode) -> str:
        """A link to the chat that it sums up."""
        number = kept.episode.audit_log_id
        return format_html('<a href="{}">#{}</a>', reverse("event", args=[number]), number)

    @admin.action(description="Bring the selected episodes back", permissions=["restore"])
    def restore(self, request: HttpRequest, queryset: QuerySet[DeletedEpisode]) -> None:
        """Take each deletion back, with one audit row each."""
        for kept in queryset.select_related("deletion").order_by("pk"):
            EpisodeSummary.objects.restore(kept.deletion, now=timezone.now())
        self.message_user(request, "They are recalled again.")

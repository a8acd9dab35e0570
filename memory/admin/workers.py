"""The workers in Django's admin: where they stand, and what to do where one is stuck."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from memory import learning, queue
from memory.admin.base import ReadOnly, chat_link
from memory.learning import Job
from memory.learning.extraction import EXTRACTION
from memory.learning.summaries import SUMMARY
from memory.models import Cursor, ExtractCursor, LearningSwitch, SummariseCursor, WorkerHeartbeat

JOBS: Mapping[type[Cursor], Job[Any, Any]] = {ExtractCursor: EXTRACTION, SummariseCursor: SUMMARY}
"""Cursor -> the job whose chats can be retried and skipped here."""


class CursorAdmin(ReadOnly[Cursor]):
    """Where a worker stands, what it is stuck at, and the actions that help."""

    list_display = ("__str__", "next_chat", "waiting_count", "attempts", "short_error", "next_try_at", "updated_at")
    fields = (
        "last_audit_id",
        "next_chat",
        "waiting_count",
        "attempts",
        "outages",
        "last_error",
        "next_try_at",
        "claimed_until",
        "updated_at",
    )
    readonly_fields = fields
    actions = ("retry_next", "skip_next", "retry_given_up")
    actions_on_bottom = False
    show_full_result_count = False

    def view_on_site(self, obj: Cursor) -> str:
        """The overview, where the workers stand."""
        return reverse("overview")

    @admin.display(description="next chat")
    def next_chat(self, cursor: Cursor) -> str:
        """The chat it looks at next, or is stuck at."""
        return chat_link(cursor.waiting.values_list("pk", flat=True).first())

    @admin.display(description="waiting")
    def waiting_count(self, cursor: Cursor) -> int:
        """How many chats are still to be read."""
        return cursor.waiting.count()

    @admin.display(description="last error")
    def short_error(self, cursor: Cursor) -> str:
        """The start of its last error."""
        return cursor.last_error[:120] or "-"

    def has_operate_permission(self, request: HttpRequest) -> bool:
        """Whether the user may retry and skip chats of this worker, where it has any."""
        name = f"{self.opts.app_label}.change_{self.opts.model_name}"
        return self.model in JOBS and bool(request.user.has_perm(name))

    @admin.action(description="Try the next chat again now", permissions=["operate"])
    def retry_next(self, request: HttpRequest, queryset: QuerySet[Cursor]) -> None:
        """Clear its failed tries, end the pause and wake the worker."""
        self._do_with_next_chat(request, learning.retry, done="Chat #%s is tried again now.")

    @admin.action(description="Give up the next chat and go on", permissions=["operate"])
    def skip_next(self, request: HttpRequest, queryset: QuerySet[Cursor]) -> None:
        """Leave it unread; it can be asked for again."""
        self._do_with_next_chat(request, learning.skip, done="Chat #%s is given up. Nothing was learned from it.")

    @admin.action(description="Read every given-up chat again", permissions=["operate"])
    def retry_given_up(self, request: HttpRequest, queryset: QuerySet[Cursor]) -> None:
        """Have the worker ask once more for all of them."""
        count = learning.retry_all(self._job, now=timezone.now())
        self.message_user(request, f"{count} given-up chats will be read again.")
        self._wake()

    @property
    def _job(self) -> Job[Any, Any]:
        return JOBS[self.model]

    def _do_with_next_chat(self, request: HttpRequest, verb: Callable[..., None], *, done: str) -> None:
        """Retry or skip the chat the worker is at, say what came of it, and wake the worker."""
        self._message_about_next_chat(request, verb, done=done)
        self._wake()

    def _message_about_next_chat(self, request: HttpRequest, verb: Callable[..., None], *, done: str) -> None:
        chat_id = self._job.cursor.current().waiting.values_list("pk", flat=True).first()
        if chat_id is None:
            self.message_user(request, "No chat is waiting.", messages.WARNING)
            return
        try:
            verb(self._job, chat_id, now=timezone.now())
        except learning.NothingToRetry as error:
            self.message_user(request, str(error), messages.WARNING)
        else:
            self.message_user(request, done % chat_id)

    def _wake(self) -> None:
        if self._job.cursor.nudge():
            queue.nudge(self._job.task)


admin.site.register([ExtractCursor, SummariseCursor], CursorAdmin)


@admin.register(WorkerHeartbeat)
class WorkerHeartbeatAdmin(ReadOnly[WorkerHeartbeat]):
    """When each task last ran."""

    list_display = ("task", "at")


@admin.register(LearningSwitch)
class LearningSwitchAdmin(ReadOnly[LearningSwitch]):
    """Whether learning is paused. It is switched on the overview page."""

    list_display = ("__str__", "paused_at")

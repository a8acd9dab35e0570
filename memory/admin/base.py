"""What the pages of Django's admin share."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeVar

from django import forms
from django.contrib import admin, messages
from django.db.models import Model
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

from memory.models import CannotUndo, FactConflict, NotWaiting, TooManyKept
from memory.text import normalising

__all__ = ["ModelAdmin", "ModelForm", "ReadOnly", "chat_link", "do_each"]

if TYPE_CHECKING:
    from django.contrib.admin import ModelAdmin
    from django.forms import ModelForm
else:  # only the type checker knows that Django's classes take an argument

    class ModelAdmin(admin.ModelAdmin):
        """Django's."""

        def __class_getitem__(cls, model):
            return cls

    class ModelForm(forms.ModelForm):
        """Django's."""

        def __class_getitem__(cls, model):
            return cls


Row = TypeVar("Row", bound=Model)


class ReadOnly(ModelAdmin[Row]):
    """Rows that are shown here and never changed."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody may."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Row | None = None) -> bool:
        """Nobody may."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Row | None = None) -> bool:
        """Nobody may."""
        return False


def chat_link(chat_id: int | None) -> str:
    """A link to the chat's own row in the log."""
    if chat_id is None:
        return "-"
    return format_html('<a href="{}">#{}</a>', reverse("admin:memory_auditrow_change", args=[chat_id]), chat_id)


def do_each(
    of: ModelAdmin[Row], request: HttpRequest, rows: Iterable[Row], act: Callable[[Row], object | None], done: str
) -> None:
    """Act on each row, say for how many that changed something, and which were refused and why."""
    count = 0
    for row in rows:
        try:
            count += act(row) is not None
        except (NotWaiting, FactConflict, TooManyKept, CannotUndo, normalising.TextRefused) as refused:
            of.message_user(request, str(refused), messages.ERROR)
    of.message_user(request, f"{count} {done}.")

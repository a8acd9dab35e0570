"""Facts in Django's admin."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.filters import EmptyFieldListFilter
from django.contrib.admin.widgets import AdminTextInputWidget
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from memory.admin.base import ModelAdmin, ModelForm, ReadOnly, chat_link, do_each
from memory.models import FactConflict, PersonalFact, WaitingFact
from memory.text import normalising


class FactForm(ModelForm[PersonalFact]):
    """Key, value, and the value seen when the form was opened: a change made since then is not overwritten."""

    seen = forms.CharField(widget=forms.HiddenInput, required=False, strip=False)

    class Meta:
        model = PersonalFact
        fields = ("key", "value")
        widgets = {"key": AdminTextInputWidget, "value": AdminTextInputWidget}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["seen"].initial = self.instance.value

    def clean_key(self) -> str:
        """The key in its normal form."""
        return _or_form_error(normalising.normal_key, self.cleaned_data["key"])

    def clean_value(self) -> str:
        """The value on one line. A conflict shows both values; a second save keeps the operator's."""
        value = _or_form_error(normalising.operator_value, self.cleaned_data["value"])
        current = self.instance.value
        if self.instance.pk and self.data.get(self.add_prefix("seen")) != current != value:
            self.data = {**dict(self.data.items()), self.add_prefix("seen"): current}
            raise forms.ValidationError(f"It changed meanwhile to “{current}”. Save again to make it “{value}”.")
        return value


def _or_form_error(normal: Callable[[str], str], raw: str) -> str:
    try:
        return normal(raw)
    except normalising.TextRefused as refused:
        raise forms.ValidationError(str(refused)) from None


@admin.register(PersonalFact)
class PersonalFactAdmin(ModelAdmin[PersonalFact]):
    """Facts. Every change goes through the model's methods; saving an unchanged value writes nothing."""

    form = FactForm
    list_display = (
        *("key", "value", "confidence", "last_confirmed_at", "first_seen_at", "valid_until", "retired_at"),
        "kept_at",
    )
    list_filter = (("retired_at", EmptyFieldListFilter), ("kept_at", EmptyFieldListFilter))
    actions = ("confirm", "keep", "unkeep", "bring_back")
    search_fields = ("key", "value")
    ordering = ("-last_confirmed_at", "-id")
    readonly_fields = (
        *("sentence", "confidence", "first_seen_at", "last_confirmed_at", "valid_until", "retired_at"),
        *("kept_at", "source", "history"),
    )
    list_per_page = 50

    def get_fields(self, request: HttpRequest, obj: PersonalFact | None = None) -> tuple[str, ...]:
        """A new fact has only a key and a value."""
        return ("key", "value", "seen", *self.readonly_fields) if obj else ("key", "value")

    def get_readonly_fields(self, request: HttpRequest, obj: PersonalFact | None = None) -> tuple[str, ...]:
        """The key identifies a fact and never changes."""
        return ("key", *self.readonly_fields) if obj else ()

    def view_on_site(self, obj: PersonalFact) -> str:
        """Its page on the dashboard."""
        return reverse("fact", query={"key": obj.key})

    @admin.display(description="In a prompt")
    def sentence(self, fact: PersonalFact) -> str:
        """The fact as a line of a prompt."""
        return fact.sentence

    @admin.display(description="Learned from")
    def source(self, fact: PersonalFact) -> str:
        """The chat it was learned from."""
        return chat_link(fact.source_audit_id)

    @admin.display(description="History")
    def history(self, fact: PersonalFact) -> SafeString:
        """Its audit rows."""
        address = reverse("admin:memory_auditrow_changelist", query={"q": fact.key})
        return format_html('<a href="{}">Everything about {}</a>', address, fact.key)

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        """The form; after a conflicting change at the moment of saving, the form again with a message."""
        try:
            return super().changeform_view(request, object_id, form_url, extra_context)
        except FactConflict as conflict:
            self.message_user(request, f"Not saved: {conflict}", messages.ERROR)
            return HttpResponseRedirect(request.get_full_path())

    def save_model(self, request: HttpRequest, obj: PersonalFact, form: Any, change: bool) -> None:
        """Edit or add. One audit row, none where nothing changed."""
        if change:
            obj.edit(obj.value, now=timezone.now(), expected=form.cleaned_data["seen"])
        else:
            obj.pk = PersonalFact.objects.add(obj.key, obj.value, now=timezone.now()).pk

    def has_operate_permission(self, request: HttpRequest) -> bool:
        """Whether the user may change facts."""
        return bool(request.user.has_perm("memory.change_personalfact"))

    @admin.action(description="Still true", permissions=["operate"])
    def confirm(self, request: HttpRequest, queryset: QuerySet[PersonalFact]) -> None:
        """Say that they are still true, with one audit row each."""
        do_each(self, request, queryset, lambda fact: fact.confirm(now=timezone.now()), "confirmed")

    @admin.action(description="Keep: first in prompts", permissions=["operate"])
    def keep(self, request: HttpRequest, queryset: QuerySet[PersonalFact]) -> None:
        """Keep them, as far as there is room, with one audit row each."""
        do_each(self, request, queryset, lambda fact: fact.keep(now=timezone.now()), "kept")

    @admin.action(description="Keep no longer", permissions=["operate"])
    def unkeep(self, request: HttpRequest, queryset: QuerySet[PersonalFact]) -> None:
        """Keep them no longer, with one audit row each."""
        do_each(self, request, queryset, lambda fact: fact.unkeep(now=timezone.now()), "kept no longer")

    @admin.action(description="Bring back those that are no longer true", permissions=["operate"])
    def bring_back(self, request: HttpRequest, queryset: QuerySet[PersonalFact]) -> None:
        """Take back that they have ended, with one audit row each."""
        do_each(self, request, queryset, lambda fact: fact.bring_back(now=timezone.now()), "brought back")

    def delete_model(self, request: HttpRequest, obj: PersonalFact) -> None:
        """Forget the fact."""
        obj.forget(now=timezone.now())

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[PersonalFact]) -> None:
        """Forget each fact, with one audit row each."""
        for fact in queryset:
            fact.forget(now=timezone.now())


@admin.register(WaitingFact)
class WaitingFactAdmin(ReadOnly[WaitingFact]):
    """Claims that wait for review: to be accepted as they are, or dropped."""

    list_display = ("key", "value", "quote", "confidence", "said_at", "created_at")
    search_fields = ("key", "value")
    fields = ("key", "value", "quote", "confidence", "said_at", "created_at", "valid_until", "source")
    readonly_fields = ("source",)
    actions = ("accept", "drop")
    list_per_page = 50

    def get_queryset(self, request: HttpRequest) -> QuerySet[WaitingFact]:
        """Without those that were dropped."""
        return WaitingFact.objects.open()

    @admin.display(description="Read from")
    def source(self, claim: WaitingFact) -> str:
        """The chat it was read from."""
        return chat_link(claim.source_audit_id)

    def has_operate_permission(self, request: HttpRequest) -> bool:
        """Whether the user may change facts."""
        return bool(request.user.has_perm("memory.change_personalfact"))

    @admin.action(description="Accept as they are", permissions=["operate"])
    def accept(self, request: HttpRequest, queryset: QuerySet[WaitingFact]) -> None:
        """Make facts of them in the operator's name."""
        do_each(self, request, queryset, lambda claim: claim.accept(now=timezone.now()), "accepted")

    @admin.action(description="Drop", permissions=["operate"])
    def drop(self, request: HttpRequest, queryset: QuerySet[WaitingFact]) -> None:
        """Have them wait no longer."""
        do_each(self, request, queryset, lambda claim: claim.drop(now=timezone.now()), "dropped")

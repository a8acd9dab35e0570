"""The two forms about facts. What they refuse and why is the domain's to say; they put it beside its field."""

from collections.abc import Callable

from django import forms

from memory.text import normalising
from memory.text.lines import one_line


class _TextField(forms.CharField):
    """A line of text, checked by the domain. Blank is left to it too, so that there is one message for each mistake."""

    def __init__(self, normal: Callable[[str], str], *, blank: str = "") -> None:
        super().__init__(required=False, strip=False)
        self.normal = normal
        self.blank = blank

    def clean(self, value: str | None) -> str:
        """The text in its normal form. Raises `ValidationError` with the domain's message."""
        if self.blank and not one_line(value or ""):
            raise forms.ValidationError(self.blank)
        try:
            return self.normal(value or "")
        except normalising.TextRefused as refused:
            raise forms.ValidationError(str(refused)) from None


class FactForm(forms.Form):
    """A fact's value, and the value the operator saw when the form was opened."""

    value = _TextField(normalising.operator_value)
    seen = forms.CharField(required=False, strip=False, widget=forms.HiddenInput)


class NewFactForm(forms.Form):
    """A fact the operator writes down."""

    key = _TextField(normalising.normal_key)
    value = _TextField(normalising.operator_value, blank="The value is empty. Write what should be remembered.")

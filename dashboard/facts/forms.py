"""The forms for facts. The domain decides what is refused; the forms put its message beside the field."""

from collections.abc import Callable

from django import forms

from memory.text import normalising
from memory.text.lines import one_line


class _NormalisedTextField(forms.CharField):
    """One line of text, checked by the domain. `blank`: the message for an empty value, where not the domain's own."""

    def __init__(self, normalise: Callable[[str], str], *, blank: str = "") -> None:
        super().__init__(required=False, strip=False)
        self.normalise = normalise
        self.blank = blank

    def clean(self, value: str | None) -> str:
        """The text in its normal form. Raises `ValidationError` with the domain's message."""
        if self.blank and not one_line(value or ""):
            raise forms.ValidationError(self.blank)
        try:
            return self.normalise(value or "")
        except normalising.TextRefused as refused:
            raise forms.ValidationError(str(refused)) from None


class FactForm(forms.Form):
    """A new value for a fact, and the value the operator saw when they opened the form."""

    value = _NormalisedTextField(normalising.operator_value)
    seen = forms.CharField(required=False, strip=False, widget=forms.HiddenInput)


class AcceptForm(forms.Form):
    """The value with which a waiting claim is accepted."""

    value = _NormalisedTextField(normalising.operator_value)


class NewFactForm(forms.Form):
    """A fact the operator writes down."""

    key = _NormalisedTextField(normalising.normal_key)
    value = _NormalisedTextField(
        normalising.operator_value, blank="The value is empty. Write what should be remembered."
    )

"""The form for what a key may do, until when, how often and how much."""

from datetime import datetime, time, timedelta

from django import forms
from django.conf import settings
from django.http import QueryDict

from memory.models import SCOPES, KeyLimits

SCOPE_WORDS = {
    "record": "record turns and get memory for them",
    "read": "read facts, episodes and the timeline",
    "manage": "edit and delete them",
}


class KeyLimitsForm(forms.Form):
    """Scopes; a last day in the operator's time zone, requests a minute, and tokens a day, which may stay empty."""

    scopes = forms.MultipleChoiceField(choices=[(scope, SCOPE_WORDS[scope]) for scope in SCOPES], required=False)
    last_day = forms.DateField(
        required=False,
        input_formats=["%Y-%m-%d"],
        error_messages={"invalid": "Write the last day as 2026-05-20."},
    )
    requests_per_minute = forms.IntegerField(
        required=False, error_messages={"invalid": "Write the requests a minute as a whole number."}
    )
    tokens_per_day = forms.IntegerField(
        required=False, error_messages={"invalid": "Write the tokens a day as a whole number."}
    )

    @property
    def problem(self) -> str:
        """The first thing that is wrong; "" where nothing is."""
        return next((str(messages[0]) for messages in self.errors.values()), "")

    def limits(self) -> KeyLimits:
        """What was chosen. Ask for it only where there is no problem."""
        chosen, last_day = self.cleaned_data, self.cleaned_data["last_day"]
        expires_at = None
        if last_day is not None and last_day.year < datetime.max.year:
            expires_at = datetime.combine(last_day + timedelta(days=1), time(), settings.CAESAR.zone)
        return KeyLimits(chosen["scopes"], expires_at, chosen["requests_per_minute"], chosen["tokens_per_day"])


def read_limits(sent: QueryDict) -> KeyLimits:
    """The limits in a request. Raises `ValueError` with the cure."""
    form = KeyLimitsForm(sent)
    if form.problem:
        raise ValueError(form.problem)
    return form.limits()

"""Addresses with parameters, and times as people read them."""

from datetime import datetime
from urllib.parse import urlencode

from django import template
from django.conf import settings
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from memory.text import wording

register = template.Library()

_MISSED = {
    "below_threshold": "not similar enough",
    "cap": "others were ahead of it",
    "too_old": "too old",
    "other_model": "its vector is of another embedder",
    "same_conversation": "it is this very conversation",
    "switched_off": "recall is switched off",
}


@register.simple_tag
def address(name: str, *args: object, **parameters: object) -> str:
    """The address of a view with `?name=value` for every parameter that is not None. Escaped by the template."""
    query = urlencode({key: value for key, value in parameters.items() if value not in (None, "")}, errors="replace")
    return reverse(name, args=args) + (f"?{query}" if query else "")


@register.simple_tag
def ago(moment: datetime, now: datetime) -> SafeString:
    """How long ago that was, in words; the exact time as its title."""
    return _time(moment, wording.time_words(moment, now, settings.CAESAR.zone))


@register.simple_tag
def clock(moment: datetime) -> SafeString:
    """The time of day in the operator's zone; the exact time as its title."""
    return _time(moment, f"{moment.astimezone(settings.CAESAR.zone):%H:%M}")


@register.simple_tag
def moment(moment: datetime) -> SafeString:
    """Day and time in the operator's zone: "Thursday 21 May 2026, 09:41"."""
    local = moment.astimezone(settings.CAESAR.zone)
    return _time(moment, f"{local:%A} {local.day} {local:%B %Y, %H:%M}")


@register.filter
def times(count: int) -> str:
    """How often, in words: "once", "twice", "3 times"."""
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


@register.filter
def missed(reason: str) -> str:
    """Why an episode was left out, in words."""
    return _MISSED.get(reason, reason)


@register.filter
def day(moment: datetime) -> str:
    """The day in the operator's zone: "21 May 2026"."""
    local = moment.astimezone(settings.CAESAR.zone)
    return f"{local.day} {local:%B %Y}"


def _time(moment: datetime, words: str) -> SafeString:
    exact = f"{moment.astimezone(settings.CAESAR.zone):%Y-%m-%d %H:%M:%S %Z}"
    return format_html('<time datetime="{}" title="{}">{}</time>', moment.isoformat(), exact, words)

"""Template tags and filters of all pages: addresses, times, numbers and reasons in words."""

from datetime import datetime, timedelta

from django import template
from django.conf import settings
from django.template.defaultfilters import pluralize
from django.utils.html import format_html
from django.utils.safestring import SafeString

from dashboard.shared import score_words
from dashboard.shared.addresses import address
from memory.text import wording

register = template.Library()
register.simple_tag(address)
register.filter(score_words.reached)
register.filter(score_words.is_open)
register.filter(score_words.by_words)

_REFUSED_AS = {
    "malformed": ("without key and value", "without key and value"),
    "secret": ("with the shape of a secret", "with the shape of a secret"),
    "unknown_value": ("that says nothing", "that say nothing"),
    "placeholder": ("placeholder", "placeholders"),
    "prompt_example": ("example of the prompt", "examples of the prompt"),
    "too_many": ("beyond the most that one chat may teach", "beyond the most that one chat may teach"),
}


@register.simple_tag
def ago(moment: datetime, now: datetime) -> SafeString:
    """How long ago that was, in words, to the day."""
    return _time_element(moment, wording.time_words(moment, now, settings.CAESAR.zone))


@register.simple_tag
def since(moment: datetime, now: datetime) -> SafeString:
    """How long ago that was, to the second, minute or hour within the last day; before that, as `ago` says it."""
    age = now - moment
    if age < timedelta(seconds=10):
        return _time_element(moment, "just now")
    if age < timedelta(days=1):
        return _time_element(moment, f"{_duration_words(age)} ago")
    return ago(moment, now)


@register.simple_tag
def until(moment: datetime, now: datetime) -> SafeString:
    """How long it is until then: "in 4 minutes"."""
    return _time_element(moment, f"in {_duration_words(moment - now)}" if moment > now else "now")


@register.simple_tag
def clock(moment: datetime) -> SafeString:
    """The time of day in the operator's zone: "09:41"."""
    return _time_element(moment, f"{moment.astimezone(settings.CAESAR.zone):%H:%M}")


@register.simple_tag
def moment(moment: datetime) -> SafeString:
    """Day and time in the operator's zone: "Thursday 21 May 2026, 09:41"."""
    local = moment.astimezone(settings.CAESAR.zone)
    return _time_element(moment, f"{local:%A} {local.day} {local:%B %Y, %H:%M}")


@register.filter
def day(moment: datetime) -> str:
    """The day in the operator's zone: "21 May 2026"."""
    local = moment.astimezone(settings.CAESAR.zone)
    return f"{local.day} {local:%B %Y}"


@register.filter
def times(count: int) -> str:
    """How often, in words: "once", "twice", "3 times"."""
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


@register.filter
def grouped(count: int) -> str:
    """A number with commas between its thousands: "2,048"."""
    return f"{count:,}"


@register.filter
def weight(factor: float) -> str:
    """A factor with no more digits than it needs: "1.5", "2"."""
    return f"{factor:.4g}"


@register.filter
def refused(reason: str, count: int) -> str:
    """What some claims of a model were, for which they were not kept, in words: "placeholders"."""
    one, many = _REFUSED_AS.get(reason, (reason, reason))
    return one if count == 1 else many


def _duration_words(span: timedelta) -> str:
    """A span of less than a few days in its largest unit: "4 minutes"."""
    seconds = max(1, int(span.total_seconds()))
    for length, unit in ((3600, "hour"), (60, "minute")):
        if seconds >= length:
            return f"{seconds // length} {unit}{pluralize(seconds // length)}"
    return f"{seconds} second{pluralize(seconds)}"


def _time_element(moment: datetime, words: str) -> SafeString:
    """A `<time>` that says these words and has the exact time in the operator's zone as its title."""
    exact = f"{moment.astimezone(settings.CAESAR.zone):%Y-%m-%d %H:%M:%S %Z}"
    return format_html('<time datetime="{}" title="{}">{}</time>', moment.isoformat(timespec="seconds"), exact, words)

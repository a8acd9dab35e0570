"""How memory is, for the head of every page, and moments close to now."""

from datetime import datetime, timedelta

from django import template
from django.conf import settings
from django.template import Context
from django.template.defaultfilters import pluralize
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from dashboard.shared.health import Health, read_health
from memory.text import wording

register = template.Library()


@register.simple_tag(takes_context=True)
def health_of_memory(context: Context) -> Health:
    """The page's own reading, else one made now. One query."""
    known = context.get("health")
    return known if isinstance(known, Health) else read_health(timezone.now())


@register.simple_tag
def since(moment: datetime, now: datetime) -> SafeString:
    """How long ago that was, to the second, minute or hour; in days as elsewhere. The exact time as its title."""
    age = now - moment
    if age < timedelta(seconds=10):
        words = "just now"
    elif age < timedelta(days=1):
        words = f"{_span(age)} ago"
    else:
        words = wording.time_words(moment, now, settings.CAESAR.zone)
    return _time(moment, words)


@register.simple_tag
def until(moment: datetime, now: datetime) -> SafeString:
    """How long it is till then: "in 4 minutes". The exact time as its title."""
    return _time(moment, f"in {_span(moment - now)}" if moment > now else "now")


def _span(span: timedelta) -> str:
    """A span of less than a few days in its largest unit."""
    seconds = max(1, int(span.total_seconds()))
    for length, unit in ((3600, "hour"), (60, "minute"), (1, "second")):
        if seconds >= length:
            return f"{seconds // length} {unit}{pluralize(seconds // length)}"
    return ""


def _time(moment: datetime, words: str) -> SafeString:
    exact = f"{moment.astimezone(settings.CAESAR.zone):%Y-%m-%d %H:%M:%S %Z}"
    return format_html('<time datetime="{}" title="{}">{}</time>', moment.isoformat(), exact, words)

"""The template tag for memory's health in the head of every page."""

from django import template
from django.template import Context
from django.utils import timezone

from dashboard.shared.health import Health, read_health

register = template.Library()


@register.simple_tag(takes_context=True)
def health_of_memory(context: Context) -> Health:
    """The health that the page has read already, else read now with one query."""
    known = context.get("health")
    return known if isinstance(known, Health) else read_health(timezone.now())

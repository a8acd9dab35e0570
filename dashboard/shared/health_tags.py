"""The template tags for the head of every page: memory's health, and what needs the operator."""

from django import template
from django.template import Context
from django.utils import timezone

from dashboard.shared.health import Health, read_health
from dashboard.shared.needs.reading import Needs, read_needs

register = template.Library()


@register.simple_tag(takes_context=True)
def health_of_memory(context: Context) -> Health:
    """The health that the page has read already, else read now with one query."""
    known = context.get("health")
    return known if isinstance(known, Health) else read_health(timezone.now())


@register.simple_tag(takes_context=True)
def needs_of_operator(context: Context, health: Health) -> Needs:
    """What needs the operator, as the page has read it already, else read now."""
    known = context.get("needs")
    return known if isinstance(known, Needs) else read_needs(timezone.now(), health)

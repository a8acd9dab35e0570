"""Addresses that carry on what of the timeline is shown, and the number a near miss was measured by."""

from django import template
from django.template import Context

from dashboard.shared.tags import address
from dashboard.timeline.listing import Choice
from memory.events import NearMiss

register = template.Library()


@register.simple_tag(takes_context=True)
def chosen(context: Context, name: str = "audit", **parameters: object) -> str:
    """Like `address`, with the choice on the screen; what is given here comes before it, None takes it out."""
    choice = context.get("choice")
    carried = choice.parameters if isinstance(choice, Choice) else {}
    return address(name, **{**carried, **parameters})


@register.filter
def threshold(miss: NearMiss) -> float | None:
    """The cosine that an episode fell short of."""
    return None if miss.cosine is None or miss.short_by is None else miss.cosine + miss.short_by

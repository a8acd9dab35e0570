"""Template tag for addresses that keep what the timeline is filtered by."""

from django import template
from django.template import Context

from dashboard.shared.addresses import address
from dashboard.timeline.query_parameters import TimelineQuery

register = template.Library()


@register.simple_tag(takes_context=True, name="chosen")
def address_with_query(context: Context, name: str = "audit", **parameters: object) -> str:
    """Like `address`, with the filters of the timeline on the screen. Those given here win; None removes one."""
    query = context.get("choice")
    kept = query.parameters if isinstance(query, TimelineQuery) else {}
    return address(name, **{**kept, **parameters})

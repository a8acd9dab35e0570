"""Template tag for addresses that keep what the list of episodes on the screen is narrowed to."""

from django import template
from django.template import Context

from dashboard.episodes.query_parameters import EpisodesQuery
from dashboard.shared.addresses import address

register = template.Library()


@register.simple_tag(takes_context=True, name="listed")
def address_with_query(context: Context, name: str = "episodes", **parameters: object) -> str:
    """Like `address`, with the search, order, day, weeks and page on the screen. Those given here win; None removes
    one."""
    query = context.get("listing")
    kept = query.parameters if isinstance(query, EpisodesQuery) else {}
    return address(name, **{**kept, **parameters})

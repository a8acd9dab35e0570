"""Template tag for addresses that keep the search, namespace and page of the facts list."""

from django import template
from django.template import Context

from dashboard.facts.query_parameters import FactsQuery
from dashboard.shared.addresses import address

register = template.Library()


@register.simple_tag(takes_context=True, name="placed")
def address_with_query(context: Context, name: str, *args: object, **parameters: object) -> str:
    """Like `address`, with the parameters of the list on the screen. Those given here win; None removes one."""
    query = context.get("place")
    kept = query.parameters if isinstance(query, FactsQuery) else {}
    return address(name, *args, **parameters, **{key: kept[key] for key in kept if key not in parameters})

"""Addresses that carry on where the operator is among the facts, and numbers as people write them."""

from django import template
from django.template import Context

from dashboard.facts.query_parameters import Place
from dashboard.shared.tags import address

register = template.Library()


@register.simple_tag(takes_context=True)
def placed(context: Context, name: str, *args: object, **parameters: object) -> str:
    """Like `address`, with the search, namespace and page on the screen; what is given here comes before those."""
    place = context.get("place")
    carried = place.parameters if isinstance(place, Place) else {}
    kept = {key: value for key, value in carried.items() if key not in parameters}
    return address(name, *args, **parameters, **kept)


@register.filter
def grouped(count: int) -> str:
    """A number with commas between its thousands: 2,048."""
    return f"{count:,}"


@register.filter
def weight(factor: float) -> str:
    """A factor as short as it goes: 1.5, 2."""
    return f"{factor:.4g}"

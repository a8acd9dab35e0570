"""Addresses of pages, with their query parameters."""

from urllib.parse import urlencode

from django.urls import reverse


def address(name: str, *args: object, **parameters: object) -> str:
    """The address of the view with this name, with `?key=value` for every parameter that is neither None nor ""."""
    query = urlencode({key: value for key, value in parameters.items() if value not in (None, "")}, errors="replace")
    return reverse(name, args=args) + (f"?{query}" if query else "")

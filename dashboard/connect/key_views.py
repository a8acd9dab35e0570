"""The page of one API key."""

from django.http import HttpResponse
from django.utils import timezone

from dashboard.connect.forms import SCOPE_WORDS
from dashboard.connect.key_page import read_key_page
from dashboard.shared.pages import PageRequest, operator_page, refusal, render_template
from memory.models import ApiKey


@operator_page("GET", "HEAD")
def show(request: PageRequest, key_id: int) -> HttpResponse:
    """What the client with this key may do, and what it brought."""
    key, now = ApiKey.objects.filter(pk=key_id).first(), timezone.now()
    if key is None:
        return refusal(request, "There is no such key.", status=404, section="connect")
    context = {
        "section": "connect",
        "shown": read_key_page(key, now=now),
        "scopes": [(scope, SCOPE_WORDS[scope]) for scope in key.limits.scopes],
        "has_expired": key.has_expired(now=now),
        "now": now,
    }
    return render_template(request, "dashboard/connect/key.html", context)

"""`GET /metrics`, for Prometheus: with a token of its own, or from this machine alone."""

import hmac
import ipaddress

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import CollectorRegistry

from caesar import metrics
from memory.api.monitoring.database import DatabaseCollector

_REFUSED = "Set CAESAR_METRICS__TOKEN and send it as `Authorization: Bearer TOKEN`, or ask from this machine itself.\n"
_OF_PROXIES = ("X-Forwarded-For", "Forwarded", "X-Real-IP")


@never_cache
@require_safe
def show(request: HttpRequest) -> HttpResponse:
    """The measurements in Prometheus' text format. No word of any chat is in them."""
    if not _may_read(request):
        headers = {"WWW-Authenticate": 'Bearer realm="metrics"'}
        return HttpResponse(_REFUSED, status=401, content_type="text/plain", headers=headers)
    of_database = CollectorRegistry()
    of_database.register(DatabaseCollector(timezone.now()))
    with metrics.registry() as counted:
        body = generate_latest(counted)
    return HttpResponse(body + generate_latest(of_database), content_type=CONTENT_TYPE_LATEST)


def _may_read(request: HttpRequest) -> bool:
    """Whether the token is right; without one, whether this machine asks, and not for somebody behind a proxy."""
    token = settings.CAESAR.metrics.token
    if token is not None:
        sent = request.headers.get("Authorization", "").removeprefix("Bearer ").strip()
        return hmac.compare_digest(sent.encode(), token.get_secret_value().encode())
    try:
        address = ipaddress.ip_address(request.META.get("REMOTE_ADDR", ""))
    except ValueError:
        return False
    return address.is_loopback and not any(name in request.headers for name in _OF_PROXIES)

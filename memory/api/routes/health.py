"""Whether the server lives, and whether it can do its work. Open to everybody: no key, and nothing secret."""

from dataclasses import asdict

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from memory import health


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers. Nothing else is looked at."""
    return JsonResponse({"status": "ok"})


@never_cache
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """200 where database, migrations and every enabled worker are well, else 503; the state of each."""
    checks = health.state(timezone.now())
    ready = all(check.ok for check in checks.values())
    body = {
        "status": "ready" if ready else "not_ready",
        "checks": {name: asdict(check) for name, check in checks.items()},
    }
    return JsonResponse(body, status=200 if ready else 503)

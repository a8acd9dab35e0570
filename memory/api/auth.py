"""Who calls: the key, and the moment of the call, read from the clock once and passed down."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.http import HttpRequest
from django.utils import timezone
from ninja.security import HttpBearer

from memory.actor import Actor, become
from memory.api.errors import MAKE_A_KEY, ApiError, unauthorized
from memory.models import ApiKey, Scope


@dataclass(frozen=True)
class Caller:
    """The key of a call, and its `now`."""

    key: ApiKey
    now: datetime


class ApiRequest(HttpRequest):
    """A request whose key was good; for annotations only."""

    auth: Caller


KEY_HEADER: Final = "x-api-key"
"""Where Anthropic's clients put the key; it is taken on every route."""


class BearerKey(HttpBearer):
    """`Authorization: Bearer KEY`, or `x-api-key: KEY`, with a live key that has the scope a route asks for."""

    def __init__(self, scope: Scope) -> None:
        super().__init__()
        self.scope = scope

    def __call__(self, request: HttpRequest) -> Caller | None:
        """The caller, None where no key was sent. Raises the 401 where two different ones were."""
        sent = {key for key in (request.headers.get(KEY_HEADER, "").strip(), _bearer_token(request)) if key}
        if len(sent) > 1:
            raise unauthorized(
                f"Two different keys were sent, in the headers Authorization and {KEY_HEADER}. Send one of them."
            )
        return self.authenticate(request, sent.pop()) if sent else None

    def authenticate(self, request: HttpRequest, token: str) -> Caller:
        """The caller, in whose name rows are written from here on. Raises the 401, the 403 and the 429.

        One query, a second one where the key's use is noted, two more for a key with a limit of requests.
        """
        now = timezone.now()
        key = ApiKey.objects.verify(token, now=now)
        if key is None:
            raise unauthorized(f"This API key is not known here, or it was revoked. {MAKE_A_KEY}")
        if key.has_expired(now=now):
            raise unauthorized(f"This API key has expired. {MAKE_A_KEY}")
        if not key.count_request(now=now):
            raise _too_many_requests(key, now)
        if not key.may(self.scope):
            raise _lacks_scope(key, self.scope)
        become(Actor.client(key.label, key.pk))
        return Caller(key, now)


def _bearer_token(request: HttpRequest) -> str:
    """The token in `Authorization: Bearer`; "" where there is none, or another kind of login."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _lacks_scope(key: ApiKey, scope: Scope) -> ApiError:
    """The 403 of RFC 6750."""
    return ApiError(
        403,
        f"This call needs a key with the scope {scope}; this one has {key.scopes.replace(' ', ', ')}. Change the key's "
        "scopes on the dashboard's page Connect, or use another key.",
        code="insufficient_scope",
        kind="permission_error",
        headers={"WWW-Authenticate": f'Bearer error="insufficient_scope", scope="{scope}"'},
    )


def _too_many_requests(key: ApiKey, now: datetime) -> ApiError:
    """The 429, with the time to the next minute."""
    return ApiError(
        429,
        f"This key may make {key.requests_per_minute} requests a minute. Wait for the next minute, or raise its limit "
        "on the dashboard's page Connect.",
        code="rate_limit_exceeded",
        kind="rate_limit_error",
        headers={"Retry-After": str(60 - now.second)},
    )

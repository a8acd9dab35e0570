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
from memory.models.usage import seconds_to_tomorrow


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
    """`Authorization: Bearer KEY`, or `x-api-key: KEY`, with a live key that has the scope a route asks for.

    The scope None asks for no certain one: the route looks itself.
    """

    def __init__(self, scope: Scope | None, *, takes_tokens: bool = False) -> None:
        """`takes_tokens`: the route asks a model, so a key that has had its tokens of the day is refused."""
        super().__init__()
        self.scope, self.takes_tokens = scope, takes_tokens

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

        One query, a second one where the key's use is noted, two more for a key with a limit of requests,
        one more for a key with a limit of tokens.
        """
        now = timezone.now()
        key = ApiKey.objects.verify(token, now=now)
        if key is None:
            raise unauthorized(f"This API key is not known here, or it was revoked. {MAKE_A_KEY}")
        if key.has_expired(now=now):
            raise unauthorized(f"This API key has expired. {MAKE_A_KEY}")
        if not key.count_request(now=now):
            limit = f"This key may make {key.requests_per_minute} requests a minute."
            raise _too_much(limit, until="the next minute", seconds=60 - now.second)
        if self.scope is not None and not key.may(self.scope):
            raise lacks_scope(key, self.scope)
        if self.takes_tokens and not key.has_tokens_left(now=now):
            limit = f"The turns of this key may take {key.tokens_per_day} tokens a day, and took them."
            raise _too_much(limit, until="tomorrow", seconds=seconds_to_tomorrow(now))
        become(Actor.client(key.label, key.pk))
        return Caller(key, now)


def _bearer_token(request: HttpRequest) -> str:
    """The token in `Authorization: Bearer`; "" where there is none, or another kind of login."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def lacks_scope(key: ApiKey, *scopes: Scope) -> ApiError:
    """The 403 of RFC 6750, for a key that has none of these scopes."""
    return ApiError(
        403,
        f"This call needs a key with the scope {' or '.join(scopes)}; this one has {key.scopes.replace(' ', ', ')}. "
        "Change the key's scopes on the dashboard's page Connect, or use another key.",
        code="insufficient_scope",
        kind="permission_error",
        headers={"WWW-Authenticate": f'Bearer error="insufficient_scope", scope="{scopes[0]}"'},
    )


def _too_much(limit: str, *, until: str, seconds: int) -> ApiError:
    """The 429, with the time after which the key may go on."""
    return ApiError(
        429,
        f"{limit} Wait for {until}, or raise its limit on the dashboard's page Connect.",
        code="rate_limit_exceeded",
        kind="rate_limit_error",
        headers={"Retry-After": str(seconds)},
    )

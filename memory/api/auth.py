"""Who calls: the Bearer key, and the moment of the call, read from the clock once and passed down."""

from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest
from django.utils import timezone
from ninja.security import HttpBearer

from memory.api.errors import MAKE_A_KEY, unauthorized
from memory.models import ApiKey


@dataclass(frozen=True)
class Caller:
    """The key of a call, and its `now`."""

    key: ApiKey
    now: datetime


class ApiRequest(HttpRequest):
    """A request whose key was good; for annotations only."""

    auth: Caller


class BearerKey(HttpBearer):
    """`Authorization: Bearer KEY` with a key that is live."""

    def authenticate(self, request: HttpRequest, token: str) -> Caller:
        """The caller. One query, a second one where the key's use is noted. Raises the 401."""
        now = timezone.now()
        key = ApiKey.objects.verify(token.strip(), now=now)
        if key is None:
            raise unauthorized(f"This API key is not known here, or it was revoked. {MAKE_A_KEY}")
        return Caller(key, now)

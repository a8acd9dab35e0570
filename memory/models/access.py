"""Who may call the API: keys, and the answers kept so that a repeated request is not done twice."""

import hashlib
import hmac
import secrets
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import models
from django.utils import timezone

KEY_PREFIX = "caesar_"
_SHOWN_CHARS = len(KEY_PREFIX) + 6
_USE_NOTED_EVERY = timedelta(minutes=1)


class IssuedKey(NamedTuple):
    """A new key's row, and the key itself: shown once, never stored."""

    row: "ApiKey"
    secret: str


class ApiKeyManager(models.Manager["ApiKey"]):
    """Issuing and checking keys."""

    def issue(self, label: str) -> IssuedKey:
        """Make a key. Only its SHA-256 is stored. Raises `ValueError` for a blank label."""
        label = " ".join(label.split())[:100]
        if not label:
            raise ValueError("Give the key a label that says who uses it, such as “kitchen tablet”.")
        secret = KEY_PREFIX + secrets.token_urlsafe(32)
        return IssuedKey(self.create(label=label, key_hash=_hash(secret), prefix=secret[:_SHOWN_CHARS]), secret)

    def verify(self, secret: str, *, now: datetime) -> "ApiKey | None":
        """The live key that `secret` is, its use noted (at most once a minute), or None. One query, seldom two."""
        wanted = _hash(secret)
        key = self.filter(key_hash=wanted, revoked_at__isnull=True).first()
        if key is None or not hmac.compare_digest(key.key_hash, wanted):
            return None
        if key.last_used_at is None or now - key.last_used_at >= _USE_NOTED_EVERY:
            self.filter(pk=key.pk).update(last_used_at=now)
        return key


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


class ApiKey(models.Model):
    """A key of one chat backend. The key itself is known to nobody but its holder."""

    label = models.CharField(max_length=100)
    key_hash = models.CharField(max_length=64, unique=True, editable=False)
    prefix = models.CharField(max_length=16, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    last_used_at = models.DateTimeField(null=True, blank=True, editable=False)
    revoked_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = ApiKeyManager()

    class Meta:
        db_table = "api_keys"
        verbose_name = "API key"
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.label} ({self.prefix}…)"

    def revoke(self, *, now: datetime) -> None:
        """Refuse this key from now on. A second time changes nothing."""
        if self.revoked_at is None:
            self.revoked_at = now
            self.save(update_fields=["revoked_at"])


class IdempotencyKey(models.Model):
    """The first answer to a request that carried an `Idempotency-Key`, kept for a day."""

    api_key = models.ForeignKey(ApiKey, on_delete=models.CASCADE)
    key = models.CharField(max_length=255)
    request_hash = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField()
    body = models.JSONField()
    created_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        db_table = "idempotency_keys"
        constraints = [models.UniqueConstraint(fields=["api_key", "key"], name="idempotency_key_once_per_api_key")]

    def __str__(self) -> str:
        return self.key

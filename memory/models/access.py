"""Who may call the API: keys, and the answers kept so that a repeated request is not done twice."""

import hashlib
import hmac
import logging
import secrets
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import OperationalError, models, transaction
from django.utils import timezone

from memory import events
from memory.models.audit import AuditRow
from memory.models.transactions import without_waiting

logger = logging.getLogger(__name__)

KEY_PREFIX = "caesar_"
_SHOWN_CHARS = len(KEY_PREFIX) + 6
_USE_NOTED_EVERY = timedelta(minutes=1)

KEPT = timedelta(days=1)
"""How long the answer to an `Idempotency-Key` is kept."""
_UNDER_WAY = 0  # the status of a request that is not answered yet


class IssuedKey(NamedTuple):
    """A new key's row, and the key itself: shown once, never stored."""

    row: "ApiKey"
    secret: str


class ApiKeyManager(models.Manager["ApiKey"]):
    """Issuing and checking keys."""

    def issue(self, label: str) -> IssuedKey:
        """Make a key, audit `key_created`. Only its SHA-256 is stored. Raises `ValueError` for a blank label."""
        label = " ".join(label.split())[:100]
        if not label:
            raise ValueError("Give the key a label that says who uses it, such as “kitchen tablet”.")
        secret = KEY_PREFIX + secrets.token_urlsafe(32)
        with transaction.atomic():
            key = self.create(label=label, key_hash=_hash(secret), prefix=secret[:_SHOWN_CHARS])
            AuditRow.objects.record(events.KeyCreated(key_label=label, prefix=key.prefix), now=key.created_at)
        return IssuedKey(key, secret)

    def verify(self, secret: str, *, now: datetime) -> "ApiKey | None":
        """The live key that `secret` is, its use noted (at most once a minute), or None. One query, seldom two."""
        wanted = _hash(secret)
        key = self.filter(key_hash=wanted, revoked_at__isnull=True).first()
        if key is None or not hmac.compare_digest(key.key_hash, wanted):
            return None
        if key.last_used_at is None or abs(now - key.last_used_at) >= _USE_NOTED_EVERY:  # abs: clocks are set back too
            self._note_use(key, now=now)
        return key

    def _note_use(self, key: "ApiKey", *, now: datetime) -> None:
        """Best effort, and without waiting: a call that only reads is answered at once while others write."""
        try:
            with without_waiting(self.model):
                self.filter(pk=key.pk).update(last_used_at=now)
        except OperationalError as error:
            logger.warning("The use of the API key %s could not be noted: %s", key, error)


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

    def revoke(self, *, now: datetime) -> bool:
        """Refuse this key from now on, audit `key_revoked`. False, and nothing written, where it was revoked before."""
        with transaction.atomic():
            live = ApiKey.objects.filter(pk=self.pk, revoked_at__isnull=True)
            revoked = live.update(revoked_at=now) == 1
            if revoked:
                AuditRow.objects.record(events.KeyRevoked(key_label=self.label, prefix=self.prefix), now=now)
        self.refresh_from_db(fields=["revoked_at"])
        return revoked


class IdempotencyKeyManager(models.Manager["IdempotencyKey"]):
    """Looking keys up, and forgetting them."""

    def earlier(self, row: "IdempotencyKey", *, lease: timedelta) -> "IdempotencyKey | None":
        """The row that another request of the same API key left under `row`'s key.

        One that has had its day, or whose request never came to its end within `lease`, is deleted instead.
        """
        found = self.filter(api_key_id=row.api_key_id, key=row.key).first()
        if found is None or abs(row.created_at - found.created_at) < (lease if found.is_under_way else KEPT):
            return found
        self.filter(pk=found.pk, status=found.status).delete()
        return None

    def keep_later(self, row: "IdempotencyKey") -> bool:
        """Write the answer of a request that could not be recorded when it was given; False where there is one by now.

        Call it in the transaction that records what was done for it.
        """
        claimed = self.filter(api_key_id=row.api_key_id, key=row.key, status=_UNDER_WAY)
        if claimed.update(status=row.status, body=row.body) == 1:
            return True
        return ApiKey.objects.filter(pk=row.api_key_id).exists() and row.keep(status=row.status, body=row.body)

    def forget_old(self, *, now: datetime) -> int:
        """Delete the keys that have had their day; how many."""
        return self.filter(created_at__lte=now - KEPT).delete()[0]


class IdempotencyKey(models.Model):
    """The first answer to a request that carried an `Idempotency-Key`, kept for a day.

    `body` is the answer's JSON as text, so that it comes back byte for byte from either database.
    """

    api_key = models.ForeignKey(ApiKey, on_delete=models.CASCADE)
    key = models.CharField(max_length=255)
    request_hash = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField()
    body = models.JSONField()
    created_at = models.DateTimeField(default=timezone.now, db_index=True)

    objects = IdempotencyKeyManager()

    class Meta:
        db_table = "idempotency_keys"
        constraints = [models.UniqueConstraint(fields=["api_key", "key"], name="idempotency_key_once_per_api_key")]

    def __str__(self) -> str:
        return self.key

    @property
    def is_under_way(self) -> bool:
        """Whether its request was claimed and not answered yet."""
        return self.status == _UNDER_WAY

    def claim(self) -> bool:
        """Write the row before its request is answered; False where there is one already."""
        return self._insert(status=_UNDER_WAY, body="")

    def keep(self, *, status: int, body: str) -> bool:
        """Write the answer, into the claimed row if it was claimed; False where another request's stands there.

        Where another one is writing it in a transaction that is not at its end, this waits for that end.
        """
        if self.pk is None:
            return self._insert(status=status, body=body)
        claimed = IdempotencyKey.objects.filter(pk=self.pk, status=_UNDER_WAY)
        return claimed.update(status=status, body=body) == 1

    def let_go(self) -> None:
        """Delete the claim, if there is one that was not answered."""
        if self.pk is not None:
            IdempotencyKey.objects.filter(pk=self.pk, status=_UNDER_WAY).delete()

    def _insert(self, *, status: int, body: str) -> bool:
        values = {"request_hash": self.request_hash, "status": status, "body": body, "created_at": self.created_at}
        row, is_new = IdempotencyKey.objects.get_or_create(api_key_id=self.api_key_id, key=self.key, defaults=values)
        if is_new:
            self.pk = row.pk
        return is_new

"""API keys, and the stored answers by which a repeated request is not executed twice (idempotency keys)."""

import hashlib
import hmac
import logging
import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Literal, NamedTuple, get_args

from django.conf import settings
from django.db import OperationalError, models, transaction
from django.utils import timezone

from memory import events
from memory.models.audit import AuditRow
from memory.models.transactions import without_waiting
from memory.models.usage.key_tally import KeyDay
from memory.text.lines import one_line

logger = logging.getLogger(__name__)

KEY_PREFIX = "caesar_"
MOST_REQUESTS_PER_MINUTE = 100_000
MOST_TOKENS_PER_DAY = 1_000_000_000
_SHOWN_CHARS = len(KEY_PREFIX) + 6
_USE_NOTED_EVERY = timedelta(minutes=1)

Scope = Literal["record", "read", "manage"]
SCOPES: tuple[Scope, ...] = get_args(Scope)
"""What a key may do: `record` turns and get memory for them; `read` facts, episodes and the timeline; `manage` (edit
and delete) them."""
NEW_KEY_SCOPES: tuple[Scope, ...] = ("record",)

KEPT = timedelta(days=1)
"""How long the answer to an `Idempotency-Key` is kept."""
_UNDER_WAY = 0  # the status of a request that is not answered yet


class IssuedKey(NamedTuple):
    """A new key's row, and the key itself: shown once, never stored."""

    row: "ApiKey"
    secret: str


@dataclass(frozen=True)
class KeyLimits:
    """What a key may do, until when, how often, and how many tokens its turns may take on one day."""

    scopes: Collection[Scope]
    expires_at: datetime | None = None
    requests_per_minute: int | None = None
    tokens_per_day: int | None = None

    def check(self, *, now: datetime) -> None:
        """Raise `ValueError`, with the cure, for limits that no key can have."""
        if not self.scopes or not set(self.scopes) <= set(SCOPES):
            raise ValueError(f"Choose what the key may do: one or more of {', '.join(SCOPES)}.")
        if self.expires_at is not None and self.expires_at <= now:
            raise ValueError("Choose an end that lies ahead, or none.")
        if self.requests_per_minute is not None and not 1 <= self.requests_per_minute <= MOST_REQUESTS_PER_MINUTE:
            raise ValueError(f"Choose 1 to {MOST_REQUESTS_PER_MINUTE} requests a minute, or no limit.")
        if self.tokens_per_day is not None and not 1 <= self.tokens_per_day <= MOST_TOKENS_PER_DAY:
            raise ValueError(f"Choose 1 to {MOST_TOKENS_PER_DAY} tokens a day, or no limit.")

    def columns(self) -> dict[str, Any]:
        """These limits as columns of the key's row."""
        return {
            "scopes": " ".join(scope for scope in SCOPES if scope in self.scopes),
            "expires_at": self.expires_at,
            "requests_per_minute": self.requests_per_minute,
            "tokens_per_day": self.tokens_per_day,
        }

    def recorded(self) -> dict[str, Any]:
        """These limits as fields of an event."""
        return self.columns() | {"scopes": [scope for scope in SCOPES if scope in self.scopes]}


class ApiKeyManager(models.Manager["ApiKey"]):
    """Issuing and checking keys."""

    def issue(
        self,
        label: str,
        *,
        scopes: Collection[Scope] = NEW_KEY_SCOPES,
        expires_at: datetime | None = None,
        requests_per_minute: int | None = None,
        tokens_per_day: int | None = None,
        now: datetime | None = None,
    ) -> IssuedKey:
        """Make a key, audit `key_created`. Only its SHA-256 is stored.

        Raises `ValueError` for a blank label, no scope, an end in the past, and less than one request or token.
        """
        label = one_line(label)[:100]
        if not label:
            raise ValueError("Give the key a label that says who uses it, such as “kitchen tablet”.")
        limits = KeyLimits(scopes, expires_at, requests_per_minute, tokens_per_day)
        now = now or timezone.now()
        limits.check(now=now)
        secret = KEY_PREFIX + secrets.token_urlsafe(32)
        with transaction.atomic():
            key = self.create(
                label=label, key_hash=_hash(secret), prefix=secret[:_SHOWN_CHARS], created_at=now, **limits.columns()
            )
            created = events.KeyCreated(key_label=label, prefix=key.prefix, **limits.recorded())
            AuditRow.objects.record(created, now=now)
        return IssuedKey(key, secret)

    def labels(self) -> list[str]:
        """The labels of all clients, those of revoked keys too, in order."""
        return sorted(set(self.order_by().values_list("label", flat=True)), key=str.casefold)

    def ids_of(self, label: str) -> list[int]:
        """The keys of the client with this label, also those revoked."""
        return list(self.filter(label=label).order_by("pk").values_list("pk", flat=True))

    def verify(self, secret: str, *, now: datetime) -> "ApiKey | None":
        """The valid key whose secret this is, or None. Notes its use, at most once a minute: one query, seldom two."""
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
        except OperationalError:  # others write just now, which is nothing to warn of
            logger.info("The use of the API key %s could not be noted. The next call will note it.", key)


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


class ApiKey(models.Model):
    """The key of one chat backend. Only its hash is stored; its holder alone knows the key."""

    label = models.CharField(max_length=100)
    key_hash = models.CharField(max_length=64, unique=True, editable=False)
    prefix = models.CharField(max_length=16, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    last_used_at = models.DateTimeField(null=True, blank=True, editable=False)
    revoked_at = models.DateTimeField(null=True, blank=True, editable=False)
    scopes = models.CharField(max_length=32, default=" ".join(NEW_KEY_SCOPES), editable=False)
    expires_at = models.DateTimeField(null=True, blank=True, editable=False)
    requests_per_minute = models.PositiveIntegerField(null=True, blank=True, editable=False)
    tokens_per_day = models.PositiveIntegerField(null=True, blank=True, editable=False)

    objects = ApiKeyManager()

    class Meta:
        db_table = "api_keys"
        verbose_name = "API key"
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.label} ({self.prefix}…)"

    @property
    def limits(self) -> KeyLimits:
        """What the key may do, until when, how often, and how much."""
        scopes = [scope for scope in SCOPES if scope in self.scopes.split()]
        return KeyLimits(scopes, self.expires_at, self.requests_per_minute, self.tokens_per_day)

    @property
    def last_day(self) -> date | None:
        """The last day on which it is taken, in the operator's time zone; None where it has no end."""
        if self.expires_at is None:
            return None
        return settings.CAESAR.day_of(self.expires_at - timedelta(microseconds=1))

    def may(self, scope: Scope) -> bool:
        """Whether the key has this scope."""
        return scope in self.scopes.split()

    def has_expired(self, *, now: datetime) -> bool:
        """Whether its time has run out."""
        return self.expires_at is not None and self.expires_at <= now

    def change(self, limits: KeyLimits, *, now: datetime) -> bool:
        """Give the key other limits, audit `key_changed`. False, and nothing written, where they are the same.

        Raises `ValueError` for limits that no key can have.
        """
        if limits.columns() == self.limits.columns():
            return False
        limits.check(now=now)
        before = self.limits
        with transaction.atomic():
            ApiKey.objects.filter(pk=self.pk).update(**limits.columns())
            changed = events.KeyChanged(
                key_label=self.label, prefix=self.prefix, **limits.recorded(), old_scopes=list(before.scopes)
            )
            AuditRow.objects.record(changed, now=now)
        self.refresh_from_db()
        return True

    def count_request(self, *, now: datetime) -> bool:
        """Count one request of this minute; False where the key has had all that it may make in it.

        Counted in the database, so that all processes count together; not at all for a key without a limit.
        """
        if self.requests_per_minute is None:
            return True
        minute = now.replace(second=0, microsecond=0)
        return ApiKeyMinute.objects.add_one(self, minute) <= self.requests_per_minute

    def has_tokens_left(self, *, now: datetime) -> bool:
        """Whether its turns may take more tokens on this day of the operator's. No query for a key without a limit.

        What providers have counted by now is what counts: turns under way may go past it.
        """
        return self.tokens_per_day is None or KeyDay.objects.today(self.pk, now=now).tokens < self.tokens_per_day

    def revoke(self, *, now: datetime) -> bool:
        """Refuse this key from now on, audit `key_revoked`. False, and nothing written, where it was revoked before."""
        with transaction.atomic():
            live = ApiKey.objects.filter(pk=self.pk, revoked_at__isnull=True)
            revoked = live.update(revoked_at=now) == 1
            if revoked:
                AuditRow.objects.record(events.KeyRevoked(key_label=self.label, prefix=self.prefix), now=now)
        self.refresh_from_db(fields=["revoked_at"])
        return revoked


class ApiKeyMinuteManager(models.Manager["ApiKeyMinute"]):
    """Counting, and forgetting."""

    def add_one(self, key: ApiKey, minute: datetime) -> int:
        """Count one request; how many the key has made in that minute by now, over all processes."""
        with transaction.atomic():
            mine = self.filter(api_key=key, minute=minute)
            if not mine.update(requests=models.F("requests") + 1):
                self.get_or_create(api_key=key, minute=minute)  # another process may have been faster: its row counts
                mine.update(requests=models.F("requests") + 1)
            return mine.values_list("requests", flat=True).get()

    def forget_old(self, *, now: datetime) -> int:
        """Delete the counts that are more than a day old; returns how many."""
        return self.filter(minute__lt=now - KEPT).delete()[0]


class ApiKeyMinute(models.Model):
    """How many requests a key with a limit made in one minute."""

    api_key = models.ForeignKey(ApiKey, on_delete=models.CASCADE, related_name="+")
    minute = models.DateTimeField()
    requests = models.PositiveIntegerField(default=0)

    objects = ApiKeyMinuteManager()

    class Meta:
        db_table = "api_key_minutes"
        constraints = [models.UniqueConstraint(fields=["api_key", "minute"], name="api_key_minute_once")]

    def __str__(self) -> str:
        return f"{self.api_key_id} {self.minute:%Y-%m-%d %H:%M}"


class IdempotencyKeyManager(models.Manager["IdempotencyKey"]):
    """Finding the earlier request of a key, and deleting expired keys."""

    def earlier(self, row: "IdempotencyKey", *, lease: timedelta) -> "IdempotencyKey | None":
        """The row that an earlier request of the same API key stored under `row`'s key.

        An expired row, or one whose request did not finish within `lease`, is deleted instead.
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
        """Delete the expired keys; how many."""
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
        """Whether its request has claimed the key and is not answered yet."""
        return self.status == _UNDER_WAY

    def claim(self) -> bool:
        """Insert the row before its request is answered; False where there is one already."""
        return self._insert(status=_UNDER_WAY, body="")

    def keep(self, *, status: int, body: str) -> bool:
        """Store the answer, in the claimed row if it was claimed; False where another request has stored one.

        Where another request is storing it in an open transaction, this waits for the end of that transaction.
        """
        if self.pk is None:
            return self._insert(status=status, body=body)
        claimed = IdempotencyKey.objects.filter(pk=self.pk, status=_UNDER_WAY)
        return claimed.update(status=status, body=body) == 1

    def let_go(self) -> None:
        """Delete the claim, if there is one without an answer."""
        if self.pk is not None:
            IdempotencyKey.objects.filter(pk=self.pk, status=_UNDER_WAY).delete()

    def _insert(self, *, status: int, body: str) -> bool:
        values = {"request_hash": self.request_hash, "status": status, "body": body, "created_at": self.created_at}
        row, is_new = IdempotencyKey.objects.get_or_create(api_key_id=self.api_key_id, key=self.key, defaults=values)
        if is_new:
            self.pk = row.pk
        return is_new

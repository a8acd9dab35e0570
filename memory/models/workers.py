"""Where each worker stands in the audit log, what it is to look at again, when it last ran, and whether it may."""

from datetime import datetime, timedelta
from typing import Self

from django.db import models, transaction
from django.db.models import F, Q
from django.utils import timezone

from memory import events
from memory.models.audit import AuditQuerySet, AuditRow
from memory.models.masks import speech_masker

LONGEST_PAUSE = timedelta(minutes=30)
_CLOCKS_DIFFER = timedelta(minutes=30)  # as may the hosts' timeouts; more, such as an hour, is a wrong clock


class Cursor(models.Model):
    """One worker's place in the log: every chat up to `last_audit_id` is settled.

    Each change is one UPDATE that names the place it believes in, so that of two workers only one moves it.
    `attempts` counts the tries of the next chat, `outages` those of them that were the provider's fault.
    """

    last_audit_id = models.BigIntegerField(default=0)
    updated_at = models.DateTimeField(default=timezone.now)
    attempts = models.PositiveIntegerField(default=0)
    outages = models.PositiveIntegerField(default=0)
    last_error = models.TextField(blank=True, default="")
    next_try_at = models.DateTimeField(null=True, blank=True)
    claimed_until = models.DateTimeField(null=True, blank=True)
    nudged = models.BooleanField(default=False)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"at #{self.last_audit_id}"

    @classmethod
    def current(cls) -> Self:
        """The one row, as it stands now."""
        return cls._default_manager.get_or_create(pk=1)[0]

    @property
    def waiting(self) -> AuditQuerySet:
        """The chats still to be settled, oldest first."""
        return AuditRow.objects.get_queryset().chats().filter(id__gt=self.last_audit_id).order_by("id")

    @property
    def own_tries(self) -> int:
        """Tries of the next chat that were not the provider's fault."""
        return self.attempts - self.outages

    def is_paused(self, now: datetime) -> bool:
        """Whether the worker waits for a provider to come back. A pause longer than the longest does not count."""
        return self.next_try_at is not None and now < self.next_try_at <= now + LONGEST_PAUSE

    @classmethod
    def claim(cls, *, now: datetime, until: datetime) -> bool:
        """Take the cursor until `until`, unless another worker holds it. Clears the nudge: later chats nudge again.

        A claim that ends long after `until` was made by a clock that ran ahead, and does not count.
        """
        cls.current()
        free = Q(claimed_until__isnull=True) | Q(claimed_until__lte=now) | Q(claimed_until__gt=until + _CLOCKS_DIFFER)
        return cls._only().filter(free).update(claimed_until=until, nudged=False) == 1

    @classmethod
    def prolong(cls, *, held_until: datetime, until: datetime) -> bool:
        """Extend the claim. False where it was lost."""
        return cls._only().filter(claimed_until=held_until).update(claimed_until=until) == 1

    @classmethod
    def release(cls, held_until: datetime) -> None:
        """Give the cursor back, unless the claim ran out and another worker holds it by now."""
        cls._only().filter(claimed_until=held_until).update(claimed_until=None)

    @classmethod
    def nudge(cls) -> bool:
        """Note that a chat is waiting. False where that was noted already and the worker has not looked since."""
        return cls._only().filter(nudged=False).update(nudged=True) == 1

    def begin_try(self, *, held_until: datetime, until: datetime) -> bool:
        """Count a try before it is made, so that a chat which kills its worker is counted too. Extends the claim.

        False where the cursor moved or the claim was lost.
        """
        mine = self._here().filter(claimed_until=held_until)
        return mine.update(attempts=F("attempts") + 1, claimed_until=until) == 1

    def advance(self, chat: AuditRow, *, now: datetime) -> bool:
        """Settle everything up to `chat`. The first statement of its transaction; False where another worker did it."""
        moved = self._here().update(
            last_audit_id=chat.pk,
            updated_at=now,
            attempts=0,
            outages=0,
            last_error="",
            next_try_at=None,
        )
        return moved == 1

    def note_failure(self, error: str, *, pause: timedelta | None, now: datetime) -> bool:
        """Store the failure of the next chat. `pause`: the provider was at fault, so wait that long."""
        kept = speech_masker().text(error)
        failure: dict[str, object] = {"last_error": kept, "updated_at": now}
        if pause is not None:
            failure |= {"outages": F("outages") + 1, "next_try_at": now + pause}
        return self._here().update(**failure) == 1

    def note_outage(self) -> bool:
        """Count one of the tries as the provider's fault."""
        return self._here().update(outages=F("outages") + 1) == 1

    def try_now(self) -> bool:
        """Clear the failed tries of the next chat, and the pause. False where there are none, or the cursor moved."""
        tried = Q(attempts__gt=0) | Q(outages__gt=0) | Q(next_try_at__isnull=False)
        return self._here().filter(tried).update(attempts=0, outages=0, next_try_at=None) == 1

    @classmethod
    def _only(cls) -> models.QuerySet[Self]:
        return cls._default_manager.filter(pk=1)

    def _here(self) -> models.QuerySet[Self]:
        return self._only().filter(last_audit_id=self.last_audit_id)


class ExtractCursor(Cursor):
    """Where `memory.extract` stands (ADR-0033 §2)."""

    class Meta:
        db_table = "memory_extract_cursor"
        verbose_name = "extraction cursor"
        constraints = [models.CheckConstraint(condition=Q(id=1), name="memory_extract_cursor_one_row")]


class SummariseCursor(Cursor):
    """Where `memory.summarise` stands (ADR-0034 §1)."""

    class Meta:
        db_table = "memory_summarise_cursor"
        verbose_name = "summary cursor"
        constraints = [models.CheckConstraint(condition=Q(id=1), name="memory_summarise_cursor_one_row")]


class AskAgain(models.Model):
    """A request to read a given-up chat again. The worker that deletes the row has fulfilled it."""

    job = models.CharField(max_length=32)
    chat = models.ForeignKey(AuditRow, on_delete=models.CASCADE, related_name="+")
    attempts = models.PositiveIntegerField(default=0)
    next_try_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        db_table = "memory_ask_again"
        constraints = [models.UniqueConstraint(fields=["job", "chat"], name="ask_again_once")]

    def __str__(self) -> str:
        return f"{self.job} chat #{self.chat_id}"

    def count_try(self) -> bool:
        """Count a try before it is made. False where another worker fulfilled the request."""
        self.attempts += 1
        return AskAgain._default_manager.filter(pk=self.pk).update(attempts=F("attempts") + 1) == 1

    def wait(self, pause: timedelta, *, now: datetime) -> None:
        """After an outage of the provider: try this request again later; other chats go on meanwhile."""
        AskAgain._default_manager.filter(pk=self.pk).update(next_try_at=now + pause)

    def take(self) -> bool:
        """Fulfil the request. The first statement of its transaction; False where another worker did it."""
        return AskAgain._default_manager.filter(pk=self.pk).delete()[0] == 1


class WorkerHeartbeat(models.Model):
    """When a task last ran. The task itself writes it, so that a queue that hangs is noticed."""

    task = models.CharField(max_length=64, primary_key=True)
    at = models.DateTimeField()

    class Meta:
        db_table = "worker_heartbeat"

    def __str__(self) -> str:
        return f"{self.task} at {self.at:%Y-%m-%d %H:%M:%S}"

    @classmethod
    def beat(cls, task: str, *, now: datetime) -> None:
        """Note that `task` runs."""
        cls._default_manager.update_or_create(task=task, defaults={"at": now})

    @staticmethod
    def patience(interval_seconds: float) -> timedelta:
        """How long a task with this interval may go without a heartbeat before something is wrong."""
        return max(3 * timedelta(seconds=interval_seconds), timedelta(seconds=180))


class LearningSwitch(models.Model):
    """One row: whether the operator has paused learning, for both workers. Chats wait meanwhile."""

    paused_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        db_table = "memory_learning_switch"
        verbose_name = "learning switch"
        verbose_name_plural = "learning switch"
        constraints = [models.CheckConstraint(condition=Q(id=1), name="memory_learning_switch_one_row")]

    def __str__(self) -> str:
        return f"paused since {self.paused_at:%Y-%m-%d %H:%M:%S}" if self.paused_at else "learning"

    @property
    def is_paused(self) -> bool:
        """Whether the workers leave chats waiting."""
        return self.paused_at is not None

    @classmethod
    def current(cls) -> "LearningSwitch":
        """The one row, as it stands now."""
        return cls._default_manager.get_or_create(pk=1)[0]

    @classmethod
    def pause(cls, *, now: datetime) -> bool:
        """Pause learning in the operator's name, audit `paused`. False, and nothing written, where it is paused."""
        cls.current()
        with transaction.atomic():
            paused = cls._default_manager.filter(pk=1, paused_at__isnull=True).update(paused_at=now) == 1
            if paused:
                AuditRow.objects.record(events.LearningPaused(), now=now)
        return paused

    @classmethod
    def resume(cls, *, now: datetime) -> bool:
        """Resume learning in the operator's name, audit `resumed`. False, and nothing written, where it is not."""
        paused_at = cls.current().paused_at
        with transaction.atomic():
            mine = cls._default_manager.filter(pk=1, paused_at__isnull=False, paused_at=paused_at)
            resumed = mine.update(paused_at=None) == 1
            if resumed:
                AuditRow.objects.record(events.LearningResumed(paused_at=paused_at), now=now)
        return resumed

"""Episodes: one row a chat, and every way one may change. Each change commits together with its audit row."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.db import connections, models, router, transaction
from django.db.models import F

from memory import events
from memory.models import turn_sql
from memory.models.audit import AuditRow
from memory.models.revision import MemoryRevision


@dataclass(frozen=True)
class Embedded:
    """A summary's vector as JSON numbers, never empty, and the embedder model it is of."""

    vector: Sequence[float]
    model: str


class EpisodeManager(models.Manager["EpisodeSummary"]):
    """The ways episodes are written."""

    def summarise(self, chat: AuditRow, summary: str, embedded: Embedded, *, now: datetime) -> bool:
        """Write a chat's episode, dated at the chat's time, audit `summarised`. False where it has one."""
        row: dict[str, object] = {"summary": summary, "embedding": list(embedded.vector), "model": embedded.model}
        with transaction.atomic():
            MemoryRevision.move("episodes_added")  # before the insert: see MemoryRevision
            if not self._put(chat, row):
                return False
            event = events.EpisodeSummarised(audit_log_id=chat.pk, summary=summary, model=embedded.model)
            AuditRow.objects.record(event, now=now, chat=chat)
        return True

    def replace(self, chat: AuditRow, summary: str, embedded: Embedded, *, reply: AuditRow, now: datetime) -> bool:
        """Write a chat's episode anew for its turn's later answer, the row `reply`; audit `replaced`.

        An episode that the operator deleted stays deleted. False where nothing was written.
        """
        with transaction.atomic():
            MemoryRevision.move("episodes_added")
            row: dict[str, object] = {"summary": summary, "embedding": list(embedded.vector), "model": embedded.model}
            old = self.select_for_update().filter(audit_log=chat).first()
            if self._is_deleted(chat):
                return False
            if old is None:
                self._put(chat, row)
            else:
                self.filter(pk=old.pk).update(**row, embedded_again=F("embedded_again") + 1)
                MemoryRevision.move("episodes_changed")
            replaced = old.summary if old else ""
            event = events.EpisodeReplaced(
                audit_log_id=chat.pk, summary=summary, model=embedded.model, replaced=replaced
            )
            AuditRow.objects.record(event, now=now, chat=reply)
        return True

    def is_settled(self, chat: AuditRow, *, reply: AuditRow) -> bool:
        """Whether there is nothing to write for this later answer: it is summed up, or the episode was deleted."""
        done = AuditRow.objects.get_queryset().of_type(events.EpisodeReplaced).filter(chat=reply)
        return done.exists() or self._is_deleted(chat)

    def _is_deleted(self, chat: AuditRow) -> bool:
        return AuditRow.objects.get_queryset().of_type(events.EpisodeUserDeleted).filter(chat=chat).exists()

    def skip(self, chat: AuditRow, *, reason: Literal["trivial", "replay", "nothing_new"], now: datetime) -> bool:
        """Write an empty row for a chat not worth a summary, audit `summarise_skipped`. False where it has a row."""
        with transaction.atomic():
            if not self._put(chat, {"summary": "", "embedding": [], "model": ""}):
                return False
            AuditRow.objects.record(events.EpisodeSkipped(audit_log_id=chat.pk, reason=reason), now=now, chat=chat)
        return True

    def _put(self, chat: AuditRow, row: dict[str, object]) -> bool:
        return self.get_or_create(audit_log=chat, defaults={**row, "created_at": chat.said_at})[1]

    def hold(self, *, chat_ids: Iterable[int]) -> None:
        """Take the locks of the episodes of these chats, in the order of their ids (`memory.models.transactions`)."""
        list(self.select_for_update().filter(audit_log__in=list(chat_ids)).order_by("pk").values_list("pk"))

    def bump(self, ids: Iterable[int], *, now: datetime) -> int:
        """Count one recall of each episode, in the database; how many still exist. Takes their locks in order."""
        return turn_sql.bump(connections[router.db_for_write(self.model)], list(ids), now=now)

    def embed_again(self, episode_id: int, embedded: Embedded, *, seen_summary: str) -> bool:
        """Give an episode the vector of another embedder. False where its summary has changed since."""
        with transaction.atomic():
            row = self.filter(pk=episode_id, summary=seen_summary)
            again = F("embedded_again") + 1
            changed = row.update(embedding=list(embedded.vector), model=embedded.model, embedded_again=again) == 1
            if changed:
                MemoryRevision.move("episodes_changed")
        return changed


class EpisodeSummary(models.Model):
    """What one chat was about, in one or two sentences, with its vector (ADR-0034 §1). Empty for a trivial chat."""

    audit_log = models.OneToOneField(AuditRow, on_delete=models.CASCADE, related_name="episode")
    summary = models.TextField()
    embedding = models.JSONField()
    model = models.TextField()
    created_at = models.DateTimeField()
    last_recalled_at = models.DateTimeField(null=True, blank=True)
    recall_count = models.IntegerField(default=0)
    embedded_again = models.IntegerField(default=0)

    objects = EpisodeManager()

    class Meta:
        db_table = "episode_summaries"
        verbose_name = "episode"
        verbose_name_plural = "episodes"
        indexes = [
            models.Index(fields=["audit_log"], name="idx_episode_summaries_audit"),
            models.Index(fields=["created_at"], name="idx_episode_summaries_created"),
            models.Index(fields=["last_recalled_at", "recall_count", "id"], name="idx_episode_summaries_recalled"),
            models.Index(fields=["model", "created_at", "id", "embedded_again"], name="idx_episode_summaries_model"),
        ]

    def __str__(self) -> str:
        return (
            f"episode of chat #{self.audit_log_id}"  # no summary: Django's admin log keeps this text after a deletion
        )

    def forget(self, *, now: datetime) -> AuditRow | None:
        """Empty the episode in the operator's name, audit `user_deleted`. None where it was empty or gone already.

        The row stays, so that the chat is not summed up again.
        """
        with transaction.atomic():
            row = EpisodeSummary.objects.select_for_update().filter(pk=self.pk).exclude(summary="").first()
            if row is None:
                return None
            deleted = events.EpisodeUserDeleted(audit_log_id=row.audit_log_id, summary=row.summary)
            row.summary, row.embedding, row.model = "", [], ""
            row.save(update_fields=["summary", "embedding", "model"])
            MemoryRevision.move("episodes_changed")
            return AuditRow.objects.record(deleted, now=now, chat=row.audit_log)

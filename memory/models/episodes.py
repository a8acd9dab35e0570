"""Episodes: one row a chat, and every way one may change. Each change commits together with its audit row."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple

from django.db import connections, models, router, transaction
from django.db.models import F

from memory import events
from memory.models import turn_sql
from memory.models.audit import AuditRow
from memory.models.revision import MemoryRevision
from memory.models.undo.deleted_episode import DeletedEpisode, EpisodeGone
from memory.models.units import EpisodeUnits, Units


@dataclass(frozen=True)
class Embedded:
    """A summary's vector as JSON numbers, never empty, and the embedder model it is of."""

    vector: Sequence[float]
    model: str


class BroughtBack(NamedTuple):
    """An episode whose deletion was taken back, and the audit row of that; None where it was there already."""

    episode: "EpisodeSummary"
    row: AuditRow | None


class EpisodeManager(models.Manager["EpisodeSummary"]):
    """The ways episodes are written."""

    def summarise(
        self, chat: AuditRow, summary: str, embedded: Embedded, *, now: datetime, units: Units | None = None
    ) -> bool:
        """Write a chat's episode, dated at the chat's time, audit `summarised`. False where it has one."""
        row: dict[str, object] = {"summary": summary, "embedding": list(embedded.vector), "model": embedded.model}
        with transaction.atomic():
            MemoryRevision.move("episodes_added")  # before the insert: see MemoryRevision
            episode, is_new = self._put(chat, row)
            if not is_new:
                return False
            if units is not None:
                EpisodeUnits.objects.put(episode.pk, units)
            event = events.EpisodeSummarised(audit_log_id=chat.pk, summary=summary, model=embedded.model)
            AuditRow.objects.record(event, now=now, chat=chat)
        return True

    def replace(
        self,
        chat: AuditRow,
        summary: str,
        embedded: Embedded,
        *,
        reply: AuditRow,
        now: datetime,
        units: Units | None = None,
    ) -> bool:
        """Write a chat's episode anew for its turn's later answer, the row `reply`; audit `replaced`.

        An episode that the operator deleted stays deleted. False where nothing was written.
        """
        vector = list(embedded.vector)
        row: dict[str, object] = {"summary": summary, "embedding": vector, "model": embedded.model}
        with transaction.atomic():
            self.hold(chat_ids=[chat.pk])
            MemoryRevision.move("episodes_added")
            old = self.filter(audit_log=chat).first()
            if self._is_deleted(chat):
                return False
            replaced = old.summary if old else ""
            if old is None:
                old = self._put(chat, row)[0]
            else:
                again = F("embedded_again") + 1
                self.filter(pk=old.pk).update(**row, dimensions=len(vector), embedded_again=again)
                MemoryRevision.move("episodes_changed")
            EpisodeUnits.objects.put(old.pk, units)
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
        said = AuditRow.objects.get_queryset().of_type(events.EpisodeUserDeleted, events.EpisodeUserRestored)
        last = said.filter(chat=chat).order_by("-id").values_list("event_type", flat=True).first()
        return last == events.EpisodeUserDeleted.name

    def restore(self, deletion: AuditRow, *, now: datetime) -> "EpisodeSummary":
        """Take a deletion back in the operator's name: summary, vector, units and counts as they were, audit
        `user_restored`.

        A second call returns the episode and writes nothing. Raises as `brought_back`.
        """
        return self.brought_back(deletion, now=now).episode

    def brought_back(self, deletion: AuditRow, *, now: datetime) -> BroughtBack:
        """The same with the row of it. Raises `EpisodeGone` where what it had is not kept any more, `ValueError` where
        `deletion` is not a deletion.
        """
        if deletion.event_type != events.EpisodeUserDeleted.name:
            raise ValueError(f"Audit row #{deletion.pk} is no deletion of an episode.")
        with transaction.atomic():
            episode = self.select_for_update().filter(audit_log=deletion.chat_id).first()
            if episode is None:
                raise EpisodeGone("Its chat was swept, and the episode with it.")
            kept = DeletedEpisode.objects.filter(pk=episode.pk).first()
            if kept is None and not episode.is_found:
                raise EpisodeGone("What this episode said is no longer kept.")
            if kept is not None:
                MemoryRevision.move("episodes_changed")
                episode._rewrite(kept.summary, kept.embedding, kept.model)
                kept.give_up_units()
                back = events.EpisodeUserRestored(
                    audit_log_id=episode.audit_log_id, summary=episode.summary, restored_from=kept.deletion_id
                )
                return BroughtBack(episode, AuditRow.objects.record(back, now=now, chat=episode.audit_log))
        return BroughtBack(episode, None)

    def skip(
        self,
        chat: AuditRow,
        *,
        reason: Literal["trivial", "replay", "nothing_new"],
        now: datetime,
        units: Units | None = None,
    ) -> bool:
        """Write an empty row for a chat not worth a summary, audit `summarise_skipped`. False where it has a row.

        With `units` it is found by what was said in it all the same.
        """
        with transaction.atomic():
            if units is not None:
                MemoryRevision.move("episodes_added")
            row, is_new = self._put(chat, {"summary": "", "embedding": [], "model": ""})
            if not is_new:
                return False
            if units is not None:
                EpisodeUnits.objects.put(row.pk, units)
            AuditRow.objects.record(events.EpisodeSkipped(audit_log_id=chat.pk, reason=reason), now=now, chat=chat)
        return True

    def _put(self, chat: AuditRow, row: dict[str, object]) -> tuple["EpisodeSummary", bool]:
        return self.get_or_create(audit_log=chat, defaults={**row, "created_at": chat.said_at})

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
            vector = list(embedded.vector)
            columns = {"embedding": vector, "dimensions": len(vector), "model": embedded.model}
            changed = row.update(**columns, embedded_again=again) == 1
            if changed:
                MemoryRevision.move("episodes_changed")
        return changed

    def put_units(self, seen: "EpisodeSummary", units: Units) -> bool:
        """Give an episode new units. False where it has changed since it was `seen`, or was deleted."""
        with transaction.atomic():
            row = self.filter(pk=seen.pk, summary=seen.summary, embedded_again=seen.embedded_again)
            changed = row.update(embedded_again=F("embedded_again") + 1) == 1 and not self._is_deleted(seen.audit_log)
            if changed:
                EpisodeUnits.objects.put(seen.pk, units)
                MemoryRevision.move("episodes_changed")
        return changed


class VectorLengthField(models.IntegerField):  # type: ignore[type-arg]  # at run time it takes none
    """The length of the row's `embedding`, set whenever the row is written as a whole."""

    def pre_save(self, model_instance: models.Model, add: bool) -> int | None:
        """The length that is written."""
        vector = getattr(model_instance, "embedding", None)
        length = len(vector) if isinstance(vector, list) and vector else None
        setattr(model_instance, self.attname, length)
        return length

    def deconstruct(self) -> Any:
        """As the plain field it is to the database."""
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.IntegerField", args, kwargs


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
    dimensions = VectorLengthField(null=True, editable=False)
    """How many numbers `embedding` has; null where it is empty, or was written past the ORM."""

    objects = EpisodeManager()

    class Meta:
        db_table = "episode_summaries"
        verbose_name = "episode"
        verbose_name_plural = "episodes"
        indexes = [
            models.Index(fields=["audit_log"], name="idx_episode_summaries_audit"),
            models.Index(fields=["created_at"], name="idx_episode_summaries_created"),
            models.Index(fields=["last_recalled_at", "recall_count", "id"], name="idx_episode_summaries_recalled"),
            models.Index(
                fields=["model", "created_at", "id", "embedded_again", "dimensions"], name="idx_episode_summaries_space"
            ),
            models.Index(fields=["recall_count", "created_at", "id", "model"], name="idx_episode_summaries_often"),
        ]

    def __str__(self) -> str:
        return (
            f"episode of chat #{self.audit_log_id}"  # no summary: Django's admin log keeps this text after a deletion
        )

    @property
    def is_found(self) -> bool:
        """Whether recall can bring it back, by its summary or by what was said in its chat. At most one query."""
        return bool(self.summary) or EpisodeUnits.objects.filter(pk=self.pk).exists()

    def forget(self, *, now: datetime) -> AuditRow | None:
        """Empty the episode in the operator's name, audit `user_deleted`: the row that `restore` takes back.

        None where it was empty or gone already. The row stays, so that the chat is not summed up again; what it had is
        kept apart until the sweep (`DeletedEpisode`).
        """
        with transaction.atomic():
            row = EpisodeSummary.objects.select_for_update().filter(pk=self.pk).first()
            if row is None or not row.is_found:
                return None
            MemoryRevision.move("episodes_changed")
            event = events.EpisodeUserDeleted(audit_log_id=row.audit_log_id, summary=row.summary)
            deletion = AuditRow.objects.record(event, now=now, chat=row.audit_log)
            had = {"summary": row.summary, "embedding": row.embedding, "model": row.model}
            DeletedEpisode.objects.keep(row.pk, **had, deletion=deletion)
            row._rewrite("", [], "")
            return deletion

    def _rewrite(self, summary: str, embedding: Sequence[float], model: str) -> None:
        self.summary, self.embedding, self.model = summary, list(embedding), model
        self.save(update_fields=["summary", "embedding", "dimensions", "model"])


class EmbedderLength(models.Model):
    """How many numbers an embedder's vectors had when that last mattered. A name is not a model: a tag may be pulled
    anew, and answer with another length."""

    model = models.TextField(primary_key=True)
    dimensions = models.IntegerField()

    class Meta:
        db_table = "embedder_lengths"

    def __str__(self) -> str:
        return f"{self.model}: {self.dimensions}"

    @classmethod
    def note(cls, model: str, dimensions: int) -> None:
        """Remember the length. Writes only where it is another one than was noted."""
        if not cls._default_manager.filter(model=model, dimensions=dimensions).exists():
            cls._default_manager.update_or_create(model=model, defaults={"dimensions": dimensions})


@dataclass(frozen=True)
class OutgrownEpisodes:
    """Episodes that the embedder in use can no longer find: their vectors have another length than the `dimensions` it
    gives, or, where these are None, all of the window are of other embedders."""

    model: str
    dimensions: int | None
    count: int

    def __str__(self) -> str:
        several = f"{self.count:,} past conversations have vectors"
        past = several if self.count > 1 else "1 past conversation has a vector"
        return f"{past} of another {self._difference}, and cannot be recalled. Run manage.py reembed."

    @property
    def _difference(self) -> str:
        if self.dimensions is None:
            return f"embedder, none of {self.model}, which is in use now"
        return f"length than the {self.dimensions} numbers that {self.model} answers with now"

    @classmethod
    def of(cls, model: str, *, since: datetime) -> "OutgrownEpisodes | None":
        """Those that this embedder cannot find in the window from `since` on; None where there are none."""
        return cls._of_another_length(model) or cls.of_other_embedders(model, since=since)

    @classmethod
    def of_other_embedders(cls, model: str, *, since: datetime) -> "OutgrownEpisodes | None":
        """All episodes of the window, where not one of them is of this embedder; None where one is, or none is there.

        Where some are of another one, the receipt names them as near misses, and there is no trouble.
        """
        window = EpisodeSummary.objects.filter(created_at__gte=since).exclude(model="")
        if window.filter(model=model).exists():
            return None
        count = window.count()
        return cls(model, None, count) if count else None

    @classmethod
    def _of_another_length(cls, model: str) -> "OutgrownEpisodes | None":
        """Those of this embedder's name, by the length that was noted last."""
        noted = EmbedderLength._default_manager.filter(model=model).values_list("dimensions", flat=True).first()
        if noted is None:
            return None
        others = EpisodeSummary.objects.filter(model=model, dimensions__isnull=False).exclude(dimensions=noted)
        count = others.count()
        return cls(model, noted, count) if count else None

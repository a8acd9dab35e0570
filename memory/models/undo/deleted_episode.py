"""What a deleted episode had, kept apart so that the deletion can be taken back until the sweep (decision 33)."""

from collections.abc import Sequence

from django.db import models

from memory.models.audit import AuditRow
from memory.models.units import EpisodeUnits, UnitColumns


class EpisodeGone(Exception):
    """A deletion that cannot be taken back: what the episode had is no longer kept."""


class DeletedEpisodeManager(models.Manager["DeletedEpisode"]):
    """The one way rows are written."""

    def keep(
        self, episode_id: int, *, summary: str, embedding: Sequence[float], model: str, deletion: AuditRow
    ) -> None:
        """Keep what an episode has that is about to be emptied, and move its units here.

        Call it in the transaction of the deletion, with the episode's row locked.
        """
        kept = self.create(episode_id=episode_id, deletion=deletion, summary=summary, embedding=embedding, model=model)
        units = EpisodeUnits.objects.filter(pk=episode_id).first()
        if units is not None:
            DeletedUnits._default_manager.create(deleted=kept, **vars(units.units))
            EpisodeUnits.objects.put(episode_id, None)


class DeletedEpisode(models.Model):
    """What one deleted episode had. No recall, no search and no worker reads it.

    It goes when it is brought back, and with whichever the sweep takes first: the episode's chat or the deletion's row.
    """

    episode = models.OneToOneField("EpisodeSummary", primary_key=True, on_delete=models.CASCADE, related_name="deleted")
    deletion = models.OneToOneField(AuditRow, on_delete=models.CASCADE, related_name="+")
    summary = models.TextField(blank=True)
    embedding = models.JSONField()
    model = models.TextField(blank=True)

    objects = DeletedEpisodeManager()

    class Meta:
        db_table = "deleted_episodes"
        verbose_name = "deleted episode"

    def __str__(self) -> str:
        return f"deleted episode #{self.episode_id}"

    def give_up_units(self) -> None:
        """Give the episode its units again, and keep nothing here. Call it with the episode locked."""
        units = DeletedUnits._default_manager.filter(pk=self.pk).first()
        if units is not None:
            EpisodeUnits.objects.put(self.episode_id, units.units)
        self.delete()


class DeletedUnits(UnitColumns):
    """The units that a deleted episode had."""

    deleted = models.OneToOneField(DeletedEpisode, primary_key=True, on_delete=models.CASCADE, related_name="+")

    class Meta:
        db_table = "deleted_episode_units"

    def __str__(self) -> str:
        return f"units of deleted episode #{self.deleted_id}"

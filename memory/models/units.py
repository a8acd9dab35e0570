"""What recall by content searches: one row an episode, with the vectors and the words of what was said."""

from dataclasses import dataclass

from django.db import models


@dataclass(frozen=True)
class Units:
    """What one chat adds to its conversation, ready to be stored; `memory.units` makes and reads it.

    `conversation`: the id of the conversation's first chat. `model`: the embedder of the vectors, "" where none could
    be made. `vectors` int8 (windows, dimensions), `scales` float32 (windows,): a window's unit vector is their product.
    `turn_lengths` uint32 (turns,): how many terms each turn has; `terms` uint32 (sum of them,): their hashes, in order;
    `context`: how many of the first turns belong to earlier chats of the conversation. All little-endian.
    """

    conversation: int
    model: str
    dimensions: int
    vectors: bytes
    scales: bytes
    turn_lengths: bytes
    terms: bytes
    context: int


class EpisodeUnitsManager(models.Manager["EpisodeUnits"]):
    """The one way units are written."""

    def put(self, episode_id: int, units: Units | None) -> None:
        """Write the units of an episode, or none, in the caller's transaction; whatever it had is replaced.

        The caller moves the revision: with the episode, or as for a vector that changed (`embedded_again`).
        """
        if units is None:
            self.filter(pk=episode_id).delete()
        else:
            self.update_or_create(episode_id=episode_id, defaults=vars(units))


class UnitColumns(models.Model):
    """The columns in which units are stored, whether they are searched or wait for an undo."""

    conversation = models.BigIntegerField()
    model = models.TextField(blank=True)
    dimensions = models.IntegerField(default=0)
    vectors = models.BinaryField()
    scales = models.BinaryField()
    turn_lengths = models.BinaryField()
    terms = models.BinaryField()
    context = models.IntegerField(default=0)

    class Meta:
        abstract = True

    @property
    def units(self) -> Units:
        """What the row holds, byte for byte."""
        return Units(
            conversation=self.conversation,
            model=self.model,
            dimensions=self.dimensions,
            vectors=bytes(self.vectors),
            scales=bytes(self.scales),
            turn_lengths=bytes(self.turn_lengths),
            terms=bytes(self.terms),
            context=self.context,
        )


class EpisodeUnits(UnitColumns):
    """The units of one episode. They come and go with it, whoever deletes or replaces it."""

    episode = models.OneToOneField("EpisodeSummary", primary_key=True, on_delete=models.CASCADE, related_name="units")

    objects = EpisodeUnitsManager()

    class Meta:
        db_table = "episode_units"
        verbose_name = "units of an episode"
        verbose_name_plural = "units of episodes"

    def __str__(self) -> str:
        return f"units of episode #{self.episode_id}"


class GeneralVectors(models.Model):
    """An embedder's vectors of the general messages that recall by content is measured against, so that each process
    need not have them embedded. `digest` names the list of messages."""

    model = models.TextField(primary_key=True)
    digest = models.TextField()
    dimensions = models.IntegerField()
    vectors = models.BinaryField()
    scales = models.BinaryField()

    class Meta:
        db_table = "general_vectors"

    def __str__(self) -> str:
        return f"{self.model}: {self.digest}"

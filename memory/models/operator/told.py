"""What the operator was told of by webhook or mail, and that lasts."""

from datetime import datetime

from django.db import models


class ToldAlertManager(models.Manager["ToldAlert"]):
    """Noting what was told."""

    def note(self, kind: str, text: str, *, since: datetime) -> None:
        """It was told now. Two workers at once leave one row."""
        self.update_or_create(kind=kind, defaults={"text": text, "since": since})


class ToldAlert(models.Model):
    """One problem that was told, for as long as it lasts. `since`: when it was seen first."""

    kind = models.CharField(max_length=64, primary_key=True)
    text = models.TextField()
    since = models.DateTimeField()

    objects = ToldAlertManager()

    class Meta:
        db_table = "told_alerts"

    def __str__(self) -> str:
        return self.kind

"""The tokens that the turns of one API key took, day by day: for its limit, and for what it used this month."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta

from django.conf import settings
from django.db import connections, models, router
from django.db.models import Sum

# One statement, as in the tally of models.
_ADD = """
INSERT INTO api_key_days (api_key_id, day, answers, input_tokens, output_tokens) VALUES (%s, %s, 1, %s, %s)
ON CONFLICT (api_key_id, day) DO UPDATE SET
    answers = api_key_days.answers + 1,
    input_tokens = api_key_days.input_tokens + excluded.input_tokens,
    output_tokens = api_key_days.output_tokens + excluded.output_tokens
"""


_NAMES = ("answers", "input_tokens", "output_tokens")


@dataclass(frozen=True)
class KeyUsed:
    """What the turns of a key took: how many answers, and their tokens, estimated where providers gave no count."""

    answers: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    @property
    def tokens(self) -> int:
        """Both ways."""
        return self.input_tokens + self.output_tokens


class KeyDayManager(models.Manager["KeyDay"]):
    """The ways the tally is written and read."""

    def add(self, key_id: int, *, now: datetime, input_tokens: int | None, output_tokens: int | None) -> None:
        """Count one answer to the operator's day; None: the provider gave no count. The last of its transaction."""
        day = settings.CAESAR.day_of(now).isoformat()
        with connections[router.db_for_write(KeyDay)].cursor() as cursor:
            cursor.execute(_ADD, [key_id, day, input_tokens or 0, output_tokens or 0])

    def today(self, key_id: int, *, now: datetime) -> KeyUsed:
        """What a key has taken on this day of the operator's. One look-up."""
        found = self.filter(api_key_id=key_id, day=settings.CAESAR.day_of(now)).values_list(*_NAMES).first()
        return KeyUsed(*found or ())

    def this_month(self, *, now: datetime) -> dict[int, KeyUsed]:
        """What each key has taken in this calendar month of the operator's, by the key's id. One query."""
        today = settings.CAESAR.day_of(now)
        days = self.filter(day__gte=today.replace(day=1), day__lte=today).order_by().values("api_key_id")
        found = days.annotate(*(Sum(name) for name in _NAMES)).values_list("api_key_id", *map("{}__sum".format, _NAMES))
        return {key_id: KeyUsed(*used) for key_id, *used in found}


class KeyDay(models.Model):
    """The answers that one key's turns were given on one day in the operator's zone, and their tokens."""

    api_key = models.ForeignKey("ApiKey", on_delete=models.CASCADE, related_name="+", db_index=False)
    day = models.DateField()
    answers = models.PositiveBigIntegerField(default=0)
    input_tokens = models.PositiveBigIntegerField(default=0)
    output_tokens = models.PositiveBigIntegerField(default=0)

    objects = KeyDayManager()

    class Meta:
        db_table = "api_key_days"
        constraints = [models.UniqueConstraint(fields=("api_key", "day"), name="api_key_day_once")]

    def __str__(self) -> str:
        return f"{self.api_key_id} on {self.day}"


def seconds_to_tomorrow(now: datetime) -> int:
    """How long the operator's day lasts yet, at least a second."""
    zone = settings.CAESAR.zone
    tomorrow = datetime.combine(settings.CAESAR.day_of(now) + timedelta(days=1), time.min, tzinfo=zone)
    return max(1, round((tomorrow - now).total_seconds()))

"""When an account looked at the overview last, so that it can say what has changed since."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import DatabaseError, models

from memory.models.transactions import without_waiting

ONE_LOOK = timedelta(minutes=30)
"""Looks closer together than this are one."""
_NOTED_EVERY = timedelta(minutes=1)


class LastLook(models.Model):
    """One row an account: `looked_at` is its latest look, `before` the end of the one before that."""

    account = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True)
    looked_at = models.DateTimeField()
    before = models.DateTimeField(null=True)

    class Meta:
        db_table = "last_looks"

    def __str__(self) -> str:
        return f"account {self.pk}, {self.looked_at:%Y-%m-%d %H:%M}"

    @classmethod
    def look(cls, account_id: int, *, now: datetime) -> datetime | None:
        """Note a look at `now`; returns when the account looked before that, None where it never did.

        One query, a second one at most once a minute. Where the database cannot be written to, nothing is noted.
        """
        looks = cls._default_manager
        row = looks.filter(pk=account_id).first()
        if row is None:
            row = cls(account_id=account_id, looked_at=now)
        elif now - row.looked_at < _NOTED_EVERY:
            return row.before
        elif now - row.looked_at >= ONE_LOOK:
            row.before = row.looked_at
        row.looked_at = max(now, row.looked_at)
        row._note()
        return row.before

    def _note(self) -> None:
        try:
            with without_waiting(LastLook):
                self.save()
        except DatabaseError:  # locked, or full: the next look notes it
            return

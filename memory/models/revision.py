"""The counters by which every process sees that its cached copy of memory is out of date."""

import time
from typing import Literal

from django.db import connections, models, router
from django.db.models import F

Counter = Literal["facts_changed", "episodes_added", "episodes_changed"]


def _first() -> int:
    """The start of a counter: the time, so that an emptied database does not repeat earlier numbers."""
    return time.time_ns()


class MemoryRevision(models.Model):
    """One row of counters. Each change of memory moves one in its own transaction; reading them is one look-up by key.

    `episodes_added`: a row with a vector was inserted. It is moved before the insert, which locks this row until the
    commit, so that episodes become visible in the order of their ids on PostgreSQL too.
    `episodes_changed`: a row was emptied, deleted, swept or embedded again. Ids and `embedded_again` tell which one: a
    vector never changes without that number.
    """

    facts_changed = models.BigIntegerField(default=_first)
    episodes_added = models.BigIntegerField(default=_first)
    episodes_changed = models.BigIntegerField(default=_first)

    class Meta:
        db_table = "memory_revision"
        constraints = [models.CheckConstraint(condition=models.Q(id=1), name="memory_revision_one_row")]

    def __str__(self) -> str:
        return f"facts {self.facts_changed}, episodes {self.episodes_added} and {self.episodes_changed}"

    @classmethod
    def current(cls) -> "MemoryRevision":
        """The counters as they are now."""
        return cls._default_manager.get_or_create(pk=1)[0]

    @classmethod
    def hold(cls) -> None:
        """Lock this row before the rows that change. Two transactions with different orders could end in a deadlock.

        `memory.models.transactions` has the order. Nothing on SQLite, where a transaction holds the one lock.
        """
        connection = connections[router.db_for_write(cls)]
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1 FROM memory_revision WHERE id = 1 FOR NO KEY UPDATE")

    @classmethod
    def begin_anew(cls, *, using: str) -> None:
        """Start every counter at the time, as in a database whose rows are others now: a leap says so."""
        start = _first()
        cls._default_manager.using(using).update_or_create(
            pk=1, defaults={"facts_changed": start, "episodes_added": start, "episodes_changed": start}
        )

    @classmethod
    def move(cls, counter: Counter) -> None:
        """Count a change of memory. Call it in the transaction of the change."""
        if not cls._default_manager.filter(pk=1).update(**{counter: F(counter) + 1}):
            cls.current()

"""The ids by which the operator is known, and whether a request is theirs.

The setting `CAESAR_OPERATOR__IDS` names the operator. Where it is unset, the first person seen is the operator. Ids
that come in one request belong to one person, so that a client which later sends only one of them is known, too.
"""

import logging
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

from django.db import Error, IntegrityError, models, transaction
from django.db.models import Q

from memory.models.transactions import without_waiting

logger = logging.getLogger(__name__)

IdKind = Literal["mail", "account", "safety", "user", "metadata", "name"]

MOST_IDS = 100
"""Ids kept of one person: a client that sends a new one each time does not fill the table."""

_NOTED_EVERY = timedelta(hours=1)


class PersonId(NamedTuple):
    """One id that a request brought, in normal form; the most reliable kind comes first in a request."""

    kind: IdKind
    value: str


class OperatorIdManager(models.Manager["OperatorId"]):
    """Telling the operator from others."""

    def is_operator(
        self, ids: Sequence[PersonId], *, named: Collection[str], now: datetime, may_note: bool = True
    ) -> bool:
        """Whether the request with these ids is the operator's; one without ids is.

        `named`: the ids of the setting, in normal form. Where there are none, the first person seen is remembered.
        `may_note`: False for a request that is to leave nothing behind.
        """
        if not ids:
            return True
        roots = list(named) or [FirstPerson.claim(ids[0].value, now=now, may_note=may_note)]
        known = list(self.filter(root__in=roots))
        root = _root_of(ids, roots, known)
        if not may_note:
            return root is not None
        if root is not None:
            self._link(ids, root, known, now=now)
        elif not named:
            FirstPerson.note_other(now=now)
        return root is not None

    def _link(self, ids: Sequence[PersonId], root: str, known: Sequence["OperatorId"], *, now: datetime) -> None:
        """Keep the ids that came together. Best effort: a turn does not wait for it."""
        there = {(row.kind, row.value) for row in known if row.root == root}
        new = [id_ for id_ in ids if tuple(id_) not in there][: max(MOST_IDS - len(there), 0)]
        if not new:
            return
        rows = [OperatorId(root=root, kind=kind, value=value, seen_at=now) for kind, value in new]
        try:
            with without_waiting(self.model):
                self.bulk_create(rows, ignore_conflicts=True)
        except Error as error:
            logger.warning("The operator's other ids could not be noted: %s", error)


def _root_of(ids: Sequence[PersonId], roots: Collection[str], known: Sequence["OperatorId"]) -> str | None:
    """The id by which the operator is known, where the request is theirs.

    The most reliable id decides of which anything is known: who has another mail address is somebody else, whatever
    the other fields say. Names decide only where there is nothing else, since people choose them.
    """
    root_by_id = {row.value: row.root for row in known if row.kind != "name"} | {root: root for root in roots}
    kinds = {row.kind for row in known} | {"mail" for root in roots if "@" in root}
    for kind, value in ids:
        if kind == "name":
            continue
        if value in root_by_id:
            return root_by_id[value]
        if kind in kinds:
            return None
    if any(kind != "name" for kind, _ in ids) and kinds - {"name"}:
        return None
    by_name = {row.value: row.root for row in known if row.kind == "name"} | {root: root for root in roots}
    return next((by_name[value] for kind, value in ids if kind == "name" and value in by_name), None)


class OperatorId(models.Model):
    """One id that came together with `root`, which is an id of the setting, or the first person's."""

    root = models.CharField(max_length=128)
    kind = models.CharField(max_length=16)
    value = models.CharField(max_length=128)
    seen_at = models.DateTimeField()

    objects = OperatorIdManager()

    class Meta:
        db_table = "operator_ids"
        constraints = [models.UniqueConstraint(fields=["root", "kind", "value"], name="operator_id_once")]

    def __str__(self) -> str:
        return f"an id of the kind {self.kind}"


class FirstPerson(models.Model):
    """At most one row: the first person seen where no setting names the operator, and when another was seen last."""

    root = models.CharField(max_length=128)
    seen_at = models.DateTimeField()
    other_seen_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        db_table = "memory_first_person"
        constraints = [models.CheckConstraint(condition=Q(id=1), name="memory_first_person_one_row")]

    def __str__(self) -> str:
        return f"first seen {self.seen_at:%Y-%m-%d %H:%M:%S}"

    @classmethod
    def claim(cls, root: str, *, now: datetime, may_note: bool = True) -> str:
        """The id of the first person: `root`, unless somebody was there before. Of two at once, one is first."""
        there = cls._default_manager.filter(pk=1).values_list("root", flat=True)
        first = there.first()
        if first is not None or not may_note:
            return first or root
        try:
            with transaction.atomic():
                cls._default_manager.create(pk=1, root=root, seen_at=now)
        except IntegrityError:
            return there.get()
        except Error as error:
            logger.warning("The first person could not be noted: %s", error)
        return root

    @classmethod
    def note_other(cls, *, now: datetime) -> None:
        """Note that somebody else was seen, at most once an hour, and say so in the log."""
        unnoted = Q(other_seen_at__isnull=True) | Q(other_seen_at__lt=now - _NOTED_EVERY)
        try:
            with without_waiting(cls):
                noted = cls._default_manager.filter(unnoted, pk=1).update(other_seen_at=now)
        except Error:
            noted = 1  # the log says it all the same
        if noted:
            logger.warning(
                "More than one person uses the chat clients. Memory is kept to the first one seen, the others are "
                "passed through without it. Set CAESAR_OPERATOR__IDS to the operator's ids to choose."
            )

    @classmethod
    def shared(cls) -> "FirstPerson | None":
        """The row, where another person was seen beside the first."""
        return cls._default_manager.filter(pk=1, other_seen_at__isnull=False).first()

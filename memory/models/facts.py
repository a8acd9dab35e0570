"""Facts: one row a key, and every way one may change. Each change commits together with exactly one audit row."""

from collections.abc import Collection, Iterable
from datetime import date, datetime
from typing import Any, NoReturn

from django.db import models, transaction

from memory import events
from memory.models.audit import AuditRow
from memory.models.learned import keys as fact_keys
from memory.models.learned.conflict import FactConflict
from memory.models.learned.fact import record_change
from memory.models.learned.kept import KeptFact
from memory.models.learned.learning import LearningFacts
from memory.models.learned.ranking import Ranked
from memory.models.revision import MemoryRevision
from memory.text import normalising

OPERATE = "operate_memory"
"""The permission that the dashboard asks for: to see, correct and delete what is remembered, and to give out keys."""


RankedFact = Ranked["PersonalFact"]


class FactManager(LearningFacts["PersonalFact"]):
    """The ways the operator adds facts. How chats change them is in `LearningFacts`, their ranking in `RankedFacts`."""

    def add(self, key: str, value: str, *, now: datetime) -> "PersonalFact":
        """Add a fact in the operator's name: confidence 1.0, audit `user_added`. One that had ended is brought back.

        Raises `text.TextRefused` for a blank or over-long key or value, `FactConflict` where the key is taken.
        """
        key, value = normalising.normal_key(key), normalising.operator_value(value)
        with transaction.atomic():
            MemoryRevision.hold()
            fact, created = self.by_key(key), False
            if fact is None:
                fact, created = self.get_or_create(
                    key=key,
                    defaults={"value": value, "confidence": 1.0, "first_seen_at": now, "last_confirmed_at": now},
                )
            if created:
                fact.end_contraries(record_change(events.FactUserAdded(key=key, value=value), now=now), now=now)
            elif fact.retired_at is not None:
                fact.edit(value, now=now)
            else:
                raise FactConflict(
                    f"{fact.key} is already known as “{fact.value}”. Edit that fact instead.",
                    wanted=value,
                    current=fact,
                )
        return fact

    def restore(
        self, deletion: AuditRow, *, now: datetime, waited: int | None = None, ending: Collection[str] = ()
    ) -> "PersonalFact":
        """Take a deletion back: the fact as it was, audit `user_added` with `restored_from`.

        `waited`: as in `FactUserAdded`. `ending`: the keys of contrary facts that end along with it. A second call
        returns the fact and writes nothing. Raises `FactConflict` where the key has another value by now, or where the
        deletion is so old that it was emptied; `ValueError` where `deletion` is not a deletion.
        """
        if deletion.event_type != events.FactUserDeleted.name:
            raise ValueError(f"Audit row #{deletion.pk} is no deletion of a fact.")
        gone = events.FactUserDeleted.model_validate(deletion.payload)
        as_it_was = self._kept_columns(gone)
        with transaction.atomic():
            MemoryRevision.hold()
            self._refuse_second_spelling(gone, ending)
            source = AuditRow.objects.filter(pk=gone.source_audit_id).first() if gone.source_audit_id else None
            fact, created = self.get_or_create(
                key=gone.key,
                defaults=as_it_was | {"source_audit": source},
            )
            if created:
                fact._keep_again(gone.kept_at, now=now)
                back = events.FactUserAdded(key=gone.key, value=gone.value, restored_from=deletion.pk, waited=waited)
                record_change(back, now=now, chat=source)
            elif fact.value != gone.value:
                raise FactConflict(
                    f"{gone.key} was learned anew as “{fact.value}”. Edit that fact if “{gone.value}” is right.",
                    wanted=gone.value,
                    current=fact,
                )
        return fact

    def _kept_columns(self, gone: events.FactUserDeleted) -> dict[str, Any]:
        """The columns of a deleted fact. Raises `FactConflict` where they are no longer kept."""
        if gone.confidence is None or gone.first_seen_at is None or gone.last_confirmed_at is None:
            raise FactConflict(
                f"{gone.key} cannot be brought back: what it said is no longer kept. Add it again.",
                wanted="",
                current=self.filter(key=gone.key).first(),
            )
        names = ("value", "confidence", "first_seen_at", "last_confirmed_at", "retired_at", "valid_until")
        return {name: getattr(gone, name) for name in names}

    def _refuse_second_spelling(self, gone: events.FactUserDeleted, ending: Collection[str]) -> None:
        """Raises `FactConflict` where a fact of another spelling, or a contrary one, stands in its place."""
        related = self.held(fact_keys.related_keys([normalising.Claim(gone.key, gone.value, 1.0)]))
        for fact in fact_keys.in_place_of(gone.key, related):
            if fact.key in ending:
                continue
            raise FactConflict(
                f"{gone.key} was learned anew as {fact.key}: “{fact.value}”. Edit or delete that fact if "
                f"“{gone.value}” is right.",
                wanted=gone.value,
                current=fact,
            )

    def taken_places(self, keys: Iterable[str]) -> dict[str, list[str]]:
        """{key of a deleted fact: the keys of facts in its place}: another spelling, or a contrary one. One query."""
        related = {key: fact_keys.related_keys([normalising.Claim(key, "", 1.0)]) for key in keys}
        if not related:
            return {}
        found = {fact.key: fact for fact in self.filter(key__in=set().union(*related.values()))}
        return {key: [fact.key for fact in fact_keys.in_place_of(key, found)] for key in related}


class PersonalFact(KeptFact):
    """One thing known about the operator (ADR-0033 §1). It changes through its methods and the manager's alone.

    Its columns, and what chats do to it, are in `LearnedFact`; that the operator confirms and keeps it is in
    `KeptFact`; here is how the operator changes it.
    """

    objects = FactManager()

    class Meta:
        db_table = "personal_facts"
        verbose_name = "fact"
        permissions = [(OPERATE, "May operate memory")]
        indexes = [models.Index(fields=["key"], name="idx_personal_facts_key")]
        constraints = [
            models.CheckConstraint(condition=models.Q(confidence__range=(0.0, 1.0)), name="fact_confidence_0_to_1")
        ]

    def _keep_again(self, kept_at: datetime | None, *, now: datetime) -> None:
        """Have a restored fact kept as it was, if there is room for it."""
        if kept_at is not None and self.has_room(now):
            self.kept_at = kept_at
            self.save(update_fields=["kept_at"])

    def ranked(self, now: datetime) -> "RankedFact":
        """This fact with its importance at `now`. One query."""
        (ranked,) = PersonalFact.objects.with_importance([self], now)
        return ranked

    def edit(
        self, value: str, *, now: datetime, expected: str | None = None, waited: int | None = None
    ) -> AuditRow | None:
        """Correct the value in the operator's name: confidence 1.0, confirmed now, source kept, audit `user_edited`.

        A fact that had ended is brought back by it, and one that is past holds again without a date. Returns None, and
        writes nothing, where the value is already so. `expected` is the value the operator saw (this object's own by
        default), `waited` the row of a claim that waited for review. Raises `text.TextRefused` for a blank or over-long
        value, `FactConflict` where the fact changed or vanished meanwhile.
        """
        value = normalising.operator_value(value)
        expected = self.value if expected is None else expected
        with transaction.atomic():
            MemoryRevision.hold()
            fact = PersonalFact.objects.select_for_update().filter(key=self.key).first()
            if fact is None:
                raise FactConflict(
                    f"{self.key} was deleted meanwhile. Add it again to keep “{value}”.", wanted=value, current=None
                )
            if fact.value == value:
                self.value, self.retired_at = value, None
                return fact._bring_back(now=now, waited=waited)
            if fact.value != expected:
                raise FactConflict(
                    f"{self.key} changed meanwhile to “{fact.value}”. Save again to make it “{value}”.",
                    wanted=value,
                    current=fact,
                )
            row = fact._rewrite(value, now=now, waited=waited)
        self.value, self.confidence, self.last_confirmed_at = value, 1.0, now
        self.retired_at, self.valid_until = None, fact.valid_until
        return row

    def _rewrite(self, value: str, *, now: datetime, waited: int | None) -> AuditRow:
        """Give it this value in the operator's name, audit `user_edited`. Call it with the row locked."""
        edited = events.FactUserEdited(
            key=self.key,
            old_value=self.value,
            new_value=value,
            old_confidence=self.confidence,
            old_confirmed_at=self.last_confirmed_at,
            retired_at=self.retired_at,
            old_valid_until=self.valid_until if self.is_past(now) else None,
            waited=waited,
        )
        self.valid_until = None if self.is_past(now) else self.valid_until
        self.value, self.confidence, self.last_confirmed_at, self.retired_at = value, 1.0, now, None
        self.save(update_fields=["value", "confidence", "last_confirmed_at", "retired_at", "valid_until"])
        row = record_change(edited, now=now)
        self.end_contraries(row, now=now)
        return row

    def _bring_back(self, *, now: datetime, waited: int | None = None, may_end: bool = True) -> AuditRow | None:
        """Take back that it has ended, audit `user_added`; None where it has not. Call it with the row locked."""
        if self.retired_at is None:
            return None
        ended = AuditRow.objects.get_queryset().of_type(events.FactRetired).filter(fact_key=self.key)
        back = events.FactUserAdded(
            key=self.key,
            value=self.value,
            restored_from=ended.order_by("-id").values_list("pk", flat=True).first(),
            retired_at=self.retired_at,
            waited=waited,
        )
        self.retired_at = None
        self.save(update_fields=["retired_at"])
        row = record_change(back, now=now, chat=self.source_audit)
        if may_end:
            self.end_contraries(row, now=now)
        return row

    def bring_back(self, *, now: datetime, waited: int | None = None, may_end: bool = True) -> AuditRow | None:
        """Take back, in the operator's name, that the fact has ended: it is as it was, audit `user_added`.

        What contradicts it ends, if it `may_end`. `waited`: as in `FactUserAdded`. None, and nothing is written, where
        it has not ended. Raises `FactConflict` where the fact vanished meanwhile.
        """
        with transaction.atomic():
            MemoryRevision.hold()
            fact = self.locked()
            row = fact._bring_back(now=now, waited=waited, may_end=may_end)
        self.retired_at = None
        return row

    def set_valid_until(self, day: date | None, *, now: datetime, reverts: int | None = None) -> AuditRow | None:
        """Set the last day on which the fact holds, or take it away; audit `user_dated`. None where it is so already.

        `reverts`: the row that is undone by it. Raises `FactConflict` where the fact vanished meanwhile.
        """
        with transaction.atomic():
            MemoryRevision.hold()
            fact = self.locked()
            self.valid_until = day
            if fact.valid_until == day:
                return None
            dated = events.FactUserDated(
                key=fact.key, value=fact.value, old_valid_until=fact.valid_until, valid_until=day, reverts=reverts
            )
            fact.valid_until = day
            fact.save(update_fields=["valid_until"])
            return record_change(dated, now=now)

    def forget(self, *, now: datetime, reverts: int | None = None) -> AuditRow | None:
        """Delete the fact in the operator's name, audit `user_deleted`: the row `restore` takes back.

        `reverts`: the row that is undone by it. None where it was gone already.
        """
        with transaction.atomic():
            MemoryRevision.hold()
            fact = PersonalFact.objects.select_for_update().filter(key=self.key).first()
            if fact is None:
                return None
            deleted = events.FactUserDeleted(
                key=fact.key,
                value=fact.value,
                confidence=fact.confidence,
                first_seen_at=fact.first_seen_at,
                last_confirmed_at=fact.last_confirmed_at,
                source_audit_id=fact.source_audit_id,
                retired_at=fact.retired_at,
                valid_until=fact.valid_until,
                kept_at=fact.kept_at,
                reverts=reverts,
            )
            models.Model.delete(fact)
            return record_change(deleted, now=now)

    def delete(self, *args: object, **kwargs: object) -> NoReturn:
        raise TypeError("A fact is deleted by forget(), which leaves its audit row.")

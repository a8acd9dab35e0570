"""Facts: one row a key, and every way one may change. Each change commits together with exactly one audit row."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any, NoReturn

from django.db import models, transaction

from memory import events
from memory.models.audit import AuditRow
from memory.models.evidence import Evidence, evidence_of
from memory.models.learned import keys as fact_keys
from memory.models.learned.fact import Learned, LearnedFact, plausible_end, record_change, words_of
from memory.models.learned.ranking import Ranked, RankedFacts
from memory.models.revision import MemoryRevision
from memory.text import normalising

OPERATE = "operate_memory"
"""The permission that the dashboard asks for: to see, correct and delete what is remembered, and to give out keys."""


RankedFact = Ranked["PersonalFact"]


class FactConflict(Exception):
    """An operator's change that met another one. `current` is the fact as it stands, None where it is gone."""

    def __init__(self, message: str, *, wanted: str, current: "PersonalFact | None") -> None:
        super().__init__(message)
        self.wanted = wanted
        self.current = current


class FactManager(RankedFacts["PersonalFact"]):
    """The ways facts change. Their ranking is in `RankedFacts`."""

    def by_key(self, key: str) -> "PersonalFact | None":
        """The fact with this key, as it is spelled, else in its normal form, else in another spelling. One query."""
        return self.by_keys([key]).get(key)

    def by_keys(self, keys: Iterable[str]) -> "dict[str, PersonalFact]":
        """{key as it was asked for: its fact} of those there are, each as `by_key` finds it. One query for any."""
        spellings = {key: normalising.key_spellings(key) for key in keys}
        if not spellings:
            return {}
        found = {fact.key: fact for fact in self.filter(key__in=set().union(*spellings.values()))}
        named = {key: next(filter(found.__contains__, spelled), None) for key, spelled in spellings.items()}
        return {key: found[stored] for key, stored in named.items() if stored is not None}

    def learn(self, claims: Sequence[normalising.Claim], *, chat: AuditRow, now: datetime) -> dict[str, Learned]:
        """Apply what one chat says (decisions 2, 3): {key: what became of it}, one audit row for each change.

        A fact is found under every spelling of its key, and keeps the one it has. The same key twice: the last claim
        counts. Evidence older than the fact, than what contradicts it, or than the operator's last word on its key
        changes nothing and writes nothing. Newer evidence takes out the facts that it contradicts. Claims that are
        older than their chat change nothing that is there where nobody knows when they were said (decision 25). Three
        queries, and two for each change.
        """
        with transaction.atomic():
            MemoryRevision.hold()
            known = self.held(fact_keys.related_keys(claims))
            latest = fact_keys.under_stored_keys(claims, known)
            settled = self.operator_evidence(latest)
            outcome: dict[str, Learned] = {}
            for key, claim in latest.items():
                said = evidence_of(chat, claim.said_after if claim.is_older else chat.said_at)
                contrary = [fact for fact in fact_keys.opposing(key, known) if fact.retired_at is None]
                is_older = key in settled and said.is_older_than(settled[key], now=now)
                if is_older or any(fact.rests_on_newer(said, now=now) for fact in contrary):
                    outcome[key] = "ignored"
                    continue
                outcome[key] = self._apply(claim, known.get(key), said, chat=chat, now=now)
                if outcome[key] != "ignored":
                    for fact in contrary:
                        fact.end(said_at=said.at, words=claim.said, chat=chat, now=now)
        return outcome

    def held(self, keys: Iterable[str]) -> "dict[str, PersonalFact]":
        """{key: fact} of these keys, their rows locked."""
        return {fact.key: fact for fact in self.select_for_update().filter(key__in=list(keys))}

    def _apply(
        self, claim: normalising.Claim, fact: "PersonalFact | None", said: Evidence, *, chat: AuditRow, now: datetime
    ) -> Learned:
        said_at = chat.said_at if said.is_undated else said.at
        claim = replace(claim, valid_until=plausible_end(claim.valid_until, said_at))
        if fact is None:
            fact, created = self.select_for_update().get_or_create(
                key=claim.key,
                defaults={
                    "value": claim.value,
                    "confidence": claim.confidence,
                    "first_seen_at": said_at,
                    "last_confirmed_at": said_at,
                    "source_audit": chat,
                    "valid_until": claim.valid_until,
                },
            )
            if created:
                added = events.FactAdded(
                    key=claim.key,
                    value=claim.value,
                    confidence=claim.confidence,
                    said_at=said_at,
                    valid_until=claim.valid_until,
                    **words_of(claim.said),
                )
                record_change(added, now=now, chat=chat)
                return "added"
        return fact.apply(claim, said, chat=chat, now=now)

    def operator_evidence(self, keys: Iterable[str]) -> dict[str, Evidence]:
        """When the operator last edited, deleted, or took back a deletion of, each of these keys, in any spelling."""
        asked = {spelled: key for key in keys for spelled in reversed(normalising.key_spellings(key))}
        said = AuditRow.objects.get_queryset().of_type(*events.LAST_WORDS)
        return {
            asked[key]: Evidence(ts, place)
            for key, ts, place in said.filter(fact_key__in=list(asked))
            .order_by("id")
            .values_list("fact_key", "ts", "id")
            if key
        }

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
                record_change(events.FactUserAdded(key=key, value=value), now=now)
            elif fact.retired_at is not None:
                fact.edit(value, now=now)
            else:
                raise FactConflict(
                    f"{fact.key} is already known as “{fact.value}”. Edit that fact instead.",
                    wanted=value,
                    current=fact,
                )
            fact.end_contraries(now=now)
        return fact

    def restore(self, deletion: AuditRow, *, now: datetime) -> "PersonalFact":
        """Take a deletion back: the fact as it was, audit `user_added` with `restored_from`.

        A second call returns the fact and writes nothing. Raises `FactConflict` where the key has another value by
        now, or where the deletion is so old that it was emptied; `ValueError` where `deletion` is not a deletion.
        """
        if deletion.event_type != events.FactUserDeleted.name:
            raise ValueError(f"Audit row #{deletion.pk} is no deletion of a fact.")
        gone = events.FactUserDeleted.model_validate(deletion.payload)
        as_it_was = self._kept_columns(gone)
        with transaction.atomic():
            MemoryRevision.hold()
            self._refuse_second_spelling(gone)
            source = AuditRow.objects.filter(pk=gone.source_audit_id).first() if gone.source_audit_id else None
            fact, created = self.get_or_create(
                key=gone.key,
                defaults=as_it_was | {"source_audit": source},
            )
            if created:
                back = events.FactUserAdded(key=gone.key, value=gone.value, restored_from=deletion.pk)
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

    def _refuse_second_spelling(self, gone: events.FactUserDeleted) -> None:
        """Raises `FactConflict` where a fact of another spelling, or a contrary one, stands in its place."""
        related = self.held(fact_keys.related_keys([normalising.Claim(gone.key, gone.value, 1.0)]))
        same = [related[key] for key in normalising.key_spellings(gone.key) if key in related]
        contrary = [fact for fact in fact_keys.opposing(gone.key, related) if fact.retired_at is None]
        for fact in [] if gone.key in related else [*same, *contrary]:
            raise FactConflict(
                f"{gone.key} was learned anew as {fact.key}: “{fact.value}”. Edit or delete that fact if "
                f"“{gone.value}” is right.",
                wanted=gone.value,
                current=fact,
            )


class PersonalFact(LearnedFact):
    """One thing known about the operator (ADR-0033 §1). It changes through its methods and the manager's alone.

    Its columns, and what chats do to it, are in `LearnedFact`; here is what the operator does.
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

    def ranked(self, now: datetime) -> "RankedFact":
        """This fact with its importance at `now`. One query."""
        (ranked,) = PersonalFact.objects.with_importance([self], now)
        return ranked

    def edit(self, value: str, *, now: datetime, expected: str | None = None, waited: int | None = None) -> bool:
        """Correct the value in the operator's name: confidence 1.0, confirmed now, source kept, audit `user_edited`.

        A fact that had ended is brought back by it, and one that is past holds again without a date. Returns False,
        and writes nothing, where the value is already so. `expected` is the value the operator saw (this object's own
        by default), `waited` the row of a claim that waited for review. Raises `text.TextRefused` for a blank or
        over-long value, `FactConflict` where the fact changed or vanished meanwhile.
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
            fact._rewrite(value, now=now, waited=waited)
        self.value, self.confidence, self.last_confirmed_at = value, 1.0, now
        self.retired_at, self.valid_until = None, fact.valid_until
        return True

    def _rewrite(self, value: str, *, now: datetime, waited: int | None) -> None:
        """Give it this value in the operator's name, audit `user_edited`. Call it with the row locked."""
        edited = events.FactUserEdited(
            key=self.key,
            old_value=self.value,
            new_value=value,
            retired_at=self.retired_at,
            old_valid_until=self.valid_until if self.is_past(now) else None,
            waited=waited,
        )
        self.valid_until = None if self.is_past(now) else self.valid_until
        self.value, self.confidence, self.last_confirmed_at, self.retired_at = value, 1.0, now, None
        self.save(update_fields=["value", "confidence", "last_confirmed_at", "retired_at", "valid_until"])
        record_change(edited, now=now)
        self.end_contraries(now=now)

    def _bring_back(self, *, now: datetime, waited: int | None = None) -> bool:
        """Take back that it has ended, audit `user_added`; False where it has not. Call it with the row locked."""
        if self.retired_at is None:
            return False
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
        record_change(back, now=now, chat=self.source_audit)
        self.end_contraries(now=now)
        return True

    def end_contraries(self, *, now: datetime) -> None:
        """End what contradicts this fact, which the operator has just said to be true. Call it in a transaction."""
        said = normalising.Claim(self.key, self.value, 1.0)
        for contrary in fact_keys.opposing(self.key, PersonalFact.objects.held(fact_keys.related_keys([said]))):
            if contrary.retired_at is None:
                contrary.end(said_at=now, now=now)

    def _locked(self) -> "PersonalFact":
        """The row as it is now, locked. Raises `FactConflict` where it vanished meanwhile."""
        fact = PersonalFact.objects.select_for_update().filter(key=self.key).first()
        if fact is None:
            raise FactConflict(f"{self.key} was deleted meanwhile.", wanted=self.value, current=None)
        return fact

    def bring_back(self, *, now: datetime) -> bool:
        """Take back, in the operator's name, that the fact has ended: it is as it was, audit `user_added`.

        False, and nothing is written, where it has not ended. Raises `FactConflict` where the fact vanished meanwhile.
        """
        with transaction.atomic():
            MemoryRevision.hold()
            fact = self._locked()
            changed = fact._bring_back(now=now)
        self.retired_at = None
        return changed

    def set_valid_until(self, day: date | None, *, now: datetime) -> bool:
        """Set the last day on which the fact holds, or take it away; audit `user_dated`. False where it is so already.

        Raises `FactConflict` where the fact vanished meanwhile.
        """
        with transaction.atomic():
            MemoryRevision.hold()
            fact = self._locked()
            changed = fact.valid_until != day
            if changed:
                dated = events.FactUserDated(
                    key=fact.key, value=fact.value, old_valid_until=fact.valid_until, valid_until=day
                )
                fact.valid_until = day
                fact.save(update_fields=["valid_until"])
                record_change(dated, now=now)
        self.valid_until = day
        return changed

    def forget(self, *, now: datetime) -> AuditRow | None:
        """Delete the fact in the operator's name, audit `user_deleted`: the row `restore` takes back.

        None where it was gone already.
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
            )
            models.Model.delete(fact)
            return record_change(deleted, now=now)

    def delete(self, *args: object, **kwargs: object) -> NoReturn:
        raise TypeError("A fact is deleted by forget(), which leaves its audit row.")

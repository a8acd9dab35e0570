"""What the operator says of a fact without changing its value: that it is still true, and that it is to be kept."""

from datetime import datetime, timedelta
from typing import Self

from django.conf import settings
from django.db import transaction

from memory import events
from memory.models.audit import AuditRow
from memory.models.learned import keys as fact_keys
from memory.models.learned.conflict import FactConflict, TooManyKept
from memory.models.learned.fact import LearnedFact, record_change
from memory.models.learned.prompt_caps import fitting_kept, most_facts
from memory.models.revision import MemoryRevision
from memory.text import normalising

_AT_ONCE = timedelta(seconds=2)


class KeptFact(LearnedFact):
    """A fact that the operator may confirm and keep (decision 28)."""

    class Meta:
        abstract = True

    def confirm(self, *, now: datetime) -> AuditRow:
        """Say in the operator's name that the fact is still true: it rests on evidence of now. Audit `user_confirmed`.

        Value, confidence and edits stay. One that had ended is brought back, and one that is past holds again without
        a date, since that is what the word says. Two clicks at once are one word: the second gets the row of the first.
        Raises `FactConflict` where the fact vanished meanwhile.
        """
        with transaction.atomic():
            MemoryRevision.hold()
            fact = self.locked()
            if (same := fact._confirmed_just_now(now)) is not None:
                return same
            is_past = fact.is_past(now)
            confirmed = events.FactUserConfirmed(
                key=fact.key,
                value=fact.value,
                old_confirmed_at=fact.last_confirmed_at,
                retired_at=fact.retired_at,
                old_valid_until=fact.valid_until if is_past else None,
            )
            fact.last_confirmed_at, fact.retired_at = now, None
            fact.valid_until = None if is_past else fact.valid_until
            fact.save(update_fields=["last_confirmed_at", "retired_at", "valid_until"])
            row = record_change(confirmed, now=now)
            fact.end_contraries(row, now=now)
        self.last_confirmed_at, self.retired_at, self.valid_until = now, None, fact.valid_until
        return row

    def _confirmed_just_now(self, now: datetime) -> AuditRow | None:
        """The row of the same word, said a moment ago, where the fact still stands as that left it."""
        if abs(now - self.last_confirmed_at) > _AT_ONCE or self.retired_at is not None or self.is_past(now):
            return None
        rows = AuditRow.objects.get_queryset().of_type(events.FactUserConfirmed).filter(fact_key=self.key)
        latest = rows.order_by("-id").first()
        is_same = latest is not None and latest.ts == self.last_confirmed_at and not latest.payload.get("reverts")
        return latest if is_same else None

    def keep(self, *, now: datetime, reverts: int | None = None, since: datetime | None = None) -> AuditRow | None:
        """Keep the fact: it comes first in prompts. Audit `user_kept`; None, and nothing is written, where it is kept.

        `reverts`: the row that is undone by it, `since`: since when it was kept then. Raises `TooManyKept` where half
        of a prompt is kept already, `FactConflict` where the fact vanished meanwhile.
        """
        with transaction.atomic():
            MemoryRevision.hold()
            fact = self.locked()
            self.kept_at = fact.kept_at or since or now
            if fact.kept_at is not None:
                return None
            if not fact.has_room(now):
                self.kept_at = None
                raise TooManyKept(_no_room(fact))
            fact.kept_at = self.kept_at
            fact.save(update_fields=["kept_at"])
            return record_change(events.FactUserKept(key=fact.key, value=fact.value, reverts=reverts), now=now)

    def unkeep(self, *, now: datetime, reverts: int | None = None) -> AuditRow | None:
        """Keep the fact no longer: it goes by its importance again. Audit `user_unkept`; None where it is not kept.

        `reverts`: the row that is undone by it. Raises `FactConflict` where the fact vanished meanwhile.
        """
        with transaction.atomic():
            MemoryRevision.hold()
            fact = self.locked()
            kept_at, self.kept_at = fact.kept_at, None
            if kept_at is None:
                return None
            fact.kept_at = None
            fact.save(update_fields=["kept_at"])
            unkept = events.FactUserUnkept(key=fact.key, value=fact.value, kept_at=kept_at, reverts=reverts)
            return record_change(unkept, now=now)

    def has_room(self, now: datetime) -> bool:
        """Whether this fact fits into a prompt beside those that are kept: into half of both caps. One query."""
        kept = type(self)._default_manager.filter(kept_at__isnull=False, retired_at=None).exclude(key=self.key)
        sentences = [fact.sentence for fact in kept if not fact.is_past(now)]
        return fitting_kept([*sentences, self.sentence], settings.CAESAR.memory.facts) == len(sentences) + 1

    def end_contraries(self, word: AuditRow | None, *, now: datetime) -> None:
        """End what contradicts this fact, which the operator has just said (`word`), unless it is past.

        Call it in a transaction.
        """
        if self.is_past(now):
            return
        said = normalising.Claim(self.key, self.value, 1.0)
        rows = type(self)._default_manager.select_for_update().filter(key__in=fact_keys.related_keys([said]))
        for contrary in fact_keys.opposing(self.key, {fact.key: fact for fact in rows}):
            if contrary.retired_at is None:
                contrary.end(said_at=now, along_with=None if word is None else word.pk, now=now)

    def locked(self) -> Self:
        """The row as it is now, locked. Raises `FactConflict` where it vanished meanwhile. Call it in a transaction."""
        fact = type(self)._default_manager.select_for_update().filter(key=self.key).first()
        if fact is None:
            raise FactConflict(f"{self.key} was deleted meanwhile.", wanted=self.value, current=None)
        return fact


def _no_room(fact: KeptFact) -> str:
    caps = settings.CAESAR.memory.facts
    if caps.max_injected < 2 or not fitting_kept([fact.sentence], caps):
        return (
            f"{fact.key} cannot be kept: it does not fit into half of a prompt's facts. "
            "Raise CAESAR_MEMORY__FACTS__MAX_INJECTED or CAESAR_MEMORY__FACTS__MAX_CHARS."
        )
    half = f"{most_facts(caps) // 2:,} facts or {caps.max_chars // 2:,} characters"
    return (
        f"{fact.key} cannot be kept, too: the facts you keep may take half of a prompt, {half}, and have it. "
        "Keep another one no longer, or raise CAESAR_MEMORY__FACTS__MAX_INJECTED or CAESAR_MEMORY__FACTS__MAX_CHARS."
    )

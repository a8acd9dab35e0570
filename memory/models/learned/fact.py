"""A fact's columns, and how it is confirmed or replaced by what chats say (decisions 2, 3)."""

from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Literal, TypedDict

from django.conf import settings
from django.db import models

from caesar.conf import FactsImportanceSettings
from memory import events, ranking
from memory.models.audit import AuditRow
from memory.models.evidence import Evidence, last_place
from memory.models.revision import MemoryRevision
from memory.text import normalising, wording
from memory.text.dates import is_plausible_end
from memory.text.quotes import Quoted

Learned = Literal["added", "updated", "confirmed", "ignored"]


class LearnedFact(models.Model):
    """A fact as chats make it: its columns (ADR-0033 §1), its rank, and what a later chat does to it.

    `retired_at`: when the operator said that it is no longer true. `valid_until`: the last day on which it holds.
    `kept_at`: since when the operator keeps it, first in prompts.
    """

    key = models.TextField(unique=True)
    value = models.TextField()
    confidence = models.FloatField(default=1.0)
    first_seen_at = models.DateTimeField()
    last_confirmed_at = models.DateTimeField()
    source_audit = models.ForeignKey(
        AuditRow, null=True, blank=True, on_delete=models.SET_NULL, related_name="facts_told_here"
    )
    retired_at = models.DateTimeField(null=True, blank=True)
    valid_until = models.DateField(null=True, blank=True)
    kept_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.key

    @property
    def sentence(self) -> str:
        """The fact as a prompt says it."""
        return wording.sentence(self.key, self.value)

    @property
    def is_kept(self) -> bool:
        """Whether the operator keeps it."""
        return self.kept_at is not None

    def is_past(self, now: datetime) -> bool:
        """Whether its last day is over, in the operator's zone."""
        return self.valid_until is not None and self.valid_until < settings.CAESAR.day_of(now)

    def importance(
        self, now: datetime, edit_count: int, *, scale: FactsImportanceSettings | None = None
    ) -> ranking.Importance:
        """How much this fact counts at `now`, with its parts (ADR-0034 §4). `scale`: other settings than those set."""
        scale = scale or settings.CAESAR.memory.facts_importance
        return ranking.fact_importance(
            age_days=(now - self.last_confirmed_at) / timedelta(days=1),
            confidence=self.confidence,
            edit_count=edit_count,
            halflife_days=scale.halflife_days,
            edit_weight_scale=scale.edit_weight_scale,
        )

    def apply(self, claim: normalising.Claim, said: Evidence, *, chat: AuditRow, now: datetime) -> Learned:
        """Confirm or replace this fact by what a chat says. Call it in a transaction that holds this row.

        Evidence older than `last_confirmed_at` (never taken as later than now) changes nothing (decision 2).
        """
        if self.rests_on_newer(said, now=now):
            return "ignored"
        if normalising.same_value(self.value, claim.value):
            return self._confirm(claim, chat=chat, said_at=said.at, now=now)
        return self._update(claim, chat=chat, said_at=said.at, now=now)

    def rests_on_newer(self, said: Evidence, *, now: datetime) -> bool:
        """Whether `said` is older than what this fact rests on: its last confirmation, or the word that it ended.

        Its place in the log is looked up only where the times leave it in doubt.
        """
        mine = Evidence(max(self.last_confirmed_at, self.retired_at or self.last_confirmed_at), None)
        mine = replace(mine, place=last_place(self.key)) if said.is_in_doubt(mine, now=now) else mine
        return said.is_older_than(mine, now=now)

    def _confirm(self, claim: normalising.Claim, *, chat: AuditRow, said_at: datetime, now: datetime) -> Learned:
        was_retired = self._still_holds(claim, said_at)
        self.confidence = max(self.confidence, claim.confidence)
        self.last_confirmed_at = said_at
        self.save(update_fields=["confidence", "last_confirmed_at", "retired_at", "valid_until"])
        confirmed = events.FactConfirmed(
            key=self.key,
            value=self.value,
            confidence=self.confidence,
            said_at=said_at,
            was_retired=was_retired,
            valid_until=self.valid_until,
            **words_of(claim.said),
        )
        record_change(confirmed, now=now, chat=chat)
        return "confirmed"

    def _still_holds(self, claim: normalising.Claim, said_at: datetime) -> bool:
        """Take back that the fact has ended or is past, since it was said again; whether it had ended."""
        was_retired, self.retired_at = self.retired_at is not None, None
        self.valid_until = claim.valid_until or (None if self.is_past(said_at) else self.valid_until)
        return was_retired

    def _update(self, claim: normalising.Claim, *, chat: AuditRow, said_at: datetime, now: datetime) -> Learned:
        updated = events.FactUpdated(
            key=self.key,
            old_value=self.value,
            new_value=claim.value,
            old_confidence=self.confidence,
            confidence=claim.confidence,
            said_at=said_at,
            was_retired=self.retired_at is not None,
            valid_until=claim.valid_until,
            **words_of(claim.said),
        )
        self.value, self.confidence, self.valid_until = claim.value, claim.confidence, claim.valid_until
        self.last_confirmed_at, self.source_audit, self.retired_at = said_at, chat, None
        self.save(
            update_fields=["value", "confidence", "last_confirmed_at", "source_audit", "retired_at", "valid_until"]
        )
        record_change(updated, now=now, chat=chat)
        return "updated"

    def end(
        self,
        *,
        said_at: datetime,
        now: datetime,
        words: Quoted | None = None,
        chat: AuditRow | None = None,
        asked: bool = False,
        along_with: int | None = None,
    ) -> None:
        """End the fact: it is kept, and put into no prompt; audit `retired`. Call it as `apply`.

        `words`: where the operator said so. `asked`: they told the assistant to forget it. `along_with`: the row of
        what they said of the contrary fact.
        """
        self.retired_at = said_at
        self.save(update_fields=["retired_at"])
        retired = events.FactRetired(
            key=self.key,
            value=self.value,
            confidence=self.confidence,
            said_at=said_at,
            asked=asked,
            along_with=along_with,
            **words_of(words),
        )
        record_change(retired, now=now, chat=chat)


def record_change(event: events.Event, *, now: datetime, chat: AuditRow | None = None) -> AuditRow:
    """Write the one audit row of a change to a fact, and move the revision, by which every process sees the change."""
    MemoryRevision.move("facts_changed")
    return AuditRow.objects.record(event, now=now, chat=chat)


class Words(TypedDict, total=False):
    """Where something was said, as events hold it."""

    quote: str
    message: int
    start: int
    end: int


def words_of(said: Quoted | None) -> Words:
    """The fields of an event for words that were found; none without them, or where they hold a secret."""
    if said is None or normalising.is_secret(said.text):
        return Words()
    return Words(quote=said.text, message=said.message, start=said.start, end=said.end)


def plausible_end(day: date | None, said_at: datetime) -> date | None:
    """The last day of something said then; None where there is none, or where it makes no sense."""
    return day if day is not None and is_plausible_end(day, said_on=settings.CAESAR.day_of(said_at)) else None

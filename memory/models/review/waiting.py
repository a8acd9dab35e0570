"""Claims that wait for the operator's review, since their quote was not said (decision 27). None is in a prompt."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Final, Literal, NamedTuple, NoReturn

from django.db import models, transaction

from memory import events
from memory.models.audit import AuditRow
from memory.models.evidence import Evidence, evidence_of
from memory.models.facts import PersonalFact
from memory.models.learned.conflict import FactConflict
from memory.models.learned.fact import plausible_end, record_change
from memory.models.revision import MemoryRevision
from memory.text import normalising, wording


class NotWaiting(Exception):
    """A claim that waits no longer: it was accepted or dropped meanwhile. The message says so."""


MOST_SUGGESTED: Final = 200
"""How many claims may wait before a client's model can add no more: nobody reviews a longer list."""
_SUGGESTED_CONFIDENCE: Final = 0.5

SuggestionState = Literal["waiting", "waits_already", "known", "declined", "full"]
"""What became of it: it waits; it did before; the fact says so already; the operator dropped it; too many wait."""


class Suggestion(NamedTuple):
    """What became of what a client's model asked to have remembered, and the claim that waits, if one does."""

    state: SuggestionState
    claim: "WaitingFact | None" = None


class WaitingFactManager(models.Manager["WaitingFact"]):
    """How claims begin and end to wait."""

    def open(self) -> models.QuerySet["WaitingFact"]:
        """The claims that wait, oldest first."""
        return self.filter(dropped_at=None).order_by("id")

    def claim(self, pk: int) -> "WaitingFact":
        """The claim that waits with this id. Raises `NotWaiting`."""
        claim = self.open().filter(pk=pk).first()
        if claim is None:
            raise NotWaiting(f"No claim {pk} waits: it was accepted or dropped.")
        return claim

    def wait(self, claims: Sequence[normalising.Claim], *, chat: AuditRow, now: datetime) -> int:
        """Keep these claims for review: how many wait anew, one audit row each.

        Nothing comes of a claim that waits already, that the fact says already, or whose evidence is older than the
        fact, than the operator's last word on its key (decision 2), or than their dropping it.
        """
        if not claims:
            return 0
        said = evidence_of(chat, chat.said_at)
        keys = [claim.key for claim in claims]
        with transaction.atomic():
            MemoryRevision.hold()
            facts = PersonalFact.objects.by_keys(keys)
            settled = PersonalFact.objects.operator_evidence(keys)
            return sum(
                self._wait(claim, said, chat=chat, now=now)
                for claim in {claim.hash: claim for claim in claims}.values()
                if not _is_settled(claim, facts.get(claim.key), settled.get(claim.key), said, now)
            )

    def suggest(self, key: str, value: str, *, now: datetime) -> Suggestion:
        """Have what a client's model says of the operator wait for their review; audit `waiting` where it does.

        No words of the operator's stand behind it, so what they dropped once does not come back. Raises
        `text.TextRefused` for a blank or over-long key or value, and for a secret.
        """
        claim = normalising.Claim(normalising.normal_key(key), normalising.operator_value(value), _SUGGESTED_CONFIDENCE)
        if normalising.is_secret(claim.value, key=claim.key):
            raise normalising.TextRefused("The value looks like a secret. Secrets are not remembered: leave it out.")
        with transaction.atomic():
            MemoryRevision.hold()
            fact = PersonalFact.objects.by_key(claim.key)
            if fact and fact.retired_at is None and normalising.same_value(fact.value, claim.value):
                return Suggestion("known")
            known = self.select_for_update().filter(claim_hash=claim.hash).first()
            if known is not None:
                return Suggestion("declined") if known.dropped_at else Suggestion("waits_already", known)
            if self.open().count() >= MOST_SUGGESTED:
                return Suggestion("full")
            row = self.model(claim_hash=claim.hash, key=claim.key)
            row.begin(claim, said_at=now, valid_until=None, source=None, now=now)
        return Suggestion("waiting", row)

    def _wait(self, claim: normalising.Claim, said: Evidence, *, chat: AuditRow, now: datetime) -> bool:
        known = self.select_for_update().filter(claim_hash=claim.hash).first()
        if known and (known.dropped_at is None or said.is_older_than(Evidence(known.dropped_at, None), now=now)):
            return False
        row = known or self.model(claim_hash=claim.hash, key=claim.key)
        row.begin(claim, said_at=said.at, valid_until=plausible_end(claim.valid_until, said.at), source=chat, now=now)
        return True

    def settle(self, claims: Sequence[normalising.Claim]) -> None:
        """Have these claims wait no longer: they were learned after all, and the row of that says so."""
        if claims:
            self.filter(claim_hash__in=[claim.hash for claim in claims], dropped_at=None).delete()

    def restore(self, drop: AuditRow, *, now: datetime) -> "WaitingFact":
        """Take back that a claim was dropped: it waits as before, audit `waiting` with `restored_from`.

        A second call returns the claim and writes nothing. Raises `ValueError` where `drop` is no such row.
        """
        if drop.event_type != events.FactUserDropped.name:
            raise ValueError(f"Audit row #{drop.pk} is not of a claim that was dropped.")
        gone = events.FactUserDropped.model_validate(drop.payload)
        hash_ = normalising.claim_hash(gone.key, gone.value)
        with transaction.atomic():
            MemoryRevision.hold()
            row = self.select_for_update().filter(claim_hash=hash_).first() or self.model(claim_hash=hash_)
            if row.pk and row.dropped_at is None:
                return row
            row.key = gone.key
            row.begin(
                gone,
                said_at=gone.said_at,
                valid_until=gone.valid_until,
                source=AuditRow.objects.filter(pk=gone.source_audit_id or 0).first(),
                now=now,
                restored_from=drop.pk,
            )
        return row

    def accepted_again(self, waited: int) -> None:
        """Have a claim that waits as before, since that it was accepted was undone, wait no longer."""
        began = _began(waited)
        if began is not None:
            said = events.FactWaiting.model_validate(began.payload)
            self.filter(claim_hash=normalising.claim_hash(said.key, said.value), dropped_at=None).delete()

    def wait_again(self, waited: int, *, now: datetime) -> None:
        """Have a claim that was accepted wait as before. `waited`: the row with which it began to; nothing without."""
        began = _began(waited)
        if began is None:
            return
        said = events.FactWaiting.model_validate(began.payload)
        hash_ = normalising.claim_hash(said.key, said.value)
        claim = self.select_for_update().filter(claim_hash=hash_).first() or self.model(claim_hash=hash_)
        if claim.pk and claim.dropped_at is None:
            return
        claim.key = said.key
        claim.begin(said, said_at=said.said_at, valid_until=said.valid_until, source=began.chat, now=now)


def _began(waited: int) -> AuditRow | None:
    return AuditRow.objects.get_queryset().of_type(events.FactWaiting).filter(pk=waited).first()


def _is_settled(
    claim: normalising.Claim, fact: PersonalFact | None, word: Evidence | None, said: Evidence, now: datetime
) -> bool:
    """Whether there is nothing to review: the fact says so already, or rests on newer evidence."""
    if word is not None and said.is_older_than(word, now=now):
        return True
    if fact is None:
        return False
    says_so = fact.retired_at is None and normalising.same_value(fact.value, claim.value)
    return says_so or fact.rests_on_newer(said, now=now)


class WaitingFact(models.Model):
    """One claim that waits, or that the operator dropped (`dropped_at`): then its words are gone, and its hash stays.

    `row`: the audit row with which it began to wait.
    """

    claim_hash = models.CharField(max_length=64, unique=True)
    key = models.TextField()
    value = models.TextField(blank=True)
    confidence = models.FloatField(default=1.0)
    quote = models.TextField(blank=True)
    said_at = models.DateTimeField()
    created_at = models.DateTimeField()
    valid_until = models.DateField(null=True, blank=True)
    source_audit = models.ForeignKey(AuditRow, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    row = models.ForeignKey(AuditRow, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    dropped_at = models.DateTimeField(null=True, blank=True)

    objects = WaitingFactManager()

    class Meta:
        db_table = "waiting_facts"
        verbose_name = "waiting fact"
        indexes = [
            models.Index(fields=["id"], name="idx_waiting_facts_open", condition=models.Q(dropped_at__isnull=True))
        ]

    def __str__(self) -> str:
        return self.key

    @property
    def sentence(self) -> str:
        """The claim as a prompt would say it."""
        return wording.sentence(self.key, self.value)

    @property
    def suggested_by(self) -> str | None:
        """The label of the client whose model asked to have it remembered; None where it was read from a chat.

        A query, unless its `row` was selected with it.
        """
        return self.row.client if self.row and self.row.actor and self.row.chat_id is None else None

    def begin(
        self,
        what: normalising.Claim | events.FactUserDropped | events.FactWaiting,
        *,
        said_at: datetime,
        valid_until: date | None,
        source: AuditRow | None,
        now: datetime,
        restored_from: int | None = None,
    ) -> None:
        """Have it wait, from now on, with these words, and save it with its audit row. Call it in a transaction."""
        self.value, self.confidence, self.quote = what.value, what.confidence, what.quote
        self.said_at, self.valid_until, self.source_audit = said_at, valid_until, source
        self.created_at, self.dropped_at = now, None
        waiting = events.FactWaiting(
            key=self.key,
            value=self.value,
            confidence=self.confidence,
            quote=self.quote,
            said_at=self.said_at,
            valid_until=self.valid_until,
            restored_from=restored_from,
        )
        self.row = AuditRow.objects.record(waiting, now=now, chat=self.source_audit)
        self.save()

    def accept(self, *, now: datetime, value: str | None = None, expected: str | None = None) -> PersonalFact:
        """Make it a fact in the operator's name, as it is or with another `value`: `user_added` or `user_edited`.

        `expected`: the value of the fact that the operator saw beside it, "" for none; None: whatever it is. Nothing
        but the claim changes where the fact says so already. Raises `text.TextRefused`, `NotWaiting`, and
        `FactConflict` where the fact changed meanwhile.
        """
        wanted = normalising.operator_value(self.value if value is None else value)
        with transaction.atomic():
            MemoryRevision.hold()
            claim = self._locked()
            fact = PersonalFact.objects.by_key(claim.key)
            current = fact.value if fact and fact.retired_at is None else ""
            if expected is not None and current not in (expected, wanted):
                happened = f"changed meanwhile to “{current}”" if current else "was deleted or ended meanwhile"
                raise FactConflict(
                    f"{claim.key} {happened}. Accept again to make it “{wanted}”.", wanted=wanted, current=fact
                )
            if fact is None:
                fact = claim._added(wanted, now=now)
            else:
                fact.edit(wanted, now=now, waited=claim.row_id)
            models.Model.delete(claim)
        return fact

    def _added(self, value: str, *, now: datetime) -> PersonalFact:
        """A new fact of this claim, sure and confirmed now, with the claim's chat as its source."""
        is_as_claimed = normalising.same_value(value, self.value)
        fact = PersonalFact.objects.create(
            key=self.key,
            value=value,
            confidence=1.0,
            first_seen_at=now,
            last_confirmed_at=now,
            source_audit=self.source_audit,
            valid_until=self.valid_until if is_as_claimed else None,
        )
        added = events.FactUserAdded(key=self.key, value=value, waited=self.row_id)
        fact.end_contraries(record_change(added, now=now, chat=self.source_audit), now=now)
        return fact

    def drop(self, *, now: datetime, reverts: int | None = None) -> AuditRow:
        """Have it wait no longer, in the operator's name, audit `user_dropped`: the row that `restore` takes back.

        Only newer evidence makes the same claim wait again. `reverts`: the row that is undone by it. Raises
        `NotWaiting` where it waits no longer.
        """
        with transaction.atomic():
            MemoryRevision.hold()
            claim = self._locked()
            dropped = events.FactUserDropped(
                key=claim.key,
                value=claim.value,
                confidence=claim.confidence,
                quote=claim.quote,
                said_at=claim.said_at,
                valid_until=claim.valid_until,
                source_audit_id=claim.source_audit_id,
                reverts=reverts,
            )
            claim.value, claim.quote, claim.dropped_at = "", "", now
            claim.source_audit = claim.row = None
            claim.save()
            return AuditRow.objects.record(dropped, now=now)

    def _locked(self) -> "WaitingFact":
        claim = WaitingFact.objects.open().select_for_update().filter(pk=self.pk).first()
        if claim is None:
            raise NotWaiting(f"“{self.value}” for {self.key} waits no longer: it was accepted or dropped meanwhile.")
        return claim

    def delete(self, *args: object, **kwargs: object) -> NoReturn:
        raise TypeError("A waiting claim is ended by accept() or drop(), which leave their audit row.")

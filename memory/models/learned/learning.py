"""How facts are found by their key, and what chats do to them (decisions 2, 3)."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TypeVar

from django.db import transaction

from memory import events
from memory.models.audit import AuditRow
from memory.models.evidence import Evidence, evidence_of
from memory.models.learned import keys as fact_keys
from memory.models.learned.fact import Learned, LearnedFact, plausible_end, record_change, words_of
from memory.models.learned.ranking import RankedFacts
from memory.models.revision import MemoryRevision
from memory.text import normalising

Fact = TypeVar("Fact", bound=LearnedFact)


class LearningFacts(RankedFacts[Fact]):
    """Facts by key, and the ways chats change them."""

    def by_key(self, key: str) -> Fact | None:
        """The fact with this key, as it is spelled, else in its normal form, else in another spelling. One query."""
        return self.by_keys([key]).get(key)

    def by_keys(self, keys: Iterable[str]) -> dict[str, Fact]:
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
        counts. Evidence older than the fact, than what contradicts it, or than the operator's last word on either
        changes nothing and writes nothing. Newer evidence takes out the facts that it contradicts. Claims that are
        older than their chat change nothing that is there where nobody knows when they were said (decision 25). Three
        queries, and two for each change.
        """
        with transaction.atomic():
            MemoryRevision.hold()
            known = self.held(fact_keys.related_keys(claims))
            latest = fact_keys.under_stored_keys(claims, known)
            against = [fact.key for key in latest for fact in fact_keys.opposing(key, known)]
            settled = self.operator_evidence([*latest, *against])
            outcome: dict[str, Learned] = {}
            for key, claim in latest.items():
                said = evidence_of(chat, claim.said_after if claim.is_older else chat.said_at)
                contrary = [fact for fact in fact_keys.opposing(key, known) if fact.retired_at is None]
                words = [settled[one] for one in (key, *(fact.key for fact in contrary)) if one in settled]
                is_older = any(said.is_older_than(word, now=now) for word in words)
                if is_older or any(fact.rests_on_newer(said, now=now) for fact in contrary):
                    outcome[key] = "ignored"
                    continue
                outcome[key] = self._apply(claim, known.get(key), said, chat=chat, now=now)
                if outcome[key] != "ignored":
                    for fact in contrary:
                        fact.end(said_at=said.at, words=claim.said, chat=chat, now=now)
        return outcome

    def held(self, keys: Iterable[str]) -> dict[str, Fact]:
        """{key: fact} of these keys, their rows locked."""
        return {fact.key: fact for fact in self.select_for_update().filter(key__in=list(keys))}

    def _apply(
        self, claim: normalising.Claim, fact: Fact | None, said: Evidence, *, chat: AuditRow, now: datetime
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
        asked: dict[str, set[str]] = defaultdict(set)
        for key in keys:
            for spelled in normalising.key_spellings(key):
                asked[spelled].add(key)
        said = AuditRow.objects.get_queryset().of_type(*events.LAST_WORDS)
        return {
            key: Evidence(ts, place)
            for spelled, ts, place in said.filter(fact_key__in=list(asked))
            .order_by("id")
            .values_list("fact_key", "ts", "id")
            for key in asked[spelled or ""]
        }

"""Facts that end, because the operator said so: they are kept, and put into no prompt (decision 28)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from memory.models.audit import AuditRow
from memory.models.evidence import Evidence, evidence_in
from memory.models.facts import PersonalFact
from memory.models.revision import MemoryRevision
from memory.text.quotes import Quoted, same_letters

MOST_AT_ONCE = 3
"""How many facts one chat may end. An answer that ends more is not believed at all."""

_PLACES = frozenset(["address", "city", "town", "home", "location", "residence", "country"])


@dataclass(frozen=True)
class Ending:
    """One entry of an extractor's answer that says a known key has ended.

    `value`: what ended, where the entry names it. `said`: the operator's words; None where it has none, or where its
    key was not offered: such an ending is refused. `asked`: the operator told the assistant to forget it.
    """

    key: str
    value: str
    said: Quoted | None
    asked: bool = False

    def is_about(self, fact: PersonalFact) -> bool:
        """Whether the fact says what ended: any value where the entry names none. Of places, the first part will do."""
        if not self.value or same_letters(self.value, fact.value):
            return True
        is_place = not _PLACES.isdisjoint(fact.key.split("."))
        return is_place and same_letters(self.value.split(",")[0], fact.value.split(",")[0])


def retire(endings: Sequence[Ending], *, chat: AuditRow, now: datetime) -> Counter[str]:
    """End the facts that a chat says are no longer true: {"retired", "ignored", "refused": how many}.

    One audit row for each. All are refused where there are more than `MOST_AT_ONCE`; one with another value than the
    fact's does not count among them. Evidence older than the fact, or than the operator's last word on its key, ends
    nothing (decision 2).
    """
    named = {ending.key: ending for ending in endings}
    counts: Counter[str] = Counter()
    if not named:
        return counts
    with transaction.atomic():
        MemoryRevision.hold()
        facts = PersonalFact.objects.held(named)
        meant = [ending for ending in endings if ending.key not in facts or ending.is_about(facts[ending.key])]
        counts["refused"] += len(endings) - len(meant)
        if len({ending.key for ending in meant}) > MOST_AT_ONCE:
            counts["refused"] += len(meant)
            return counts
        settled = PersonalFact.objects.operator_evidence(named)
        for ending in {one.key: one for one in meant}.values():
            counts[_end(ending, facts.get(ending.key), settled.get(ending.key), chat=chat, now=now)] += 1
    return counts


def _end(
    ending: Ending,
    fact: PersonalFact | None,
    settled: Evidence | None,
    *,
    chat: AuditRow,
    now: datetime,
) -> str:
    if ending.said is None:
        return "refused"
    said = evidence_in(chat, ending.said.message)
    if fact is None or fact.retired_at is not None or fact.rests_on_newer(said, now=now):
        return "ignored"
    if settled is not None and said.is_older_than(settled, now=now):
        return "ignored"
    fact.end(said_at=said.at, words=ending.said, asked=ending.asked, chat=chat, now=now)
    return "retired"

"""What stands beside the table of facts: claims that wait for review, and facts that are no longer true."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dashboard.facts.forms import AcceptForm
from memory.models import PersonalFact, WaitingFact

SHOWN = 100


@dataclass(frozen=True)
class WaitingClaim:
    """A claim that waits, and the fact it would change. `form`: with the value to accept, and why it was refused."""

    claim: WaitingFact
    fact: PersonalFact | None
    form: AcceptForm

    @property
    def current(self) -> str:
        """What is believed now, "" for nothing."""
        return self.fact.value if self.fact and self.fact.retired_at is None else ""


@dataclass(frozen=True)
class WaitingClaims:
    """The claims that wait, oldest first: those shown, and how many there are."""

    shown: Sequence[WaitingClaim]
    count: int


@dataclass(frozen=True)
class EndedFacts:
    """The facts that are no longer true, those that ended last first: those shown, and how many were found."""

    shown: Sequence[PersonalFact]
    count: int


def read_waiting(*, refused: int | None = None, form: AcceptForm | None = None) -> WaitingClaims:
    """The claims that wait. `refused`: the id of one whose form comes back with errors. One query; two with claims."""
    claims = list(WaitingFact.objects.open().select_related("row")[: SHOWN + 1])
    facts = PersonalFact.objects.by_keys(claim.key for claim in claims)
    shown = [
        WaitingClaim(
            claim,
            facts.get(claim.key),
            form if form and claim.pk == refused else AcceptForm(initial={"value": claim.value}),
        )
        for claim in claims[:SHOWN]
    ]
    return WaitingClaims(shown, len(claims) if len(claims) <= SHOWN else WaitingFact.objects.open().count())


def read_ended(is_found: Callable[[PersonalFact], bool]) -> EndedFacts:
    """The facts that are no longer true, as far as the search finds them. One query."""
    found = [fact for fact in PersonalFact.objects.retired() if is_found(fact)]
    return EndedFacts(found[:SHOWN], len(found))

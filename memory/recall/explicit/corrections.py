"""What was said in a chat and has been put right, ended or deleted since: found all the same, with the correction."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from memory.models import PersonalFact
from memory.recall.outdated import Outdated, outdated
from memory.text.lines import shorten

_MAX_VALUE_CHARS = 80
DELETED = "What was said here was deleted from memory."


@dataclass(frozen=True)
class Corrections:
    """The values that are gone, and what holds in their place.

    A value that was put right, or has ended, is told with its correction; one that was deleted is not told at all.
    """

    gone: Outdated
    facts: Mapping[str, PersonalFact] = field(default_factory=dict)

    def told(self, text: str, *, said_at: datetime) -> str:
        """A text of that time without what was deleted, and with what holds now behind it."""
        said = self._deleted.without(text, said_at=said_at)
        notes = list(dict.fromkeys(self._notes(said, said_at)))
        return " ".join([said or DELETED, *(f"[{note}]" for note in notes)])

    @cached_property
    def _deleted(self) -> Outdated:
        return Outdated(tuple(one for one in self.gone.gone if one.fact_key not in self.facts))

    def _notes(self, said: str, said_at: datetime) -> Iterator[str]:
        for one in self.gone.found_in(said, said_at=said_at):
            fact = self.facts.get(one.fact_key)
            if fact is None:
                continue
            if fact.retired_at is not None:
                yield f"No longer true: {fact.key}"
            else:
                yield f"Since corrected: {fact.key} is now “{shorten(fact.value, _MAX_VALUE_CHARS)}”"


def corrections() -> Corrections:
    """What is gone by now. One query where no fact changed since the last call, one more after it."""
    global _latest
    gone = outdated()
    if _latest is None or _latest.gone is not gone:  # it is the same object until a fact changes
        _latest = Corrections(gone, PersonalFact.objects.by_keys({one.fact_key for one in gone.gone}))
    return _latest


_latest: Corrections | None = None

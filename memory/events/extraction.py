"""Events of extraction, which reads chats for facts: what failed, was given up, shortened or asked for again."""

from typing import Literal

from memory.events.base import Event

GiveUpReason = Literal["bad_answer", "unreadable", "worker_died", "fault_of_this_chat", "skipped"]
"""Why a chat was given up."""


class ExtractFailed(Event):
    """The first failure to read a chat. It is tried again; further failures of the same chat write nothing."""

    name = "memory.fact.extract_failed"
    label = "Reading failed"
    holds_speech = True

    error: str
    kind: str


class ExtractAbandoned(Event):
    """A chat was given up: no facts were read from it. The operator can ask again."""

    name = "memory.fact.extract_abandoned"
    label = "Gave up reading"
    holds_speech = True

    error: str
    attempts: int
    reason: GiveUpReason


class ExtractRecovered(Event):
    """A chat that had been given up was read after all, because the operator asked again."""

    name = "memory.fact.extract_recovered"
    label = "Read after all"


class ExtractShortened(Event):
    """A chat held more new messages than one reading takes: the oldest, `unread` of them, were not read for facts."""

    name = "memory.fact.extract_shortened"
    label = "Read in part"

    unread: int


class ClaimsRefused(Event):
    """Some of what the model read out of a chat was not kept. `reasons`: {why: how many}, never what it was."""

    name = "memory.fact.claims_refused"
    label = "Not kept"

    reasons: dict[str, int]

    @property
    def most_first(self) -> list[tuple[str, int]]:
        """The reasons with their counts, the most frequent first."""
        return sorted(self.reasons.items(), key=lambda one: (-one[1], one[0]))


class ExtractAsked(Event):
    """Somebody asked for a chat to be read again: a stuck one at once, or one that had been `given_up`."""

    name = "memory.fact.extract_asked"
    label = "Reading asked again"

    given_up: bool

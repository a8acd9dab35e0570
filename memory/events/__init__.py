"""Every audit event: its name, its label and its typed payload. The only place that spells an event's name.

A payload is written once and never changed (`audit_log` is append-only), so old rows keep their shape:
`parse` reads them with today's classes, which means a new field needs a default.
"""

from pydantic import JsonValue

from memory.events.base import (
    PLAIN_KEYS,
    Bound,
    Event,
    MemoryPart,
    Message,
    ScoreParts,
    Usage,
)
from memory.events.episodes import (
    EpisodeAsked,
    EpisodeFailed,
    EpisodeRecalled,
    EpisodeReplaced,
    EpisodeSkipped,
    EpisodeSummarised,
    EpisodeUserDeleted,
    EpisodeUserRestored,
)
from memory.events.extraction import (
    ClaimsRefused,
    ExtractAbandoned,
    ExtractAsked,
    ExtractFailed,
    ExtractRecovered,
    ExtractShortened,
    GiveUpReason,
)
from memory.events.facts import (
    FactAdded,
    FactConfirmed,
    FactRetired,
    FactUpdated,
    FactUserAdded,
    FactUserConfirmed,
    FactUserDated,
    FactUserDeleted,
    FactUserDropped,
    FactUserEdited,
    FactUserKept,
    FactUserLetGo,
    FactUserUnkept,
    FactWaiting,
)
from memory.events.operation import (
    HeldBecause,
    KeyChanged,
    KeyCreated,
    KeyRevoked,
    LearningPaused,
    LearningResumed,
    ModelTried,
    RetentionSweep,
    SweepAllowed,
)
from memory.events.searches import MAX_QUERY_CHARS, MemorySearched, SearchDoor
from memory.events.turns import (
    ChatCompleted,
    ChatFailed,
    ChatPassedThrough,
    ContentRecall,
    ContextServed,
    EarlierMessage,
    FactRelevance,
    FactSelection,
    FoundInMemory,
    HeardSpan,
    LeftOut,
    MemorySearch,
    MissReason,
    NearMiss,
    PassReason,
    ServedBy,
    ServedEpisode,
    ServedFact,
)

__all__ = [
    "BY_OPERATOR",
    "Bound",
    "ChatCompleted",
    "ChatFailed",
    "ChatPassedThrough",
    "ClaimsRefused",
    "ContextServed",
    "EVENTS",
    "EarlierMessage",
    "EpisodeAsked",
    "EpisodeFailed",
    "EpisodeRecalled",
    "EpisodeReplaced",
    "EpisodeSkipped",
    "EpisodeSummarised",
    "EpisodeUserDeleted",
    "EpisodeUserRestored",
    "Event",
    "ExtractAbandoned",
    "ExtractAsked",
    "ExtractFailed",
    "ExtractRecovered",
    "ExtractShortened",
    "FactAdded",
    "FactConfirmed",
    "FactRelevance",
    "FactRetired",
    "FactSelection",
    "FactUpdated",
    "FactUserAdded",
    "FactUserConfirmed",
    "FactUserDated",
    "FactUserDeleted",
    "FactUserDropped",
    "FactUserEdited",
    "FactUserKept",
    "FactUserLetGo",
    "FactUserUnkept",
    "FactWaiting",
    "FoundInMemory",
    "HEARD",
    "GiveUpReason",
    "HeardSpan",
    "HeldBecause",
    "KeyCreated",
    "KeyChanged",
    "KeyRevoked",
    "LAST_WORDS",
    "LearningPaused",
    "LearningResumed",
    "ContentRecall",
    "LeftOut",
    "MAX_QUERY_CHARS",
    "MemoryPart",
    "MemorySearch",
    "MemorySearched",
    "Message",
    "ModelTried",
    "MissReason",
    "NearMiss",
    "PLAIN_KEYS",
    "PassReason",
    "RetentionSweep",
    "ScoreParts",
    "SearchDoor",
    "ServedBy",
    "ServedEpisode",
    "ServedFact",
    "SweepAllowed",
    "Usage",
    "parse",
]

EVENTS: dict[str, type[Event]] = {
    event.name: event
    for event in (
        ChatCompleted,
        ChatFailed,
        ChatPassedThrough,
        ContextServed,
        MemorySearched,
        FactAdded,
        FactUpdated,
        FactConfirmed,
        FactUserEdited,
        FactUserAdded,
        FactUserDeleted,
        FactRetired,
        FactUserConfirmed,
        FactUserKept,
        FactUserUnkept,
        FactUserLetGo,
        FactUserDated,
        FactWaiting,
        FactUserDropped,
        EpisodeSummarised,
        EpisodeReplaced,
        EpisodeSkipped,
        EpisodeFailed,
        EpisodeRecalled,
        EpisodeUserDeleted,
        EpisodeUserRestored,
        RetentionSweep,
        SweepAllowed,
        ExtractFailed,
        ExtractAbandoned,
        ExtractRecovered,
        ExtractShortened,
        ClaimsRefused,
        ExtractAsked,
        EpisodeAsked,
        LearningPaused,
        LearningResumed,
        KeyCreated,
        KeyChanged,
        KeyRevoked,
        ModelTried,
    )
}
"""Event name -> its payload class."""

BY_OPERATOR = (
    FactUserEdited,
    FactUserAdded,
    FactUserDeleted,
    FactUserConfirmed,
    FactUserKept,
    FactUserUnkept,
    FactUserDated,
    FactRetired,
    EpisodeUserDeleted,
    EpisodeUserRestored,
)
"""What the operator does to memory: a prompt that was made before does not hold any more."""

LAST_WORDS = (FactUserEdited, FactUserDeleted, FactUserAdded)
"""The operator's word on a key, which older evidence does not change (decision 2).

That a fact is still true needs no place among them: it is in the fact's own date, and goes with it where it is undone.
"""

HEARD = (FactAdded, FactUpdated, FactConfirmed, FactRetired)
"""What a chat says of a fact."""


def parse(event_type: str, payload: JsonValue) -> Event:
    """The typed payload of a stored row.

    Raises `KeyError` for a name that is no event, `pydantic.ValidationError` for a payload of another shape.
    """
    return EVENTS[event_type].model_validate(payload)

"""The rows of memory, with their behaviour: questions and commands are methods here."""

from memory.models.access import SCOPES, ApiKey, ApiKeyMinute, IdempotencyKey, KeyLimits, Scope
from memory.models.audit import AppendOnly, AuditQuerySet, AuditRow, Page
from memory.models.episodes import Embedded, EmbedderLength, EpisodeSummary, OutgrownEpisodes
from memory.models.facts import FactConflict, Learned, PersonalFact, RankedFact
from memory.models.heard import HeardMessage, HeardWords
from memory.models.operator import FirstPerson, OperatorId, PersonId
from memory.models.revision import MemoryRevision
from memory.models.workers import (
    LONGEST_PAUSE,
    AskAgain,
    Cursor,
    ExtractCursor,
    LearningSwitch,
    SummariseCursor,
    WorkerHeartbeat,
)

__all__ = [
    "LONGEST_PAUSE",
    "ApiKey",
    "ApiKeyMinute",
    "AppendOnly",
    "AskAgain",
    "AuditQuerySet",
    "AuditRow",
    "Cursor",
    "Embedded",
    "EmbedderLength",
    "EpisodeSummary",
    "ExtractCursor",
    "FactConflict",
    "FirstPerson",
    "HeardMessage",
    "HeardWords",
    "IdempotencyKey",
    "KeyLimits",
    "Learned",
    "LearningSwitch",
    "MemoryRevision",
    "OperatorId",
    "Page",
    "SCOPES",
    "OutgrownEpisodes",
    "PersonId",
    "PersonalFact",
    "RankedFact",
    "Scope",
    "SummariseCursor",
    "WorkerHeartbeat",
]

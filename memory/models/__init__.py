"""The rows of memory, with their behaviour: questions and commands are methods here."""

from memory.models.access import SCOPES, ApiKey, ApiKeyMinute, IdempotencyKey, KeyLimits, Scope
from memory.models.audit import AppendOnly, AuditQuerySet, AuditRow, HeardMessage, Page
from memory.models.episodes import Embedded, EpisodeSummary
from memory.models.facts import FactConflict, Learned, PersonalFact, RankedFact
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
    "EpisodeSummary",
    "ExtractCursor",
    "FactConflict",
    "FirstPerson",
    "HeardMessage",
    "IdempotencyKey",
    "KeyLimits",
    "Learned",
    "LearningSwitch",
    "MemoryRevision",
    "OperatorId",
    "Page",
    "SCOPES",
    "PersonId",
    "PersonalFact",
    "RankedFact",
    "Scope",
    "SummariseCursor",
    "WorkerHeartbeat",
]

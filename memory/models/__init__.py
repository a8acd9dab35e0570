"""The rows of memory, with their behaviour: questions and commands are methods here."""

from memory.models.access import SCOPES, ApiKey, ApiKeyMinute, IdempotencyKey, KeyLimits, Scope
from memory.models.audit import AppendOnly, AuditQuerySet, AuditRow, HeardMessage, Page
from memory.models.episodes import Embedded, EpisodeSummary
from memory.models.facts import FactConflict, PersonalFact, RankedFact
from memory.models.learned.fact import Learned
from memory.models.review.retirement import Ending, retire
from memory.models.review.waiting import NotWaiting, WaitingFact
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
    "Ending",
    "EpisodeSummary",
    "ExtractCursor",
    "FactConflict",
    "HeardMessage",
    "IdempotencyKey",
    "KeyLimits",
    "Learned",
    "LearningSwitch",
    "MemoryRevision",
    "NotWaiting",
    "Page",
    "SCOPES",
    "PersonalFact",
    "RankedFact",
    "Scope",
    "SummariseCursor",
    "WaitingFact",
    "WorkerHeartbeat",
    "retire",
]

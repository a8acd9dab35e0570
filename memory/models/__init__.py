"""The rows of memory, with their behaviour: questions and commands are methods here."""

from memory.models.access import SCOPES, ApiKey, ApiKeyMinute, IdempotencyKey, KeyLimits, Scope
from memory.models.audit import AppendOnly, AuditQuerySet, AuditRow, Page
from memory.models.episodes import Embedded, EmbedderLength, EpisodeSummary, OutgrownEpisodes
from memory.models.facts import FactConflict, PersonalFact, RankedFact
from memory.models.heard import HeardMessage, HeardWords
from memory.models.learned.fact import Learned
from memory.models.operator import FirstPerson, OperatorId, PersonId
from memory.models.review.retirement import Ending, retire
from memory.models.review.waiting import NotWaiting, WaitingFact
from memory.models.revision import MemoryRevision
from memory.models.units import EpisodeUnits, GeneralVectors, Units
from memory.models.usage import ModelUsage, UsedOn
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
    "Ending",
    "EpisodeSummary",
    "EpisodeUnits",
    "ExtractCursor",
    "FactConflict",
    "FirstPerson",
    "GeneralVectors",
    "HeardMessage",
    "HeardWords",
    "IdempotencyKey",
    "KeyLimits",
    "Learned",
    "LearningSwitch",
    "MemoryRevision",
    "OperatorId",
    "ModelUsage",
    "NotWaiting",
    "Page",
    "SCOPES",
    "OutgrownEpisodes",
    "PersonId",
    "PersonalFact",
    "RankedFact",
    "Scope",
    "SummariseCursor",
    "Units",
    "UsedOn",
    "WaitingFact",
    "WorkerHeartbeat",
    "retire",
]

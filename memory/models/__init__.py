"""The rows of memory, with their behaviour: questions and commands are methods here."""

from memory.models.access import SCOPES, ApiKey, ApiKeyMinute, IdempotencyKey, KeyLimits, Scope
from memory.models.audit import AppendOnly, AuditQuerySet, AuditRow, Page
from memory.models.episodes import Embedded, EmbedderLength, EpisodeSummary, OutgrownEpisodes
from memory.models.facts import PersonalFact, RankedFact
from memory.models.heard import HeardMessage, HeardWords
from memory.models.learned.conflict import FactConflict, TooManyKept
from memory.models.learned.fact import Learned
from memory.models.learned.prompt_caps import BY_IMPORTANCE, BY_MESSAGE, kept_first, most_facts
from memory.models.learned.standings import Standings
from memory.models.operator import FirstPerson, LastLook, OperatorId, PersonId
from memory.models.operator.letting_go import let_go, let_go_keys
from memory.models.operator.told import ToldAlert
from memory.models.operator.undo import CannotUndo, back_to, undo, value_after
from memory.models.operator.undone import UndoState
from memory.models.review.retirement import Ending, retire
from memory.models.review.waiting import NotWaiting, Suggestion, SuggestionState, WaitingFact
from memory.models.revision import MemoryRevision
from memory.models.undo.deleted_episode import DeletedEpisode, EpisodeGone
from memory.models.units import EpisodeUnits, GeneralVectors, Units
from memory.models.usage import KeyDay, KeyUsed, ModelUsage, UsedOn
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
    "BY_IMPORTANCE",
    "BY_MESSAGE",
    "LONGEST_PAUSE",
    "ApiKey",
    "ApiKeyMinute",
    "AppendOnly",
    "AskAgain",
    "AuditQuerySet",
    "AuditRow",
    "CannotUndo",
    "Cursor",
    "DeletedEpisode",
    "Embedded",
    "EmbedderLength",
    "Ending",
    "EpisodeGone",
    "EpisodeSummary",
    "EpisodeUnits",
    "ExtractCursor",
    "FactConflict",
    "FirstPerson",
    "GeneralVectors",
    "HeardMessage",
    "HeardWords",
    "IdempotencyKey",
    "KeyDay",
    "KeyLimits",
    "KeyUsed",
    "LastLook",
    "Learned",
    "LearningSwitch",
    "MemoryRevision",
    "OperatorId",
    "ToldAlert",
    "TooManyKept",
    "ModelUsage",
    "NotWaiting",
    "Page",
    "SCOPES",
    "OutgrownEpisodes",
    "PersonId",
    "PersonalFact",
    "RankedFact",
    "Scope",
    "Standings",
    "Suggestion",
    "SuggestionState",
    "SummariseCursor",
    "UndoState",
    "Units",
    "UsedOn",
    "WaitingFact",
    "WorkerHeartbeat",
    "back_to",
    "let_go",
    "let_go_keys",
    "kept_first",
    "most_facts",
    "retire",
    "undo",
    "value_after",
]

"""Every audit event: its name, its label and its typed payload. The only place that spells an event name.

A payload is written once and never changed (`audit_log` is append-only), so old rows keep their shape:
`parse` reads them with today's classes, which means a new field needs a default.
"""

from datetime import datetime
from typing import ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

Bound = Literal["strings", "chat", "whole"]
"""How long a string in a payload may be: the audit bound, the chats' own bound, or never cut."""

MemoryPart = Literal["facts", "episodes"]
"""The two halves of memory in a prompt."""

GiveUpReason = Literal["bad_answer", "unreadable", "worker_died", "fault_of_this_chat", "skipped"]
"""Why a chat was given up."""


class Message(BaseModel):
    """One message as a client sent it. Fields unknown here (`tool_calls`, `name`, ...) are kept and passed on."""

    model_config = ConfigDict(frozen=True, extra="allow")

    role: str
    content: str | list[dict[str, JsonValue]] | None = None

    def as_sent(self) -> dict[str, JsonValue]:
        """The JSON object the client sent, with nothing added."""
        return self.model_dump(mode="json", exclude_unset=True)


class Event(BaseModel):
    """The payload of one audit row. Subclasses name the event; `label` is its word on the timeline."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    name: ClassVar[str]
    label: ClassVar[str]
    bound: ClassVar[Bound] = "strings"

    truncated: bool = False

    @property
    def about_key(self) -> str | None:
        """The fact this event is about, for `audit_log.fact_key`."""
        return None


class _FactEvent(Event):
    key: str

    @property
    def about_key(self) -> str | None:
        return self.key


class Usage(BaseModel):
    """Tokens as the provider counted them; None where it did not say."""

    model_config = ConfigDict(frozen=True)

    input_tokens: int | None = None
    output_tokens: int | None = None


class ChatCompleted(Event):
    """One finished turn: what the client sent and what was answered.

    `new_messages` holds the indices of the messages that may teach (DESIGN 3.1), settled when the chat was
    recorded; None on a row that was written without that step, where nothing was heard before.
    """

    name = "chat.completed"
    label = "Chat"
    bound = "chat"

    messages: list[Message] = Field(default_factory=list)
    reply: str = ""
    model: str = ""
    provider: str = ""
    finish_reason: str = ""
    usage: Usage = Usage()
    learn: bool = True
    occurred_at: datetime | None = None
    new_messages: list[int] | None = None
    replay: bool = False
    cut_off: bool = False
    """The client hung up before the answer was whole; `reply` is what had come."""
    proactive: str = ""
    """Name of the trigger that asked; then nothing in it is the operator's words, and nothing teaches."""


class ChatFailed(Event):
    """A turn that got no answer. Nothing was learned and nothing was bumped."""

    name = "chat.failed"
    label = "Chat failed"

    error: str
    kind: str
    provider: str = ""
    model: str = ""


PassReason = Literal["memory_off", "task_prompt"]
"""Why a call was no conversation: the client switched memory off for it, or it is a client's own errand."""


class ChatPassedThrough(Event):
    """A call that was handed on to the model untouched: nothing was put into it, and nothing is learned from it.

    `beginning` is how its task prompt begins; "" where the client switched memory off.
    """

    name = "chat.passed_through"
    label = "Passed through"

    reason: PassReason
    beginning: str = ""
    model: str = ""
    provider: str = ""
    finish_reason: str = ""
    usage: Usage = Usage()


class ServedFact(BaseModel):
    """One fact that was put into a prompt, with the parts of its rank at that moment (ADR-0034 §4)."""

    model_config = ConfigDict(frozen=True)

    key: str
    sentence: str
    importance: float
    freshness: float
    confidence: float
    edit_weight: float = 1.0
    edit_count: int


class ServedEpisode(BaseModel):
    """One episode that was put into a prompt: score = cosine x freshness x recall_weight (ADR-0034 §4)."""

    model_config = ConfigDict(frozen=True)

    audit_log_id: int
    summary: str
    when: str
    cosine: float
    freshness: float
    recall_weight: float
    score: float


MissReason = Literal["below_threshold", "cap", "too_old", "other_model", "same_conversation", "switched_off"]
"""Why an episode that came close was not put into the prompt."""


class NearMiss(BaseModel):
    """An episode that was considered and left out. Scores are None where it was not compared.

    `short_by`: how far the cosine fell short of the threshold, for `below_threshold`.
    """

    model_config = ConfigDict(frozen=True)

    audit_log_id: int
    summary: str
    reason: MissReason
    cosine: float | None = None
    score: float | None = None
    short_by: float | None = None


class LeftOut(BaseModel):
    """A part of memory a turn went without, and why."""

    model_config = ConfigDict(frozen=True)

    part: MemoryPart
    reason: str


class ContextServed(Event):
    """The receipt: exactly what memory put into one prompt, and why. Never cut."""

    name = "memory.context.served"
    label = "Memory served"
    bound = "whole"

    block: str = ""
    facts: list[ServedFact] = Field(default_factory=list)
    episodes: list[ServedEpisode] = Field(default_factory=list)
    near_misses: list[NearMiss] = Field(default_factory=list)
    left_out: list[LeftOut] = Field(default_factory=list)


class FactAdded(_FactEvent):
    """A fact was learned that was not known."""

    name = "memory.fact.added"
    label = "Learned"

    value: str
    confidence: float
    said_at: datetime


class FactUpdated(_FactEvent):
    """Newer evidence replaced a fact's value."""

    name = "memory.fact.updated"
    label = "Updated"

    old_value: str
    new_value: str
    old_confidence: float
    confidence: float
    said_at: datetime


class FactConfirmed(_FactEvent):
    """The operator said a known fact again."""

    name = "memory.fact.confirmed"
    label = "Confirmed"

    value: str
    confidence: float
    said_at: datetime


class FactUserEdited(_FactEvent):
    """The operator corrected a fact. These rows are counted as its edits."""

    name = "memory.fact.user_edited"
    label = "You edited"

    old_value: str
    new_value: str


class FactUserAdded(_FactEvent):
    """The operator wrote a fact down, or took a deletion back (`restored_from`: the deletion's row)."""

    name = "memory.fact.user_added"
    label = "You added"

    value: str
    restored_from: int | None = None


class FactUserDeleted(_FactEvent):
    """The operator deleted a fact. Holds the whole fact, so that undo brings it back as it was."""

    name = "memory.fact.user_deleted"
    label = "You deleted"

    value: str
    confidence: float
    first_seen_at: datetime
    last_confirmed_at: datetime
    source_audit_id: int | None = None


class _EpisodeEvent(Event):
    audit_log_id: int


class EpisodeSummarised(_EpisodeEvent):
    """A chat was summed up."""

    name = "memory.episode.summarised"
    label = "Summed up"

    summary: str
    model: str


class EpisodeSkipped(_EpisodeEvent):
    """A chat was not worth a summary: trivial, a replay, or nothing new in it. Its empty row says that it was seen."""

    name = "memory.episode.summarise_skipped"
    label = "Not summed up"

    reason: Literal["trivial", "replay", "nothing_new"]


class EpisodeFailed(_EpisodeEvent):
    """A chat could not be summed up. The worker went on; the operator can have it done again."""

    name = "memory.episode.summarise_failed"
    label = "Summary failed"

    error: str
    kind: str


class EpisodeRecalled(_EpisodeEvent):
    """An episode was put into a prompt: score = cosine x freshness x recall_weight (ADR-0034 §4, §6)."""

    name = "memory.episode.recalled"
    label = "Recalled"

    summary: str
    cosine: float
    freshness: float
    recall_weight: float
    score: float


class EpisodeUserDeleted(_EpisodeEvent):
    """The operator deleted an episode. Its row stays, emptied, so that the chat is not summed up again."""

    name = "memory.episode.user_deleted"
    label = "You deleted an episode"

    summary: str


class RetentionSweep(Event):
    """Rows older than the retention were deleted (ADR-0020)."""

    name = "memory.retention_sweep"
    label = "Swept"

    older_than: datetime
    rows: int
    episodes: int


class ExtractFailed(Event):
    """The first failure to read a chat. It is tried again; further failures of the same chat write nothing."""

    name = "memory.fact.extract_failed"
    label = "Reading failed"

    error: str
    kind: str


class ExtractAbandoned(Event):
    """A chat was given up: no facts were read from it. The operator can ask again."""

    name = "memory.fact.extract_abandoned"
    label = "Gave up reading"

    error: str
    attempts: int
    reason: GiveUpReason


class ExtractRecovered(Event):
    """A chat that had been given up was read after all, because the operator asked again."""

    name = "memory.fact.extract_recovered"
    label = "Read after all"


class LearningPaused(Event):
    """The operator paused learning: both workers leave chats waiting. Nothing is lost."""

    name = "memory.learning.paused"
    label = "You paused learning"


class LearningResumed(Event):
    """The operator resumed learning: the chats that waited since `paused_at` are read as usual."""

    name = "memory.learning.resumed"
    label = "You resumed learning"

    paused_at: datetime | None = None


EVENTS: dict[str, type[Event]] = {
    event.name: event
    for event in (
        ChatCompleted,
        ChatFailed,
        ChatPassedThrough,
        ContextServed,
        FactAdded,
        FactUpdated,
        FactConfirmed,
        FactUserEdited,
        FactUserAdded,
        FactUserDeleted,
        EpisodeSummarised,
        EpisodeSkipped,
        EpisodeFailed,
        EpisodeRecalled,
        EpisodeUserDeleted,
        RetentionSweep,
        ExtractFailed,
        ExtractAbandoned,
        ExtractRecovered,
        LearningPaused,
        LearningResumed,
    )
}
"""Event name -> its payload class."""


def parse(event_type: str, payload: JsonValue) -> Event:
    """The typed payload of a stored row.

    Raises `KeyError` for a name that is no event, `pydantic.ValidationError` for a payload of another shape.
    """
    return EVENTS[event_type].model_validate(payload)

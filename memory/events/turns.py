"""Events of turns: chats that were answered, failed or passed through, and the receipt of what memory put in."""

from datetime import date, datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from memory.events.base import Event, MemoryPart, Message, ScoreParts, Usage


class HeardSpan(BaseModel):
    """A piece of a message that was heard before, first in `chat_id`: characters `start` to `end` of its own words."""

    model_config = ConfigDict(frozen=True)

    message: int
    start: int
    end: int
    chat_id: int


class EarlierMessage(BaseModel):
    """A message with new words that was said before this turn, some time after `said_after` (None: nobody knows)."""

    model_config = ConfigDict(frozen=True)

    message: int
    said_after: datetime | None = None


class ChatCompleted(Event):
    """One finished turn: what the client sent and what was answered.

    `new_messages` holds the indices of the messages that may teach (decision 1), settled when the chat was
    recorded; None on a row that was written without that step, where nothing was heard before. `heard` are the pieces
    of these messages that are not new, `earlier` those of them that are older than the turn (decision 25).
    `continues` is the chat whose turn goes on with this one: a step of a tool, a retry, another answer (decision 26).
    """

    name = "chat.completed"
    label = "Chat"
    holds_speech = True
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
    heard: list[HeardSpan] = Field(default_factory=list)
    earlier: list[EarlierMessage] = Field(default_factory=list)
    continues: int | None = None
    replay: bool = False
    cut_off: bool = False
    """The client hung up before the answer was complete; `reply` is what had arrived."""
    proactive: str = ""
    """Name of the trigger that asked. The operator said none of it then, and nothing is learned from it."""


class ChatFailed(Event):
    """A turn that got no answer. Nothing was learned, and no recall was counted."""

    name = "chat.failed"
    label = "Chat failed"
    holds_speech = True

    error: str
    kind: str
    provider: str = ""
    model: str = ""
    proactive: str = ""
    """Name of the trigger whose run it was."""


PassReason = Literal["memory_off", "task_prompt", "errand", "temporary", "other_person"]
"""Why memory kept out of a call: the client switched it off, it is a task prompt of the client's own, the client calls
it an errand or its chat temporary, or another person than the operator asks."""


class ChatPassedThrough(Event):
    """A call that went to the model untouched: memory added nothing to it and learns nothing from it.

    `beginning` is how its task prompt begins; "" for all other reasons, so that nothing that was said is kept.
    """

    name = "chat.passed_through"
    label = "Passed through"
    holds_speech = True

    reason: PassReason
    beginning: str = ""
    model: str = ""
    provider: str = ""
    finish_reason: str = ""
    usage: Usage = Usage()
    cut_off: bool = False


FactSelection = Literal["importance", "mixed"]
"""How the facts of a prompt were chosen: by importance alone, or some of them by the message."""

ServedBy = Literal["importance", "message", "kept"]
"""What brought a fact into a prompt."""


class FactRelevance(BaseModel):
    """How well a fact fits a message: score = meaning + words.

    `meaning`: its cosine divided by the best fact's; `words`: how well its words answer to the message's, 0.6 at most.
    `cosine` is None where the fact had no vector yet.
    """

    model_config = ConfigDict(frozen=True)

    score: float
    meaning: float
    words: float
    cosine: float | None = None


class ServedFact(BaseModel):
    """One fact that was put into a prompt, with the parts of its rank at that moment (ADR-0034 §4).

    `by`: what brought it in: its importance, the message (then `relevance` has the parts of that, too), or that the
    operator keeps it.
    """

    model_config = ConfigDict(frozen=True)

    key: str
    sentence: str
    importance: float
    freshness: float
    confidence: float
    edit_weight: float = 1.0
    edit_count: int
    by: ServedBy = "importance"
    relevance: FactRelevance | None = None


class ServedEpisode(BaseModel):
    """One episode that was put into a prompt: score = cosine x freshness x recall_weight (ADR-0034 §4).

    Recall by content has `parts` instead: `cosine` is that of its nearest window then, `summary` what was quoted.
    """

    model_config = ConfigDict(frozen=True)

    audit_log_id: int
    summary: str
    when: str
    cosine: float
    freshness: float
    recall_weight: float
    score: float
    parts: ScoreParts | None = None


MissReason = Literal["below_threshold", "cap", "too_old", "other_model", "same_conversation", "switched_off", "gate"]
"""Why an episode that came close was not put into the prompt; "gate": nothing came near enough to the message."""


class NearMiss(BaseModel):
    """An episode that was considered and left out. Scores are None where it was not compared.

    `short_by`: how far the cosine fell short of the threshold (`below_threshold`), or the message of the gate (`gate`).
    """

    model_config = ConfigDict(frozen=True)

    audit_log_id: int
    summary: str
    reason: MissReason
    cosine: float | None = None
    score: float | None = None
    short_by: float | None = None
    parts: ScoreParts | None = None


class LeftOut(BaseModel):
    """A part of memory a turn went without, and why."""

    model_config = ConfigDict(frozen=True)

    part: MemoryPart
    reason: str


class ContentRecall(BaseModel):
    """How a message was searched for in mode `hybrid`; None in a receipt of mode `record`.

    `gate`: what the best conversation reached, `gate_threshold`: what it had to, so that any goes in. `coverage`: the
    share of the message's words, by weight, that is found together in one place; `word_weight`: how much words counted.
    """

    model_config = ConfigDict(frozen=True)

    gate: float | None = None
    gate_threshold: float | None = None
    coverage: float = 0.0
    word_weight: float = 0.0


class FoundInMemory(BaseModel):
    """One thing that a search of the model's brought: its address ("fact:...", "episode:...", "chat:...") and words."""

    model_config = ConfigDict(frozen=True)

    id: str
    text: str


class MemorySearch(BaseModel):
    """What a model asked of memory with its tool, and what it was given."""

    model_config = ConfigDict(frozen=True)

    query: str
    since: date | None = None
    until: date | None = None
    found: list[FoundInMemory] = Field(default_factory=list)


class ContextServed(Event):
    """The receipt: exactly what memory put into one prompt, and why. Never cut.

    `selection`: how its facts were chosen. `words_alone`: why the message's words alone decided about some or all of
    those that it could bring; "" where meaning did, too. `searches`: what the model asked of memory with its tool.
    """

    name = "memory.context.served"
    label = "Memory served"
    holds_speech = True
    bound = "whole"

    block: str = ""
    facts: list[ServedFact] = Field(default_factory=list)
    episodes: list[ServedEpisode] = Field(default_factory=list)
    content_recall: ContentRecall | None = None
    near_misses: list[NearMiss] = Field(default_factory=list)
    left_out: list[LeftOut] = Field(default_factory=list)
    selection: FactSelection = "importance"
    words_alone: str = ""
    searches: list[MemorySearch] = Field(default_factory=list)

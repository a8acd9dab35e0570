"""What an answer holds."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Annotated, Final, Literal, Self

from django.http import HttpResponse
from pydantic import BaseModel, JsonValue, PlainSerializer, WithJsonSchema

from memory import chat
from memory.models import AuditRow, EpisodeSummary, RankedFact, WaitingFact


def _rfc_3339(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


Timestamp = Annotated[
    datetime,
    PlainSerializer(_rfc_3339, return_type=str),
    WithJsonSchema({"type": "string", "format": "date-time"}, mode="serialization"),
]
"""An aware time, written as RFC 3339 in UTC."""


RECORDED: Final = "X-Memory-Recorded"
"""Header of an answer whose turn is not on record: `later`, or `no` where it could not even be kept."""


def note_recorded(response: HttpResponse, recorded: chat.Outcome) -> None:
    """Set the header where the turn was answered but is not recorded yet, or is lost."""
    if recorded.when != "now":
        response.headers[RECORDED] = recorded.when


class ErrorDetail(BaseModel):
    """`message` names the cure, `param` the field, `code` the case."""

    message: str
    type: str
    param: str | None
    code: str


class ErrorAnswer(BaseModel):
    """Every refusal."""

    error: ErrorDetail


def answers(status: int, answer: type[BaseModel], *failures: int) -> Mapping[int, type[BaseModel]]:
    """What a call may answer with, for the OpenAPI document: itself, what any call may refuse with, and `failures`."""
    return dict.fromkeys((400, 401, 403, 408, 413, 415, 422, 429, 500, 503, 507, *failures), ErrorAnswer) | {
        status: answer
    }


class ServedFact(BaseModel):
    """A fact that went into a prompt."""

    key: str
    sentence: str
    importance: float


class ScoreParts(BaseModel):
    """The parts of a score in mode `hybrid`. Of each, the best conversation's value is 1.

    score = meaning + word_weight * (.6 words + .5 conversation + .25 pairs) + 1.6 day + month + .1 recency. `by` says
    what gave the conversation its place; in a near miss it says nothing.
    """

    meaning: float
    words: float
    conversation: float
    pairs: float
    day: float
    month: float
    recency: float
    word_weight: float
    by: Literal["score", "meaning"]


class ContentRecall(BaseModel):
    """How a message was searched for in mode `hybrid`. `gate`: what the nearest conversation reached,
    `gate_threshold`: what it must reach; null where there was nothing to search.

    `coverage`: the share of the message's words that occur together in one chat, by weight; `word_weight`: how much
    words counted for that, 0 to 1.
    """

    gate: float | None
    gate_threshold: float | None
    coverage: float
    word_weight: float


class ServedEpisode(BaseModel):
    """A past conversation that went into a prompt. Where `parts` is set, they make the score, and not `freshness`."""

    audit_log_id: int
    summary: str
    when: str
    cosine: float
    freshness: float
    score: float
    parts: ScoreParts | None


class NearMiss(BaseModel):
    """A past conversation that was considered and left out; numbers are null where it was not compared."""

    audit_log_id: int
    summary: str
    reason: str
    cosine: float | None
    score: float | None
    short_by: float | None
    parts: ScoreParts | None


class ServedMemory(BaseModel):
    """What memory put into the prompt, in its order."""

    facts: list[ServedFact]
    episodes: list[ServedEpisode]


class Reply(BaseModel):
    """The assistant's message."""

    role: Literal["assistant"] = "assistant"
    content: str


class Usage(BaseModel):
    """Tokens as the provider counted them; null where it did not say."""

    input_tokens: int | None
    output_tokens: int | None


class ChatAnswer(BaseModel):
    """A turn that was answered. `audit_log_id` is null where it is recorded later (`X-Memory-Recorded`)."""

    message: Reply
    model: str
    finish_reason: str
    decision_id: str
    audit_log_id: int | None
    usage: Usage
    memory: ServedMemory

    @classmethod
    def of(cls, turn: chat.Answered) -> Self:
        """The turn as the client sees it."""
        completion = turn.completion
        return cls(
            message=Reply(content=completion.text),
            model=completion.model,
            finish_reason=completion.finish_reason,
            decision_id=turn.recorded.decision_id,
            audit_log_id=turn.recorded.audit_log_id,
            usage=Usage(input_tokens=completion.input_tokens, output_tokens=completion.output_tokens),
            memory=ServedMemory.model_validate(turn.context.receipt, from_attributes=True),
        )


class ContextAnswer(ServedMemory):
    """What memory has for a message. `decision_id` is null for a preview, `content_recall` in mode `record`."""

    decision_id: str | None
    system_prompt: str
    block: str
    near_misses: list[NearMiss]
    content_recall: ContentRecall | None

    @classmethod
    def of(cls, context: chat.Context, *, is_preview: bool = False) -> Self:
        """The context as the client sees it: the receipt's items, its block, and the prompt they make."""
        receipt = context.receipt
        served = ServedMemory.model_validate(receipt, from_attributes=True)
        return cls(
            decision_id=None if is_preview else context.turn.decision_id,
            system_prompt=context.system_prompt,
            block=receipt.block,
            facts=served.facts,
            episodes=served.episodes,
            near_misses=[NearMiss.model_validate(missed, from_attributes=True) for missed in receipt.near_misses],
            content_recall=receipt.content_recall
            and ContentRecall.model_validate(receipt.content_recall, from_attributes=True),
        )


class RecordedAnswer(BaseModel):
    """A chat that was written down."""

    audit_log_id: int
    decision_id: str

    @classmethod
    def of(cls, recorded: chat.Recorded) -> Self:
        """The chat as the client sees it."""
        return cls.model_validate(recorded, from_attributes=True)


class Fact(BaseModel):
    """One fact with the parts of its rank now: importance = freshness * confidence * weight of the edits."""

    key: str
    value: str
    sentence: str
    confidence: float
    importance: float
    freshness: float
    edit_count: int
    first_seen_at: Timestamp
    last_confirmed_at: Timestamp
    source_audit_id: int | None
    valid_until: date | None
    """Its last day: after it the fact takes no place in prompts."""
    retired_at: Timestamp | None
    """Since when it is no longer true."""
    kept_at: Timestamp | None
    """Since when the operator keeps it: it comes first in prompts."""

    @classmethod
    def of(cls, ranked: RankedFact) -> Self:
        """The fact as the client sees it."""
        fact, rank = ranked.fact, ranked.importance
        return cls(
            key=fact.key,
            value=fact.value,
            sentence=fact.sentence,
            confidence=fact.confidence,
            importance=rank.value,
            freshness=rank.freshness,
            edit_count=rank.edit_count,
            first_seen_at=fact.first_seen_at,
            last_confirmed_at=fact.last_confirmed_at,
            source_audit_id=fact.source_audit_id,
            valid_until=fact.valid_until,
            retired_at=fact.retired_at,
            kept_at=fact.kept_at,
        )


class ChangedFact(BaseModel):
    """A fact after a change. `audit_log_id` names the row that `POST /v1/audit/{id}/undo` takes back; null where
    nothing changed."""

    fact: Fact
    audit_log_id: int | None


class Undone(BaseModel):
    """What was undone. `audit_log_id` names the row of that, which can be undone in turn; null where it was undone
    already. `fact`: the fact as it is now; null where there is none."""

    audit_log_id: int | None
    fact: Fact | None


class FactPage(BaseModel):
    """Facts in order of importance. `next` goes into `before` of the next call; null at the end."""

    data: list[Fact]
    next: str | None


class Waiting(BaseModel):
    """A claim that waits for review, since its `quote` was not found in the operator's words."""

    id: int
    key: str
    value: str
    sentence: str
    confidence: float
    quote: str
    said_at: Timestamp
    created_at: Timestamp
    valid_until: date | None
    source_audit_id: int | None

    @classmethod
    def of(cls, claim: WaitingFact) -> Self:
        """The claim as the client sees it."""
        return cls.model_validate(claim, from_attributes=True)


class WaitingPage(BaseModel):
    """Waiting claims, newest first. `next` goes into `before` of the next call; null at the end."""

    data: list[Waiting]
    next: int | None


class DroppedClaim(BaseModel):
    """A claim that waits no longer; `audit_log_id` is the row that holds it, for undo."""

    dropped: Literal[True] = True
    key: str
    audit_log_id: int


class DeletedFact(BaseModel):
    """A fact that is gone; `audit_log_id` is the row that holds it, for undo."""

    deleted: Literal[True] = True
    key: str
    audit_log_id: int


class Episode(BaseModel):
    """What one chat was about. `model` is the embedder that its vector is of; empty where the episode is."""

    audit_log_id: int
    summary: str
    model: str
    created_at: Timestamp
    last_recalled_at: Timestamp | None
    recall_count: int

    @classmethod
    def of(cls, row: EpisodeSummary) -> Self:
        """The episode as the client sees it, without its vector."""
        return cls.model_validate(row, from_attributes=True)


class EpisodePage(BaseModel):
    """Episodes, newest first. `next` goes into `before` of the next call; null at the end."""

    data: list[Episode]
    next: str | None


class DeletedEpisode(BaseModel):
    """An episode that is gone: `audit_log_id` is its chat, `deletion_id` the audit row that holds what it said."""

    deleted: Literal[True] = True
    audit_log_id: int
    deletion_id: int


class AuditEntry(BaseModel):
    """One thing that happened."""

    id: int
    ts: Timestamp
    event_type: str
    decision_id: str | None
    fact_key: str | None
    chat_id: int | None
    conversation_id: str | None
    actor: str | None
    client: str | None
    payload: JsonValue

    @classmethod
    def of(cls, row: AuditRow) -> Self:
        """The row as the client sees it."""
        return cls.model_validate(row, from_attributes=True)


class AuditPage(BaseModel):
    """The timeline, newest first. `next` goes into `before` of the next call; null at the end."""

    data: list[AuditEntry]
    next: str | None

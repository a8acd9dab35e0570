"""What every event is made of: its name, its label and how long its strings may be; messages and tokens."""

from typing import ClassVar, Literal

from pydantic import BaseModel, ConfigDict, JsonValue

Bound = Literal["strings", "chat", "whole"]
"""Where a payload's strings are cut: at AUDIT_MAX_STRING_CHARS, at CHAT_MAX_CHARS, or nowhere."""

MemoryPart = Literal["facts", "episodes"]
"""The two halves of memory in a prompt."""


PLAIN_KEYS = frozenset(
    (
        "role",
        "type",
        "of",
        "id",
        "call_id",
        "tool_call_id",
        "model",
        "provider",
        "finish_reason",
        "kind",
        "reason",
        "part",
    )
)
"""Keys of protocol fields, whose values nobody said: they are never masked."""


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
    holds_speech: ClassVar[bool] = False
    """Whether it holds what somebody said: secrets in that are masked when the row is written (decision 33)."""

    truncated: bool = False
    masked: int = 0
    """How many secrets were masked."""

    @property
    def about_key(self) -> str | None:
        """The fact this event is about, for `audit_log.fact_key`."""
        return None

    @property
    def edit_count(self) -> int | None:
        """What it adds to the number of its fact's edits, for `audit_log.edits`; None for what such an event adds."""
        return None


class Usage(BaseModel):
    """Tokens as the provider counted them; None where it did not say."""

    model_config = ConfigDict(frozen=True)

    input_tokens: int | None = None
    output_tokens: int | None = None


class ScoreParts(BaseModel):
    """The parts of a conversation's score in recall by content: of each the best conversation's value is 1.

    score = meaning + word_weight (.6 words + .5 conversation + .25 pairs) + 1.6 day + month + .1 recency. `by` says
    what gave it its place.
    """

    model_config = ConfigDict(frozen=True)

    meaning: float
    words: float
    conversation: float
    pairs: float
    day: float
    month: float
    recency: float
    word_weight: float
    by: Literal["score", "meaning"] = "score"

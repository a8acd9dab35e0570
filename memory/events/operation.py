"""Events of operating the server: the retention sweep, the learning switch, API keys."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from memory.events.base import Event, Usage

HeldBecause = Literal["", "clock", "many"]
"""Why a sweep left rows that are due: the log says that the clock may be ahead, or they are more than a tenth of it."""


class RetentionSweep(Event):
    """Rows older than the retention were deleted (ADR-0020); of those that stay, `emptied` lost their values.

    `held_back`: how many more are due, and wait for the operator's word; `of_rows` were in the log then, its newest of
    `newest`. `unfinished`: its time was over, and the next sweep goes on.
    """

    name = "memory.retention_sweep"
    label = "Swept"

    older_than: datetime
    rows: int
    episodes: int
    emptied: int = 0
    held_back: int = 0
    held_because: HeldBecause = ""
    of_rows: int = 0
    newest: datetime | None = None
    unfinished: bool = False


class SweepAllowed(Event):
    """The operator had the sweep delete what it had held back: `rows` older than `older_than`."""

    name = "memory.sweep_allowed"
    label = "You allowed the sweep"

    older_than: datetime
    rows: int


class LearningPaused(Event):
    """The operator paused learning: both workers leave chats waiting. Nothing is lost."""

    name = "memory.learning.paused"
    label = "You paused learning"


class LearningResumed(Event):
    """The operator resumed learning: the chats that waited since `paused_at` are read as usual."""

    name = "memory.learning.resumed"
    label = "You resumed learning"

    paused_at: datetime | None = None


class _KeyEvent(Event):
    """`prefix` is how the key begins, by which its holder recognises it; the key itself is not stored."""

    key_label: str
    prefix: str


class _KeyLimitsEvent(_KeyEvent):
    """`scopes`: what the key may do. `expires_at` None: no end. The others None: no limit."""

    scopes: list[str] = Field(default_factory=list)
    expires_at: datetime | None = None
    requests_per_minute: int | None = None
    tokens_per_day: int | None = None


class KeyCreated(_KeyLimitsEvent):
    """An API key was made. Holds its label and how it begins, never the key."""

    name = "access.key_created"
    label = "Key made"


class KeyChanged(_KeyLimitsEvent):
    """The scopes, the end or the limit of an API key were changed."""

    name = "access.key_changed"
    label = "Key changed"

    old_scopes: list[str] = Field(default_factory=list)


class KeyRevoked(_KeyEvent):
    """An API key was revoked: it is refused from then on."""

    name = "access.key_revoked"
    label = "Key revoked"


class ModelTried(Event):
    """The operator had a task's model answer one short question, to see that it does. `error` "": it answered."""

    name = "memory.model_tried"
    label = "You tried a model"
    holds_speech = True

    task: str
    provider: str
    model: str = ""
    milliseconds: int
    usage: Usage = Usage()
    reply: str = ""
    error: str = ""
    kind: str = ""

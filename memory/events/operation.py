"""Events of operating the server: the retention sweep, the learning switch, API keys."""

from datetime import datetime

from pydantic import Field

from memory.events.base import Event


class RetentionSweep(Event):
    """Rows older than the retention were deleted (ADR-0020); of those that stay, `emptied` lost their values."""

    name = "memory.retention_sweep"
    label = "Swept"

    older_than: datetime
    rows: int
    episodes: int
    emptied: int = 0


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
    """`scopes`: what the key may do. `expires_at` None: no end. `requests_per_minute` None: no limit."""

    scopes: list[str] = Field(default_factory=list)
    expires_at: datetime | None = None
    requests_per_minute: int | None = None


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

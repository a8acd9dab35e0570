"""Events of facts: what was learned, and what the operator changed."""

from datetime import datetime

from memory.events.base import Event


class _FactEvent(Event):
    key: str

    @property
    def about_key(self) -> str | None:
        return self.key


class FactAdded(_FactEvent):
    """A new fact was learned."""

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


class _OperatorsWord(_FactEvent):
    """What the operator did to a fact. Beyond the retention the row is `emptied`: its key stays, no value does."""

    emptied: bool = False


class FactUserEdited(_OperatorsWord):
    """The operator corrected a fact. These rows are counted as its edits."""

    name = "memory.fact.user_edited"
    label = "You edited"

    old_value: str = ""
    new_value: str = ""


class FactUserAdded(_OperatorsWord):
    """The operator added a fact, or undid a deletion (`restored_from`: the deletion's row)."""

    name = "memory.fact.user_added"
    label = "You added"

    value: str = ""
    restored_from: int | None = None


class FactUserDeleted(_OperatorsWord):
    """The operator deleted a fact. Holds the whole fact, so that undo brings it back as it was, until it is emptied."""

    name = "memory.fact.user_deleted"
    label = "You deleted"

    value: str = ""
    confidence: float | None = None
    first_seen_at: datetime | None = None
    last_confirmed_at: datetime | None = None
    source_audit_id: int | None = None

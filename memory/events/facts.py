"""Events of facts: what was learned, and what the operator changed."""

from datetime import date, datetime

from pydantic import JsonValue, SerializerFunctionWrapHandler, model_serializer

from memory.events.base import Event

_ABSENT_WHERE_UNKNOWN = frozenset(
    (
        *("quote", "message", "start", "end", "valid_until", "old_valid_until", "retired_at", "waited", "kept_at"),
        *("confirmed_at", "old_confidence", "old_confirmed_at", "reverts", "edits", "is_gone", "along_with"),
    )
)


class _FactEvent(Event):
    key: str

    @model_serializer(mode="wrap")
    def _without_unknown(self, serialise: SerializerFunctionWrapHandler) -> dict[str, JsonValue]:
        fields: dict[str, JsonValue] = serialise(self)
        return {name: fields[name] for name in fields if name not in _ABSENT_WHERE_UNKNOWN or fields[name] is not None}

    @property
    def about_key(self) -> str | None:
        return self.key


class _Heard(_FactEvent):
    """What a chat said, and in which words.

    `quote`: the operator's words, from `start` to `end` of the own words of the message with this index; None where
    they are not known. `valid_until`: the last day the fact holds.
    """

    quote: str | None = None
    message: int | None = None
    start: int | None = None
    end: int | None = None
    valid_until: date | None = None


class FactAdded(_Heard):
    """A new fact was learned."""

    name = "memory.fact.added"
    label = "Learned"

    value: str
    confidence: float
    said_at: datetime


class FactUpdated(_Heard):
    """Newer evidence replaced a fact's value. `was_retired`: it had ended, and is true again with this value."""

    name = "memory.fact.updated"
    label = "Updated"

    old_value: str
    new_value: str
    old_confidence: float
    confidence: float
    said_at: datetime
    was_retired: bool = False


class FactRetired(_Heard):
    """The operator said that a fact is no longer true. It is kept, and put into no prompt.

    `asked`: they told the assistant to forget it. `reverts`: the row that brought it back, and was undone.
    `along_with`: the row of the operator's own word on the contrary fact, which ended this one.
    """

    name = "memory.fact.retired"
    label = "No longer true"

    value: str
    confidence: float
    said_at: datetime
    asked: bool = False
    reverts: int | None = None
    along_with: int | None = None


class FactConfirmed(_Heard):
    """The operator said a known fact again. `was_retired`: it had ended, and is true again."""

    name = "memory.fact.confirmed"
    label = "Confirmed"

    value: str
    confidence: float
    said_at: datetime
    was_retired: bool = False


class FactWaiting(_FactEvent):
    """The extractor gave a quote that the operator did not say: the claim waits for review, and is in no prompt.

    `restored_from`: the row of the operator dropping it, taken back.
    """

    name = "memory.fact.waiting"
    label = "Waits for review"

    value: str
    confidence: float
    quote: str
    said_at: datetime
    valid_until: date | None = None
    restored_from: int | None = None


class _Undoing(_FactEvent):
    """What the operator did to a fact, whole, so that it can be undone. `reverts`: the row of theirs that it undoes."""

    bound = "whole"

    reverts: int | None = None


class FactUserDropped(_Undoing):
    """The operator dropped a claim that waited for review. Holds the whole claim, so that undo brings it back."""

    name = "memory.fact.user_dropped"
    label = "You dropped"

    value: str
    confidence: float
    quote: str
    said_at: datetime
    valid_until: date | None = None
    source_audit_id: int | None = None


class _OperatorsWord(_Undoing):
    """The operator's word on a fact. Beyond the retention the row is `emptied`: its key stays, no value does."""

    emptied: bool = False


class FactUserEdited(_OperatorsWord):
    """The operator corrected a fact. These rows are counted as its edits.

    `retired_at`: since when the fact had ended that this brings back. `old_valid_until`: its last day, which was over.
    `waited`: the row of the claim that waited for review and was accepted. `old_confidence`, `old_confirmed_at`: as the
    fact was before, so that undo brings it back so. `edits`: what it adds to the number of the fact's edits, None for
    1: an edit and the one that takes it back count as none.
    """

    name = "memory.fact.user_edited"
    label = "You edited"

    old_value: str = ""
    new_value: str = ""
    old_confidence: float | None = None
    old_confirmed_at: datetime | None = None
    edits: int | None = None
    old_valid_until: date | None = None
    retired_at: datetime | None = None
    waited: int | None = None

    @property
    def edit_count(self) -> int | None:
        return self.edits


class FactUserConfirmed(_Undoing):
    """The operator said that a fact is still true: it is confirmed now, and nothing else. Counts as no edit.

    One that had ended (`retired_at`), or was past its last day (`old_valid_until`), holds again. With `reverts` it
    takes such a word back, and `confirmed_at` is the fact's date from then on; None: the time of the row.
    """

    name = "memory.fact.user_confirmed"
    label = "You confirmed"

    value: str
    confirmed_at: datetime | None = None
    old_confirmed_at: datetime | None = None
    retired_at: datetime | None = None
    old_valid_until: date | None = None


class FactUserKept(_Undoing):
    """The operator keeps a fact: it comes first in prompts."""

    name = "memory.fact.user_kept"
    label = "You kept"

    value: str


class FactUserUnkept(_Undoing):
    """The operator keeps a fact no longer: it goes by its importance again. `kept_at`: since when it was kept."""

    name = "memory.fact.user_unkept"
    label = "You stopped keeping"

    value: str
    kept_at: datetime | None = None


class FactUserLetGo(_Undoing):
    """The operator lets a fact leave the prompt: until it is confirmed again they are not asked about it any more.

    `is_gone`: whether it may leave from then on; None: unless the row takes another one back (`reverts`).
    """

    name = "memory.fact.user_let_go"
    label = "You let go"

    value: str
    is_gone: bool | None = None

    @property
    def lets_go(self) -> bool:
        """Whether the fact may leave the prompt from this row on."""
        return self.reverts is None if self.is_gone is None else self.is_gone


class FactUserDated(_Undoing):
    """The operator set the last day on which a fact holds, or took it away (None). Counts as no edit."""

    name = "memory.fact.user_dated"
    label = "You dated"

    value: str
    old_valid_until: date | None = None
    valid_until: date | None = None


class FactUserAdded(_OperatorsWord):
    """The operator added a fact, or brought one back that was deleted or had ended (`restored_from`: the row of that).

    `retired_at`: since when it had ended. `waited`: the row of the claim that waited for review and was accepted.
    `along_with`: the row that undid the operator's word on the contrary fact, which had ended this one.
    """

    name = "memory.fact.user_added"
    label = "You added"

    value: str = ""
    restored_from: int | None = None
    retired_at: datetime | None = None
    waited: int | None = None
    along_with: int | None = None


class FactUserDeleted(_OperatorsWord):
    """The operator deleted a fact. Holds the whole fact, so that undo brings it back as it was, until it is emptied."""

    name = "memory.fact.user_deleted"
    label = "You deleted"

    value: str = ""
    confidence: float | None = None
    first_seen_at: datetime | None = None
    last_confirmed_at: datetime | None = None
    source_audit_id: int | None = None
    retired_at: datetime | None = None
    valid_until: date | None = None
    kept_at: datetime | None = None

"""What happened to one fact, newest first: its values, who changed them, in which chat, in which words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from dashboard.fact.quotes import Quote, quote
from dashboard.shared.entries import readable
from memory import events
from memory.models import AuditRow
from memory.text.lines import one_line

STEPS_SHOWN = 25

_Heard = events.FactAdded | events.FactUpdated | events.FactConfirmed


@dataclass(frozen=True)
class Step:
    """One change of a fact. `value` is what it said from then on (of a deletion: until then), `old_value` before."""

    row: AuditRow
    label: str
    is_yours: bool = False
    is_deletion: bool = False
    is_beginning: bool = False
    value: str = ""
    old_value: str = ""
    confidence: float | None = None
    said_at: datetime | None = None
    restored_from: int | None = None
    chat_id: int | None = None
    is_said: bool = False
    quote: Quote | None = None

    @property
    def was_said_earlier(self) -> bool:
        """Whether the words are older than the row: a conversation that was sent in later."""
        return self.said_at is not None and (self.row.ts - self.said_at).total_seconds() >= 86_400


@dataclass(frozen=True)
class History:
    """A stretch of a fact's changes, and the id to continue before (None where they begin)."""

    steps: Sequence[Step]
    next_before: int | None

    @property
    def bumped_by(self) -> int | None:
        """The newest row here that moved the fact's freshness or confidence."""
        moved = (step.row.pk for step in self.steps if not step.is_deletion and step.restored_from is None)
        return next(moved, None)

    @property
    def begins_before(self) -> bool:
        """Whether the first thing that happened to the fact is no longer kept."""
        return self.next_before is None and bool(self.steps) and not self.steps[-1].is_beginning


def read_history(keys: Sequence[str], *, before: int | None) -> History:
    """The newest changes of the fact with one of these spellings of its key, with what was said. Two queries."""
    page = AuditRow.objects.get_queryset().filter(fact_key__in=keys).page(before=before, limit=STEPS_SHOWN)
    chats = _chats(page.rows)
    return History([_step(row, chats) for row in page.rows], page.next_before)


def _chats(rows: Iterable[AuditRow]) -> Mapping[int, events.ChatCompleted]:
    """{id: the chat} of those in which the fact was said and that are still there. One query."""
    ids = {row.chat_id for row in rows if row.chat_id is not None}
    read = [(row.pk, readable(row)) for row in AuditRow.objects.filter(pk__in=ids)] if ids else []
    return {number: event for number, event in read if isinstance(event, events.ChatCompleted)}


def _step(row: AuditRow, chats: Mapping[int, events.ChatCompleted]) -> Step:
    event = readable(row)
    if isinstance(event, _Heard):
        return _heard(row, event, chats)
    if isinstance(event, events.FactUserEdited):
        return Step(
            row,
            row.label,
            is_yours=True,
            value=one_line(event.new_value),
            old_value=one_line(event.old_value),
            confidence=1.0,
        )
    if isinstance(event, events.FactUserDeleted):
        return Step(
            row,
            row.label,
            is_yours=True,
            is_deletion=True,
            value=one_line(event.value),
            confidence=event.confidence,
        )
    if isinstance(event, events.FactUserAdded):
        return _added(row, event)
    return Step(row, row.label)


def _added(row: AuditRow, event: events.FactUserAdded) -> Step:
    is_undo = event.restored_from is not None
    return Step(
        row,
        "You brought it back" if is_undo else row.label,
        is_yours=True,
        is_beginning=not is_undo,
        value=one_line(event.value),
        confidence=None if is_undo else 1.0,
        restored_from=event.restored_from,
    )


def _heard(row: AuditRow, event: _Heard, chats: Mapping[int, events.ChatCompleted]) -> Step:
    value = event.new_value if isinstance(event, events.FactUpdated) else event.value
    chat = None if row.chat_id is None else chats.get(row.chat_id)
    return Step(
        row,
        row.label,
        is_beginning=isinstance(event, events.FactAdded),
        value=one_line(value),
        old_value=one_line(event.old_value) if isinstance(event, events.FactUpdated) else "",
        confidence=event.confidence,
        said_at=event.said_at,
        chat_id=row.chat_id,
        is_said=True,
        quote=quote(chat, value) if chat else None,
    )

"""The history of one fact, newest first: its values, who changed them, in which chat and in which words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from dashboard.fact.quotes import Quote, find_quote, stored_quote
from dashboard.facts.rows import FRESHNESS_EVENTS
from dashboard.shared.audit_entries import parsed_event
from dashboard.shared.undoing import TakenBack, does_again, label_of, taken_back
from memory import events
from memory.models import AuditRow, UndoState, value_after
from memory.text.lines import one_line

STEPS_SHOWN = 25
_MOVING = frozenset(kind.name for kind in FRESHNESS_EVENTS)

_LearnedEvent = events.FactAdded | events.FactUpdated | events.FactConfirmed | events.FactRetired
_ReviewEvent = events.FactWaiting | events.FactUserDropped


@dataclass(frozen=True)
class HistoryStep:
    """One change of a fact. `value`: from then on (for a deletion: until then). `old_value`: before the change.

    `is_emptied`: it is older than the retention, and its values are no longer kept.
    """

    row: AuditRow
    label: str
    is_yours: bool = False
    is_deletion: bool = False
    is_beginning: bool = False
    is_emptied: bool = False
    value: str = ""
    old_value: str = ""
    confidence: float | None = None
    said_at: datetime | None = None
    restored_from: int | None = None
    chat_id: int | None = None
    is_said: bool = False
    quote: Quote | None = None
    note: str = ""
    """More about the change, in words."""
    value_again: str = ""
    """The value as it is stored, which the fact may be given again; "" where it has it, or cannot be given it."""
    taken: TakenBack | None = None
    """What the operator took back by it."""
    is_undone: bool = False
    can_be_undone: bool = False

    @property
    def moves_freshness(self) -> bool:
        """Whether the fact's freshness and confidence are what this made them, unless a later step does."""
        is_back = self.restored_from is not None or self.row.payload.get("reverts") is not None
        return self.row.event_type in _MOVING and not is_back and not self.is_undone

    @property
    def was_said_earlier(self) -> bool:
        """Whether it was said a day or more before the row was written: the conversation was sent in later."""
        return self.said_at is not None and (self.row.ts - self.said_at).total_seconds() >= 86_400


@dataclass(frozen=True)
class FactHistory:
    """One page of a fact's changes. `next_before`: the id to continue before; None on the last page."""

    steps: Sequence[HistoryStep]
    next_before: int | None

    @property
    def bumped_by(self) -> int | None:
        """The id of the newest row on this page that moved the fact's freshness or confidence."""
        moved = (step.row.pk for step in self.steps if step.moves_freshness)
        return next(moved, None)

    @property
    def begins_before(self) -> bool:
        """Whether the beginning of its history is no longer kept."""
        return self.next_before is None and bool(self.steps) and not self.steps[-1].is_beginning


def read_history(keys: Sequence[str], *, before: int | None, current: str | None) -> FactHistory:
    """The newest changes of the fact, with quotes. Three queries. `keys`: the spellings its key may have in the rows.

    `current`: the value it has now; None where there is no such fact.
    """
    page = AuditRow.objects.get_queryset().filter(fact_key__in=keys).page(before=before, limit=STEPS_SHOWN)
    chats = _read_chats(page.rows)
    undo = UndoState.of(page.rows)
    steps = [
        replace(
            _history_step(row, chats),
            value_again="" if current in (None, value_after(row)) else value_after(row),
            is_undone=row.pk in undo.undone,
            can_be_undone=row.pk in undo.undoable,
        )
        for row in page.rows
    ]
    return FactHistory(steps, page.next_before)


def _read_chats(rows: Iterable[AuditRow]) -> Mapping[int, events.ChatCompleted]:
    """{id: the chat} of the chats in which the fact was said, as far as they are kept. One query."""
    ids = {row.chat_id for row in rows if row.chat_id is not None}
    read = [(row.pk, parsed_event(row)) for row in AuditRow.objects.filter(pk__in=ids)] if ids else []
    return {number: event for number, event in read if isinstance(event, events.ChatCompleted)}


def _history_step(row: AuditRow, chats: Mapping[int, events.ChatCompleted]) -> HistoryStep:
    event = parsed_event(row)
    taken = taken_back(event)
    if taken is not None:
        return _taking_back_step(row, event, taken)
    if isinstance(event, _LearnedEvent):
        return _learned_step(row, event, chats)
    if isinstance(event, events.FactUserEdited):
        return HistoryStep(
            row,
            row.label,
            is_yours=True,
            is_emptied=event.emptied,
            value=one_line(event.new_value),
            old_value=one_line(event.old_value),
            confidence=1.0,
            note="again" if does_again(event) else _accepted(event.waited),
        )
    if isinstance(event, events.FactUserDeleted):
        return HistoryStep(
            row,
            row.label,
            is_yours=True,
            is_deletion=True,
            is_emptied=event.emptied,
            value=one_line(event.value),
            confidence=event.confidence,
        )
    if isinstance(event, events.FactUserAdded):
        return _added_step(row, event)
    if isinstance(event, events.FactUserConfirmed):
        return HistoryStep(row, row.label, is_yours=True, value=one_line(event.value), note=_confirmed_note(event))
    if isinstance(event, events.FactUserKept | events.FactUserUnkept):
        note = "first in the prompt" if isinstance(event, events.FactUserKept) else "it goes by its importance"
        return HistoryStep(row, row.label, is_yours=True, note=note)
    if isinstance(event, events.FactUserDated):
        holds = f"to hold until {_day_words(event.valid_until)}" if event.valid_until else "to hold without an end"
        return HistoryStep(row, row.label, is_yours=True, note=holds)
    if isinstance(event, _ReviewEvent):
        note = "which waited for review" if isinstance(event, events.FactUserDropped) else _unsaid(event.quote)
        return HistoryStep(row, row.label, is_beginning=True, value=one_line(event.value), note=note)
    return HistoryStep(row, row.label)


def _taking_back_step(row: AuditRow, event: events.Event | None, taken: TakenBack) -> HistoryStep:
    """A step that takes one back: which word or act, and how things are since."""
    is_deletion = isinstance(event, events.FactUserDeleted)
    restored_from = getattr(event, "restored_from", None)
    return HistoryStep(
        row,
        label_of(event, row.label),
        is_yours=True,
        is_deletion=is_deletion,
        is_emptied=getattr(event, "emptied", False),
        value=one_line(getattr(event, "value", "")),
        restored_from=restored_from if isinstance(restored_from, int) else None,
        note=taken.note,
        taken=taken,
    )


def _added_step(row: AuditRow, event: events.FactUserAdded) -> HistoryStep:
    had_ended = event.retired_at is not None
    return HistoryStep(
        row,
        label_of(event, row.label),
        is_yours=True,
        is_beginning=not had_ended,
        is_emptied=event.emptied,
        value=one_line(event.value),
        confidence=None if had_ended else 1.0,
        note="after it had ended" if event.retired_at else _accepted(event.waited),
    )


def _confirmed_note(event: events.FactUserConfirmed) -> str:
    if does_again(event):
        return "still true, said again after you took it back"
    return "true again" if event.retired_at else "still true"


def _accepted(waited: int | None) -> str:
    return "which waited for review" if waited else ""


def _learned_step(row: AuditRow, event: _LearnedEvent, chats: Mapping[int, events.ChatCompleted]) -> HistoryStep:
    value = event.new_value if isinstance(event, events.FactUpdated) else event.value
    chat = None if row.chat_id is None else chats.get(row.chat_id)
    return HistoryStep(
        row,
        row.label,
        is_beginning=isinstance(event, events.FactAdded),
        value=one_line(value),
        old_value=one_line(event.old_value) if isinstance(event, events.FactUpdated) else "",
        confidence=None if isinstance(event, events.FactRetired) else event.confidence,
        said_at=event.said_at,
        chat_id=row.chat_id,
        is_said=True,
        quote=stored_quote(chat, event) or (find_quote(chat, value) if chat else None),
        note=_standing_note(event),
    )


def _unsaid(quote: str) -> str:
    return f"not your words: “{one_line(quote)}”" if quote else "no words of yours say so"


def _day_words(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def _standing_note(event: _LearnedEvent) -> str:
    """What a chat said about how long the fact holds."""
    if isinstance(event, events.FactRetired):
        return "you asked to forget it" if event.asked else ""
    again = "true again" if not isinstance(event, events.FactAdded) and event.was_retired else ""
    until = f"until {_day_words(event.valid_until)}" if event.valid_until else ""
    return ", ".join(filter(None, (again, until)))

"""The rows of undoing in words: "You took back: “Still true” for a fact", not "You confirmed: no longer"."""

from dataclasses import dataclass
from datetime import date

from memory import events

TOOK_BACK = "You took back"


@dataclass(frozen=True)
class TakenBack:
    """What one row took back. `what`: the word or act, `about`: how the fact follows it ("for", "of"); `note`: how
    things are since; `row_id`: the row that was taken back.
    """

    what: str
    about: str
    note: str
    row_id: int


def taken_back(event: events.Event | None) -> TakenBack | None:
    """What this event took back of the operator's; None where it did something, also where it did that again."""
    reverts = _taken_row(event)
    if event is None or reverts is None or _does_again(event):
        return None
    match event:
        case events.FactUserConfirmed():
            said = ("“Still true”", "for", "its date is as before")
        case events.FactUserUnkept():
            said = ("“Keep”", "for", "it goes by its importance again")
        case events.FactUserKept():
            said = ("“Stop keeping”", "for", "it comes first in the prompt again")
        case events.FactUserLetGo():
            said = ("“Let go”", "for", "you are asked again before it leaves the prompt")
        case events.FactUserDated():
            said = ("the last day", "of", _holds(event.valid_until))
        case events.FactUserEdited():
            said = ("your edit", "of", f"it is “{event.new_value}” again, not “{event.old_value}”")
        case events.FactRetired():
            said = ("“Bring it back”", "for", "it is no longer true again")
        case events.FactUserDeleted():
            said = ("adding", "", "it is gone again")
        case events.FactUserAdded():
            said = ("the deletion", "of", "it is there again")
        case events.FactWaiting():
            said = ("“Drop”", "for", "it waits again")
        case _:
            return None
    return TakenBack(*said, reverts)


def label_of(event: events.Event | None, label: str) -> str:
    """The words before the sentence of a row. `label`: those of its kind."""
    if taken_back(event) is not None:
        return TOOK_BACK
    is_back = isinstance(event, events.FactUserAdded) and event.retired_at is not None
    return "You brought back" if is_back else label


def does_again(event: events.Event | None) -> bool:
    """Whether the row takes an undoing back: what had been undone is done again."""
    return event is not None and _taken_row(event) is not None and _does_again(event)


def _taken_row(event: events.Event | None) -> int | None:
    """The row that this one takes back. An ended fact that is brought back is no undoing: that is a verb."""
    if isinstance(event, events.FactUserAdded):
        return None if event.retired_at or event.along_with else event.restored_from
    if isinstance(event, events.FactWaiting):
        return event.restored_from
    reverts = getattr(event, "reverts", None)
    return reverts if isinstance(reverts, int) else None


def _does_again(event: events.Event) -> bool:
    if isinstance(event, events.FactUserEdited):
        return (event.edits or -1) > 0
    if isinstance(event, events.FactUserConfirmed):
        now, before = event.confirmed_at, event.old_confirmed_at
        return now is not None and before is not None and now > before
    return isinstance(event, events.FactUserDropped) or (isinstance(event, events.FactUserLetGo) and event.lets_go)


def _holds(day: date | None) -> str:
    return f"it holds until {day.day} {day:%B %Y} again" if day else "it holds without an end again"

"""Audit rows with what their sentences need. Nothing here fails on an old or foreign row: what does not parse is an
entry without an event."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.template.defaultfilters import pluralize
from pydantic import ValidationError

from memory import events, transcript, wording
from memory.lines import one_line, shorten
from memory.models import AuditRow

_PREVIEW_CHARS = 110
_PROBLEM_CHARS = 220

_Told = events.FactAdded | events.FactConfirmed | events.FactUserAdded | events.FactUserDeleted
_OfOneTurn = events.ContextServed | events.EpisodeRecalled

_REASONS = {
    "bad_answer": "the model's answers could not be used",
    "unreadable": "its row could not be read",
    "worker_died": "the worker died on it each time",
    "fault_of_this_chat": "other chats could be read meanwhile",
    "skipped": "you skipped it",
    "trivial": "nothing in it is worth a summary",
    "replay": "it repeats an earlier one",
    "nothing_new": "you said nothing new in it",
}


@dataclass(frozen=True)
class Entry:
    """One row and what its sentence needs. `event` is None where the row does not parse."""

    row: AuditRow
    event: events.Event | None
    receipt: events.ContextServed | None = None
    """Of a chat: what its turn was given. Of a receipt: itself."""
    turn_chat_id: int | None = None
    """Of what was put into a prompt: the chat of that turn."""

    @property
    def kind(self) -> str:
        """The event's class, by which the template chooses the sentence."""
        return type(self.event).__name__ if self.event else ""

    @property
    def sentence(self) -> str:
        """The fact an event is about, as a prompt says it; "" where an event is not about one value."""
        return wording.sentence(self.event.key, self.event.value) if isinstance(self.event, _Told) else ""

    @property
    def preview(self) -> str:
        """The beginning of what the operator said last in a chat."""
        if not isinstance(self.event, events.ChatCompleted):
            return ""
        return shorten(one_line(transcript.last_operator_text(self.event.messages)), _PREVIEW_CHARS)

    @property
    def problem(self) -> str:
        """What went wrong, short enough for one row."""
        return shorten(one_line(getattr(self.event, "error", "")), _PROBLEM_CHARS)

    @property
    def because(self) -> str:
        """Why a chat was given up or not summed up, in words."""
        return _REASONS.get(getattr(self.event, "reason", ""), "")

    @property
    def put_in(self) -> str:
        """What memory put into the prompt, counted: "9 facts, 1 episode"; "nothing"."""
        if self.receipt is None:
            return ""
        counts = ((len(self.receipt.facts), "fact"), (len(self.receipt.episodes), "episode"))
        return ", ".join(f"{count} {noun}{pluralize(count)}" for count, noun in counts if count) or "nothing"


def entries(rows: Sequence[AuditRow]) -> list[Entry]:
    """The rows with what their sentences need. At most two queries: the receipts of chats, the chats of receipts."""
    read = [(row, readable(row)) for row in rows]
    receipts = _receipts_of([row for row, event in read if isinstance(event, events.ChatCompleted)])
    chats = _chats_of([row for row, event in read if isinstance(event, _OfOneTurn)])
    return [_entry(row, event, receipts, chats) for row, event in read]


def _entry(
    row: AuditRow,
    event: events.Event | None,
    receipts: Mapping[str | None, events.ContextServed],
    chats: Mapping[str | None, int],
) -> Entry:
    if isinstance(event, events.ChatCompleted):
        return Entry(row, event, receipt=receipts.get(row.decision_id))
    if isinstance(event, _OfOneTurn):
        receipt = event if isinstance(event, events.ContextServed) else None
        return Entry(row, event, receipt=receipt, turn_chat_id=chats.get(row.decision_id))
    return Entry(row, event)


def readable(row: AuditRow) -> events.Event | None:
    """The row's typed payload, or None where no version of ours wrote it."""
    try:
        return row.event
    except (KeyError, ValidationError):
        return None


def _receipts_of(chats: Iterable[AuditRow]) -> Mapping[str | None, events.ContextServed]:
    """{decision id: the receipt of that turn}. One query, none without chats that have an id."""
    decisions = [chat.decision_id for chat in chats if chat.decision_id]
    rows = AuditRow.objects.get_queryset().of_type(events.ContextServed).filter(decision_id__in=decisions)
    read = [(row.decision_id, readable(row)) for row in rows] if decisions else []
    return {decision: event for decision, event in read if isinstance(event, events.ContextServed)}


def _chats_of(rows: Iterable[AuditRow]) -> Mapping[str | None, int]:
    """{decision id: id of that turn's chat}. One query, none without rows that have an id."""
    decisions = [row.decision_id for row in rows if row.decision_id]
    chats = AuditRow.objects.get_queryset().chats().filter(decision_id__in=decisions)
    return dict(chats.values_list("decision_id", "id")) if decisions else {}

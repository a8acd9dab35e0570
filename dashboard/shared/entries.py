"""Audit rows with what their sentences need. Nothing here fails on an old or foreign row: what does not parse is an
entry without an event."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.conf import settings
from django.db.models import Count
from django.template.defaultfilters import pluralize
from pydantic import ValidationError

from dashboard.shared.highlights import Piece, excerpt
from memory import events, transcript
from memory.conversation import Conversation
from memory.models import AuditRow
from memory.text import wording
from memory.text.lines import encodable, one_line, shorten

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
    "memory_off": "its client switched memory off for it (X-Memory: off)",
    "task_prompt": "an errand of the client's own, no conversation",
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
    recalled_said_at: datetime | None = None
    """Of a recall: when the recalled chat took place; None where that chat is gone."""
    found: Sequence[Piece] = field(default=())
    """Of a chat that a search found: the words around what was looked for."""
    turns: int = 0
    """Of a chat whose client named its conversation: how many turns that has by now."""

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
        return shorten(one_line(Conversation(self.event.messages).question), _PREVIEW_CHARS)

    @property
    def recalled_when(self) -> str:
        """How long before its recall the recalled chat took place, in words; "" where that is not known."""
        if self.recalled_said_at is None:
            return ""
        return wording.time_words(self.recalled_said_at, self.row.ts, settings.CAESAR.zone)

    @property
    def problem(self) -> str:
        """What went wrong, short enough for one row."""
        return shorten(one_line(getattr(self.event, "error", "")), _PROBLEM_CHARS)

    @property
    def because(self) -> str:
        """Why a chat was given up, not summed up or passed through, in words."""
        return _REASONS.get(getattr(self.event, "reason", ""), "")

    @property
    def beginning(self) -> str:
        """How a call that was passed through begins, "" where that is not kept."""
        return shorten(one_line(getattr(self.event, "beginning", "")), _PREVIEW_CHARS)

    @property
    def put_in(self) -> str:
        """What memory put into the prompt, counted: "9 facts, 1 episode"; "nothing"."""
        if self.receipt is None:
            return ""
        counts = ((len(self.receipt.facts), "fact"), (len(self.receipt.episodes), "episode"))
        return ", ".join(f"{count} {noun}{pluralize(count)}" for count, noun in counts if count) or "nothing"


@dataclass(frozen=True)
class _Around:
    """What was read about other rows, for all entries at once."""

    receipts: Mapping[str | None, events.ContextServed]
    turn_chats: Mapping[str | None, int]
    recalled_times: Mapping[int, datetime]
    turns: Mapping[str | None, int]
    search: str


def entries(rows: Sequence[AuditRow], *, search: str = "") -> list[Entry]:
    """The rows with what their sentences need; `search`: what found them. At most four queries: the receipts of chats
    and the turns of their conversations, the chats of receipts, the chats that were recalled."""
    read = [(row, readable(row)) for row in rows]
    chats = [row for row, event in read if isinstance(event, events.ChatCompleted)]
    around = _Around(
        _receipts_of(chats),
        _chats_of([row for row, event in read if isinstance(event, _OfOneTurn)]),
        _times_of([event.audit_log_id for _, event in read if isinstance(event, events.EpisodeRecalled)]),
        _turns_of(chats),
        search,
    )
    return [_entry(row, event, around) for row, event in read]


def _entry(row: AuditRow, event: events.Event | None, around: _Around) -> Entry:
    if isinstance(event, events.ChatCompleted):
        return Entry(
            row,
            event,
            receipt=around.receipts.get(row.decision_id),
            found=_found(event, around.search),
            turns=around.turns.get(row.conversation_id, 0),
        )
    turn_chat_id = around.turn_chats.get(row.decision_id)
    if isinstance(event, events.ContextServed):
        return Entry(row, event, receipt=event, turn_chat_id=turn_chat_id)
    if isinstance(event, events.EpisodeRecalled):
        said_at = around.recalled_times.get(event.audit_log_id)
        return Entry(row, event, turn_chat_id=turn_chat_id, recalled_said_at=said_at)
    return Entry(row, event)


def _found(chat: events.ChatCompleted, search: str) -> Sequence[Piece]:
    """The first of its texts that holds words of the search, the operator's last ones before all others."""
    tried = (excerpt(text, search, max_chars=_PREVIEW_CHARS) for text in _texts(chat)) if search else iter(())
    return next((pieces for pieces in tried if pieces), ())


def _texts(chat: events.ChatCompleted) -> Iterator[str]:
    yield Conversation(chat.messages).question
    yield encodable(chat.reply)
    yield from (transcript.plain_text(message) for message in reversed(chat.messages))


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


def _turns_of(chats: Iterable[AuditRow]) -> Mapping[str | None, int]:
    """{conversation id: how many chats it has}. One query, none without chats that have an id."""
    named = {chat.conversation_id for chat in chats if chat.conversation_id}
    rows = AuditRow.objects.get_queryset().chats().filter(conversation_id__in=named)
    counted = rows.values("conversation_id").annotate(turns=Count("pk")) if named else []
    return {row["conversation_id"]: row["turns"] for row in counted}


def _times_of(recalled: Sequence[int]) -> Mapping[int, datetime]:
    """{id of a chat: when it took place}. One query, none without chats."""
    rows = AuditRow.objects.filter(pk__in=set(recalled)) if recalled else []
    chats = [(row, readable(row)) for row in rows]
    return {row.pk: event.occurred_at or row.ts for row, event in chats if isinstance(event, events.ChatCompleted)}

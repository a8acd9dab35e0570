"""Audit rows, parsed and joined with what the pages say about them.

An old or foreign row breaks nothing: where the payload does not parse, the entry has no event.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import NamedTuple

from django.conf import settings
from django.db.models import Count, QuerySet, Value, prefetch_related_objects
from django.db.models.functions import Coalesce
from django.template.defaultfilters import pluralize
from pydantic import JsonValue, ValidationError

from dashboard.shared.highlights import TextSegment, search_snippet
from dashboard.shared.undoing import TakenBack, does_again, label_of, taken_back
from memory import events, transcript
from memory.conversation import Conversation
from memory.models import AuditRow, DeletedEpisode, UndoState
from memory.text import wording
from memory.text.lines import encodable, one_line, shorten

_PREVIEW_CHARS = 110
_PROBLEM_CHARS = 220

_OneValueEvent = (
    events.FactAdded
    | events.FactConfirmed
    | events.FactUserAdded
    | events.FactUserDeleted
    | events.FactRetired
    | events.FactUserConfirmed
    | events.FactUserKept
    | events.FactUserLetGo
    | events.FactUserUnkept
    | events.FactUserDated
    | events.FactWaiting
    | events.FactUserDropped
)
_TurnEvent = events.ContextServed | events.EpisodeRecalled

_REASON_WORDS = {
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
    "errand": "an errand, as its client says (X-Memory-Task: errand)",
    "temporary": "a chat that its client calls temporary",
    "other_person": "somebody else than you",
}


@dataclass(frozen=True)
class AuditEntry:
    """One audit row with what its sentence on a page needs. `event` is None where the payload does not parse."""

    row: AuditRow
    event: events.Event | None
    receipt: events.ContextServed | None = None
    """For a chat: the receipt of its turn. For a receipt: the event itself."""
    turn_chat_id: int | None = None
    """For a receipt or a recall: the chat of the same turn."""
    recalled_said_at: datetime | None = None
    """For a recall: when the recalled chat took place; None where that chat is gone."""
    found: Sequence[TextSegment] = field(default=())
    """For a chat that a search found: the words around the match."""
    turns: int = 0
    """For a chat with a conversation id: how many turns that conversation has by now."""
    steps: int = 0
    """For a chat: how many more rows its turn has."""
    can_be_undone: bool = False
    """For what the operator did: whether it can be taken back."""
    can_episode_return: bool = False
    """For the deletion of an episode: whether that is kept and can be brought back."""
    search: str = ""
    """The text that found it."""

    @property
    def kind(self) -> str:
        """The name of the event's class, by which the template chooses the sentence."""
        return type(self.event).__name__ if self.event else ""

    @property
    def label(self) -> str:
        """The words before its sentence: those of its kind, or that something was taken back."""
        return label_of(self.event, self.row.label)

    @property
    def taken_back(self) -> TakenBack | None:
        """What the operator took back by it; None where it did something."""
        return taken_back(self.event)

    @property
    def is_again(self) -> bool:
        """Whether it does again what had been undone."""
        return does_again(self.event)

    @property
    def sentence(self) -> str:
        """The fact an event is about, worded as in a prompt; "" where the event is not about one value, or emptied."""
        if not isinstance(self.event, _OneValueEvent) or self.is_emptied:
            return ""
        return wording.sentence(self.event.key, self.event.value)

    @property
    def is_emptied(self) -> bool:
        """Whether this is a row of the operator's whose values were older than the retention."""
        return getattr(self.event, "emptied", None) is True

    @property
    def preview(self) -> str:
        """The beginning of what the operator said last in a chat."""
        if not isinstance(self.event, events.ChatCompleted):
            return ""
        return shorten(one_line(Conversation(self.event.messages).question), _PREVIEW_CHARS)

    @property
    def excerpt(self) -> Sequence[TextSegment]:
        """The words around the match in the first text of the payload that has some, names of facts last."""
        texts = sorted(_texts_in(self.row.payload), key=lambda text: text.is_name)
        tried = (search_snippet(encodable(text.words), self.search, max_chars=_PREVIEW_CHARS) for text in texts)
        return next((pieces for pieces in tried if pieces), ()) if self.search else ()

    @property
    def recalled_when(self) -> str:
        """How long before its recall the recalled chat took place, in words; "" where that is unknown."""
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
        return _REASON_WORDS.get(getattr(self.event, "reason", ""), "")

    @property
    def beginning(self) -> str:
        """The beginning of a call that was passed through; "" where it was not kept."""
        return shorten(one_line(getattr(self.event, "beginning", "")), _PREVIEW_CHARS)

    @property
    def put_in(self) -> str:
        """What memory put into the prompt: "9 facts, 1 episode", or "nothing"."""
        if self.receipt is None:
            return ""
        counts = ((len(self.receipt.facts), "fact"), (len(self.receipt.episodes), "episode"))
        return ", ".join(f"{count} {noun}{pluralize(count)}" for count, noun in counts if count) or "nothing"


@dataclass(frozen=True)
class _RelatedRows:
    """What was read from other rows, for all entries at once."""

    receipts: Mapping[str | None, events.ContextServed]
    turn_chats: Mapping[str | None, int]
    recalled_times: Mapping[int, datetime]
    turns: Mapping[str | None, int]
    steps: Mapping[int | None, int]
    undo: UndoState
    kept_episodes: Set[int]
    search: str


def read_entries(rows: Sequence[AuditRow], *, search: str = "") -> list[AuditEntry]:
    """One entry for each row, in at most seven queries. `search`: the text that found the rows.

    The queries read the receipts of chats, the chats of receipts, the recalled chats, the turns in each conversation,
    the steps of each turn, the clients' keys, what was done later to the facts that the operator
    changed, and which deleted episodes are kept.
    """
    prefetch_related_objects([row for row in rows if row.api_key_id is not None and not row.actor], "api_key")
    read = [(row, parsed_event(row)) for row in rows]
    chats = [row for row, event in read if isinstance(event, events.ChatCompleted)]
    related = _RelatedRows(
        _receipts_of(chats),
        _chats_of([row for row, event in read if isinstance(event, _TurnEvent)]),
        _times_of([event.audit_log_id for _, event in read if isinstance(event, events.EpisodeRecalled)]),
        _turns_of(chats),
        _steps_of(chats),
        UndoState.of(rows),
        _kept_episodes([row.pk for row, event in read if isinstance(event, events.EpisodeUserDeleted)]),
        search,
    )
    return [_audit_entry(row, event, related) for row, event in read]


def _audit_entry(row: AuditRow, event: events.Event | None, related: _RelatedRows) -> AuditEntry:
    if isinstance(event, events.ChatCompleted):
        return AuditEntry(
            row,
            event,
            receipt=related.receipts.get(row.decision_id),
            found=_search_snippet(event, related.search),
            turns=related.turns.get(row.conversation_id, 0),
            steps=related.steps.get(row.pk, 0),
            search=related.search,
        )
    entry = AuditEntry(row, event, search=related.search)
    turn_chat_id = related.turn_chats.get(row.decision_id)
    if isinstance(event, events.ContextServed):
        return replace(entry, receipt=event, turn_chat_id=turn_chat_id)
    if isinstance(event, events.EpisodeRecalled):
        said_at = related.recalled_times.get(event.audit_log_id)
        return replace(entry, turn_chat_id=turn_chat_id, recalled_said_at=said_at)
    return replace(
        entry, can_be_undone=row.pk in related.undo.undoable, can_episode_return=row.pk in related.kept_episodes
    )


def _kept_episodes(deletions: Sequence[int]) -> Set[int]:
    """Those of these deletions whose episode can be brought back. One query; none without deletions."""
    kept = DeletedEpisode.objects.filter(deletion__in=deletions) if deletions else DeletedEpisode.objects.none()
    return set(kept.values_list("deletion_id", flat=True))


class _PayloadText(NamedTuple):
    """A text in a payload. `is_name`: it is the key of a fact."""

    words: str
    is_name: bool


def _texts_in(value: JsonValue, name: str = "") -> Iterator[_PayloadText]:
    """The texts of a payload that are searched, as far as they were said or made up: none of protocol fields."""
    if isinstance(value, str):
        yield _PayloadText(value, name == "key")
    elif isinstance(value, list):
        for item in value:
            yield from _texts_in(item, name)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key not in events.PLAIN_KEYS and key != "block":
                yield from _texts_in(item, key)


def _search_snippet(chat: events.ChatCompleted, search: str) -> Sequence[TextSegment]:
    """A snippet of the chat's first text that holds words of the search; the operator's last message is tried first."""
    tried = (
        (search_snippet(text, search, max_chars=_PREVIEW_CHARS) for text in _searched_texts(chat))
        if search
        else iter(())
    )
    return next((pieces for pieces in tried if pieces), ())


def _searched_texts(chat: events.ChatCompleted) -> Iterator[str]:
    """The texts of a chat in the order in which a snippet is looked for."""
    yield Conversation(chat.messages).question
    yield encodable(chat.reply)
    yield from (transcript.plain_text(message) for message in reversed(chat.messages))


def parsed_event(row: AuditRow) -> events.Event | None:
    """The row's typed payload; None where it is of no known event."""
    try:
        return row.event
    except (KeyError, ValidationError):
        return None


def _only(kind: type[events.Event], rows: QuerySet[AuditRow]) -> QuerySet[AuditRow]:
    """Those of an event, told by no index of events: SQLite would read every row of the event for a handful of ids."""
    return rows.alias(told_apart=Coalesce("event_type", Value(""))).filter(told_apart=kind.name)


def _receipts_of(chats: Iterable[AuditRow]) -> Mapping[str | None, events.ContextServed]:
    """{decision id: the receipt of that turn}. One query; none where no chat has an id."""
    decisions = [chat.decision_id for chat in chats if chat.decision_id]
    rows = _only(events.ContextServed, AuditRow.objects.filter(decision_id__in=decisions))
    read = [(row.decision_id, parsed_event(row)) for row in rows] if decisions else []
    return {decision: event for decision, event in read if isinstance(event, events.ContextServed)}


def _chats_of(rows: Iterable[AuditRow]) -> Mapping[str | None, int]:
    """{decision id: id of that turn's chat}. One query; none where no row has an id."""
    decisions = [row.decision_id for row in rows if row.decision_id]
    chats = _only(events.ChatCompleted, AuditRow.objects.filter(decision_id__in=decisions))
    return dict(chats.values_list("decision_id", "id")) if decisions else {}


def _turns_of(chats: Iterable[AuditRow]) -> Mapping[str | None, int]:
    """{conversation id: how many chats it has}. One query; none where no chat has an id."""
    named = {chat.conversation_id for chat in chats if chat.conversation_id}
    rows = _only(events.ChatCompleted, AuditRow.objects.filter(conversation_id__in=named, chat__isnull=True))
    counted = rows.values("conversation_id").annotate(turns=Count("pk")) if named else []
    return {row["conversation_id"]: row["turns"] for row in counted}


def _steps_of(chats: Sequence[AuditRow]) -> Mapping[int | None, int]:
    """{id of a chat: how many more rows its turn has}. One query; none without chats."""
    rows = _only(events.ChatCompleted, AuditRow.objects.filter(chat__in=[chat.pk for chat in chats]))
    counted = rows.values("chat_id").annotate(steps=Count("pk")) if chats else []
    return {row["chat_id"]: row["steps"] for row in counted}


def _times_of(recalled: Sequence[int]) -> Mapping[int, datetime]:
    """{id of a chat: when it took place}. One query; none without chats."""
    rows = AuditRow.objects.filter(pk__in=set(recalled)) if recalled else []
    chats = [(row, parsed_event(row)) for row in rows]
    return {row.pk: event.occurred_at or row.ts for row, event in chats if isinstance(event, events.ChatCompleted)}

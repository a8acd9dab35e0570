"""What memory has under one id: a fact with its history, an episode, a chat; as fields and as text to read."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Literal, NamedTuple

from django.conf import settings
from pydantic import BaseModel, Field

from memory import events, transcript
from memory.api.responses import Timestamp
from memory.conversation import said_pieces
from memory.mcp.calls import Call
from memory.models import AuditRow, EpisodeSummary, PersonalFact
from memory.recall.explicit.corrections import corrections
from memory.text.lines import cut_middle, encodable, shorten

Kind = Literal["fact", "episode", "chat"]

_MOST_MESSAGE_CHARS = 8_000
_MOST_MESSAGES = 60
_MOST_CHANGES = 30
_MOST_TITLE_CHARS = 120
_LARGEST_ID = 2**63 - 1
_BEFORE = datetime(1970, 1, 1, tzinfo=UTC)


class Id(NamedTuple):
    """Where a memory is: `fact:dog.name`, `episode:12`, `chat:34`."""

    kind: Kind
    name: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"

    @property
    def number(self) -> int | None:
        """The id of its row; None for what is none."""
        digits = self.name if self.name.isascii() and self.name.isdigit() and len(self.name) < 20 else ""
        return int(digits) if digits and int(digits) <= _LARGEST_ID else None

    @classmethod
    def of(cls, text: str) -> "Id":
        """The id in a text. What names no kind is the key of a fact."""
        kind, colon, name = text.strip().partition(":")
        for known in ("fact", "episode", "chat"):
            if colon and kind == known:
                return cls(known, name)
        return cls("fact", text.strip())


class Change(BaseModel):
    """One thing that happened to a fact. `value`: what it said from then on, where it is kept and was not deleted."""

    when: Timestamp
    what: str
    value: str | None = None
    by: str | None = None


class Said(BaseModel):
    """One message of a chat."""

    role: str
    text: str


class Memory(BaseModel):
    """One fact, episode or chat. `text` says all of it in words; the fields below it depend on the kind."""

    id: str
    kind: Kind
    title: str
    text: str
    when: Timestamp
    """When it was last confirmed (a fact), or took place."""
    url: str
    """Its page on the dashboard, for the operator."""
    key: str | None = None
    value: str | None = None
    confidence: float | None = None
    importance: float | None = None
    first_seen_at: Timestamp | None = None
    ended_at: Timestamp | None = None
    """Since when a fact is no longer true."""
    chat_id: int | None = None
    """The chat it came of."""
    history: list[Change] = Field(default_factory=list)
    messages: list[Said] = Field(default_factory=list)


def find_memory(call: Call, wanted: Id) -> Memory | None:
    """What is there under this id; None where nothing is, and for chats that memory was kept out of, or of which the
    operator deleted the episode."""
    if wanted.kind == "fact":
        fact = PersonalFact.objects.by_key(encodable(wanted.name))
        return _of_fact(call, fact) if fact else None
    if wanted.number is None:
        return None
    if wanted.kind == "episode":
        episode = EpisodeSummary.objects.filter(pk=wanted.number).defer("embedding").first()
        return _of_episode(call, episode) if episode and episode.is_found else None
    chat = AuditRow.objects.get_queryset().chats().filter(pk=wanted.number).first()
    return _of_chat(call, chat) if chat and chat.completed.learn and not _is_forgotten(chat) else None


# --- facts ------------------------------------------------------------------------------------------------------------


def _of_fact(call: Call, fact: PersonalFact) -> Memory:
    ranked, history = fact.ranked(call.now), _history(fact.key)
    return Memory(
        id=str(Id("fact", fact.key)),
        kind="fact",
        title=shorten(fact.sentence, _MOST_TITLE_CHARS),
        text="\n".join(_told(fact, history)),
        when=fact.last_confirmed_at,
        url=call.page("fact", key=fact.key),
        key=fact.key,
        value=fact.value,
        confidence=fact.confidence,
        importance=ranked.importance.value,
        first_seen_at=fact.first_seen_at,
        ended_at=fact.retired_at,
        chat_id=fact.source_audit_id,
        history=history,
    )


def _told(fact: PersonalFact, history: list[Change]) -> Iterator[str]:
    yield fact.sentence
    yield f"Key: {fact.key}"
    yield f"Known since {_day(fact.first_seen_at)}, last confirmed {_day(fact.last_confirmed_at)}."
    if fact.valid_until is not None:
        yield f"Its last day: {fact.valid_until}."
    if fact.retired_at is not None:
        yield f"No longer true since {_day(fact.retired_at)}."
    for change in history:
        said = f": {change.value}" if change.value else ""
        yield f"- {_day(change.when)} {change.what}{said}"


def _history(key: str) -> list[Change]:
    """What happened to a fact, newest first. What it said before it was deleted is not told, unless that was undone."""
    rows = AuditRow.objects.get_queryset().about(key).select_related("api_key").order_by("-id")[:_MOST_CHANGES]
    deleted = _last_deletion(rows)
    return [
        Change(
            when=row.ts,
            what=row.label,
            value=_value_in(row) if row.pk > deleted else None,
            by=row.actor or row.client,
        )
        for row in rows
    ]


def _last_deletion(rows: Iterable[AuditRow]) -> int:
    """The id of the last of these rows that deleted the fact for good; 0 where none did."""
    undone = {row.payload.get("restored_from") for row in rows}
    deletions = (row.pk for row in rows if row.event_type == events.FactUserDeleted.name and row.pk not in undone)
    return max(deletions, default=0)


def _value_in(row: AuditRow) -> str | None:
    value = row.payload.get("new_value", row.payload.get("value"))
    return value if isinstance(value, str) else None


# --- episodes and chats -----------------------------------------------------------------------------------------------


def _of_episode(call: Call, episode: EpisodeSummary) -> Memory:
    told = corrections().told(episode.summary, said_at=episode.created_at) if episode.summary else ""
    about = told or "A conversation without a summary."
    return Memory(
        id=str(Id("episode", str(episode.pk))),
        kind="episode",
        title=shorten(about, _MOST_TITLE_CHARS),
        text=f"{_day(episode.created_at)}: {about}\nThe whole conversation: chat:{episode.audit_log_id}",
        when=episode.created_at,
        url=call.page("event", episode.audit_log_id),
        chat_id=episode.audit_log_id,
    )


def _of_chat(call: Call, chat: AuditRow) -> Memory:
    messages = list(_said_in(chat))
    first = next((said.text for said in messages if said.role == "user"), "")
    words = "\n\n".join(f"{said.role}: {said.text}" for said in messages)
    return Memory(
        id=str(Id("chat", str(chat.pk))),
        kind="chat",
        title=shorten(first, _MOST_TITLE_CHARS) or f"Chat {chat.pk}",
        text=f"{_day(chat.said_at)}\n\n{words}",
        when=chat.said_at,
        url=call.page("event", chat.pk),
        chat_id=chat.pk,
        messages=messages,
    )


def _is_forgotten(chat: AuditRow) -> bool:
    """Whether the operator deleted the episode of its turn, and did not bring it back."""
    deleted = AuditRow.objects.get_queryset().chats_last_marked(
        events.EpisodeUserDeleted, or_by=[events.EpisodeUserRestored]
    )
    return deleted.filter(pk=chat.chat_id or chat.pk).exists()


def _said_in(chat: AuditRow) -> Iterator[Said]:
    """The newest messages of a chat and its reply, without system prompts, each cut to a length.

    What was deleted since is left out, what was put right comes with its correction, as in search.
    """
    completed, gone = chat.completed, corrections()
    first_new = _first_new(completed)
    spoken = [(place, message) for place, message in enumerate(completed.messages) if not transcript.is_system(message)]
    for place, message in spoken[-_MOST_MESSAGES:]:
        text = transcript.plain_text(message)
        told = gone.told(text, said_at=chat.said_at if place >= first_new else _BEFORE) if text else ""
        yield Said(role=message.role, text=cut_middle(told or transcript.placeholder(message), _MOST_MESSAGE_CHARS))
    if completed.reply:
        told = gone.told(completed.reply, said_at=chat.said_at)
        yield Said(role="assistant", text=cut_middle(told, _MOST_MESSAGE_CHARS))


def _first_new(completed: events.ChatCompleted) -> int:
    """The place of the first message that this chat adds: those before it were said in an earlier one."""
    said = said_pieces(completed)
    new = (place for place, pieces in said.items() if any(piece.is_new for piece in pieces))
    return min(new, default=len(completed.messages))


def _day(moment: datetime) -> str:
    """The day as the operator counts it, in words that sort."""
    return str(settings.CAESAR.day_of(moment))

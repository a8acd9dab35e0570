"""One chat with everything that came of it: what was learned, its summary, what failed and can be asked for again."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from django.conf import settings

from dashboard.chats.conversation import Conversation
from dashboard.chats.turns import Turns, turns_around
from dashboard.shared.entries import Entry, entries
from memory import events
from memory.learning.extraction import EXTRACTION
from memory.learning.summaries import SUMMARY
from memory.models import AskAgain, AuditRow, EpisodeSummary, ExtractCursor, LearningSwitch

CONSEQUENCES_SHOWN = 100
RECALLS_SHOWN = 5

Ask = Literal["extract", "summarise"]

_READING = (events.ExtractFailed, events.ExtractAbandoned, events.ExtractRecovered)
_SUMMING_UP = (events.EpisodeFailed, events.EpisodeSummarised, events.EpisodeSkipped, events.EpisodeUserDeleted)


@dataclass(frozen=True)
class Outcome:
    """Something that came of a chat. `is_marked`: the words it was learned from are marked in the conversation."""

    entry: Entry
    is_marked: bool


@dataclass(frozen=True)
class Again:
    """What failed for good and can be done again. `is_asked`: it was asked for and waits for its worker."""

    name: Ask
    is_asked: bool


@dataclass(frozen=True)
class ChatPage:
    """What stands beside a chat's receipt."""

    conversation: Conversation
    outcomes: Sequence[Outcome]
    nothing_because: str
    again: Sequence[Again]
    episode: EpisodeSummary | None
    recalls: Sequence[Entry]
    turns: Turns | None
    is_learning_paused: bool


def read_chat(row: AuditRow, chat: events.ChatCompleted) -> ChatPage:
    """Everything about one chat but its receipt, in at most twelve queries, however much came of it."""
    consequences = row.consequences.exclude(event_type=events.EpisodeRecalled.name)
    came = list(consequences.order_by("id")[:CONSEQUENCES_SHOWN])
    episode = EpisodeSummary.objects.defer("embedding").filter(audit_log=row).exclude(summary="").first()
    recalls = _recalls(row) if episode and episode.recall_count else []
    told = entries([*came, *recalls])
    learned = [value for entry in told[: len(came)] if (value := _learned(entry.event))]
    conversation = Conversation.of(chat, learned)
    again = _again(row, [entry.event for entry in told[: len(came)]])
    paused = (not came or bool(again)) and LearningSwitch.current().is_paused
    return ChatPage(
        conversation=conversation,
        outcomes=[_outcome(entry, conversation) for entry in told[: len(came)]],
        nothing_because="" if came else _nothing_because(row, chat, is_paused=paused),
        again=again,
        episode=episode,
        recalls=told[len(came) :],
        turns=turns_around(row),
        is_learning_paused=paused,
    )


def _recalls(row: AuditRow) -> list[AuditRow]:
    """The newest turns that were given the chat's episode."""
    return list(row.consequences.filter(event_type=events.EpisodeRecalled.name).order_by("-id")[:RECALLS_SHOWN])


def _learned(event: events.Event | None) -> str:
    """The value that was said in the chat, "" for what is no fact."""
    if isinstance(event, events.FactAdded | events.FactConfirmed):
        return event.value
    return event.new_value if isinstance(event, events.FactUpdated) else ""


def _outcome(entry: Entry, conversation: Conversation) -> Outcome:
    value = _learned(entry.event)
    return Outcome(entry, is_marked=bool(value) and conversation.holds(value))


def _again(row: AuditRow, came: Sequence[events.Event | None]) -> list[Again]:
    """What its last word on the chat was a failure of; one query, none where there is no such failure."""
    failed: list[tuple[Ask, str]] = []
    if isinstance(_last(came, _READING), events.ExtractAbandoned):
        failed.append(("extract", EXTRACTION.task))
    if isinstance(_last(came, _SUMMING_UP), events.EpisodeFailed):
        failed.append(("summarise", SUMMARY.task))
    asked = set(AskAgain.objects.filter(chat=row).values_list("job", flat=True)) if failed else set()
    return [Again(name, is_asked=task in asked) for name, task in failed]


def _last(came: Sequence[events.Event | None], kinds: tuple[type[events.Event], ...]) -> events.Event | None:
    return next((event for event in reversed(came) if isinstance(event, kinds)), None)


def _nothing_because(row: AuditRow, chat: events.ChatCompleted, *, is_paused: bool) -> str:
    """Why nothing came of a chat, as far as the rows tell."""
    if chat.proactive:
        return f"The trigger {chat.proactive} asked, not you: nothing is learned from that."
    if not chat.learn:
        return "Learning was switched off for this turn."
    if chat.replay:
        return "This was said before, word for word: a repetition teaches nothing."
    if chat.new_messages == []:
        return "You said nothing new here."
    cursor = ExtractCursor.objects.filter(pk=1).first()
    if cursor is not None and cursor.last_audit_id >= row.pk:
        return "It was read, and held nothing worth keeping."
    if not settings.CAESAR.memory.facts_extract.enabled:
        return "It has not been read: learning is off. Set CAESAR_MEMORY__FACTS_EXTRACT__ENABLED=true to change that."
    if is_paused:
        return "It has not been read: you paused learning. It waits until you resume it on the overview."
    return "It has not been read yet. That takes a minute at most, unless the worker is stopped."

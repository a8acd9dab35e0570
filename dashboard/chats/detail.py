"""One chat and what came of it: what was learned, its summary, and what failed and can be retried."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.db.models import Q

from dashboard.chats.conversation import Conversation
from dashboard.chats.evidence import ShownPiece, read_evidence
from dashboard.chats.steps import ShownStep, read_steps
from dashboard.chats.taught import TaughtFact, taught_fact
from dashboard.chats.turns import ConversationTurns, read_turns_around
from dashboard.shared.audit_entries import AuditEntry, read_entries
from dashboard.shared.jobs import JOBS, JobName
from memory import events
from memory.models import AskAgain, AuditRow, DeletedEpisode, EpisodeSummary, ExtractCursor, LearningSwitch

CONSEQUENCES_SHOWN = 100
RECALLS_SHOWN = 5

_READING = (events.ExtractFailed, events.ExtractAbandoned, events.ExtractRecovered)
_SUMMING_UP = (
    events.EpisodeFailed,
    events.EpisodeSummarised,
    events.EpisodeReplaced,
    events.EpisodeSkipped,
    events.EpisodeUserDeleted,
    events.EpisodeUserRestored,
)


@dataclass(frozen=True)
class Outcome:
    """An event that came of a chat.

    `mark`: the number that the words it was learned from bear in the conversation; None where none are marked.
    """

    entry: AuditEntry
    mark: int | None


@dataclass(frozen=True)
class RetryOption:
    """A job that gave the chat up and can be retried.

    `is_asked`: the operator has asked for that already.
    """

    name: JobName
    is_asked: bool


@dataclass(frozen=True)
class ChatPage:
    """Everything on a chat's page except its receipt."""

    conversation: Conversation
    outcomes: Sequence[Outcome]
    nothing_because: str
    again: Sequence[RetryOption]
    episode: EpisodeSummary | None
    deleted: DeletedEpisode | None
    """What the episode had, where it was deleted and can be brought back."""

    recalls: Sequence[AuditEntry]
    turns: ConversationTurns | None
    steps: Sequence[ShownStep]
    evidence: Sequence[ShownPiece]
    is_learning_paused: bool


_IS_FOUND = ~Q(summary="") | Q(units__isnull=False)
"""What recall can bring back, by its summary or by what was said in it."""


def read_chat(row: AuditRow, chat: events.ChatCompleted) -> ChatPage:
    """Everything about one chat except its receipt. At most thirteen queries, however much came of it."""
    of_turn = AuditRow.objects.get_queryset().filter(Q(chat=row) | Q(chat__chat=row))
    consequences = of_turn.exclude(event_type__in=[events.EpisodeRecalled.name, events.ChatCompleted.name])
    came = list(consequences.order_by("id")[:CONSEQUENCES_SHOWN])
    episode, deleted = _episode_of(row)
    recalls = _recalls(row) if episode and episode.recall_count else []
    entries = read_entries([*came, *recalls])
    outcomes, recall_entries = entries[: len(came)], entries[len(came) :]
    taught = _taught_facts(outcomes)
    conversation = Conversation.of(chat, [fact for fact in taught if fact is not None])
    retries = _retry_options(row, [entry.event for entry in outcomes])
    paused = (not came or bool(retries)) and LearningSwitch.current().is_paused
    return ChatPage(
        conversation=conversation,
        outcomes=[_outcome(entry, fact, conversation) for entry, fact in zip(outcomes, taught, strict=True)],
        nothing_because="" if came else _nothing_because(row, chat, is_paused=paused),
        again=retries,
        episode=episode,
        deleted=deleted,
        recalls=recall_entries,
        turns=read_turns_around(row),
        steps=read_steps(row),
        evidence=read_evidence(chat),
        is_learning_paused=paused,
    )


def _episode_of(row: AuditRow) -> tuple[EpisodeSummary | None, DeletedEpisode | None]:
    """What recall can bring back of the chat, or what an undo can. One query, without vectors."""
    rows = EpisodeSummary.objects.select_related("deleted").defer("embedding", "deleted__embedding")
    episode = rows.filter(_IS_FOUND | Q(deleted__isnull=False), audit_log=row).first()
    deleted = getattr(episode, "deleted", None)
    return (None, deleted) if deleted else (episode, None)


def _recalls(row: AuditRow) -> list[AuditRow]:
    """The newest recalls of the chat's episode."""
    return list(row.consequences.filter(event_type=events.EpisodeRecalled.name).order_by("-id")[:RECALLS_SHOWN])


def _taught_facts(outcomes: Sequence[AuditEntry]) -> list[TaughtFact | None]:
    """For each outcome the fact that it taught, numbered from 1; None for one that is not about a fact."""
    taught: list[TaughtFact | None] = []
    number = 1
    for entry in outcomes:
        taught.append(taught_fact(entry.event, number))
        number += taught[-1] is not None
    return taught


def _outcome(entry: AuditEntry, fact: TaughtFact | None, conversation: Conversation) -> Outcome:
    return Outcome(entry, mark=fact.number if fact is not None and fact.number in conversation.marked else None)


def _retry_options(row: AuditRow, came: Sequence[events.Event | None]) -> list[RetryOption]:
    """The jobs whose last event about the chat says that they gave it up. One query; none where no job did."""
    failed: list[JobName] = []
    if isinstance(_last_of(came, _READING), events.ExtractAbandoned):
        failed.append("extract")
    if isinstance(_last_of(came, _SUMMING_UP), events.EpisodeFailed):
        failed.append("summarise")
    asked = set(AskAgain.objects.filter(chat=row).values_list("job", flat=True)) if failed else set()
    return [RetryOption(name, is_asked=JOBS[name].task in asked) for name in failed]


def _last_of(came: Sequence[events.Event | None], kinds: tuple[type[events.Event], ...]) -> events.Event | None:
    """The last event of one of these kinds."""
    return next((event for event in reversed(came) if isinstance(event, kinds)), None)


def _nothing_because(row: AuditRow, chat: events.ChatCompleted, *, is_paused: bool) -> str:
    """Why nothing came of a chat, as far as the rows show."""
    if chat.proactive:
        return f"The trigger {chat.proactive} asked, not you: nothing is learned from that."
    if not chat.learn:
        return "Learning was switched off for this turn."
    if chat.continues:
        return f"This was said before, word for word, in chat {chat.continues}: it counts once."
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

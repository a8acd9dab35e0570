"""Writing down a finished chat: what in it is new is settled here, and the workers are woken."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction

from memory import events, learning, llm, queue, transcript
from memory.chat.turn import Reply, Turn
from memory.conversation import Conversation
from memory.learning.extraction import EXTRACTION
from memory.learning.summaries import SUMMARY
from memory.models import AuditRow, HeardMessage
from memory.text.lines import encodable

MOST_AHEAD = timedelta(minutes=5)
_LOOKED_AT = 50


class TurnRefused(ValueError):
    """A turn that cannot be taken; `param` names the field, the message the cure."""

    def __init__(self, message: str, *, param: str) -> None:
        super().__init__(message)
        self.param = param


@dataclass(frozen=True)
class Recorded:
    """A chat that was written down."""

    audit_log_id: int
    decision_id: str


def record(turn: Turn, reply: Reply, *, served: Sequence[AuditRow] = ()) -> Recorded:
    """Write down a finished turn, after the drafted rows of what it was `served`, and wake the worker on commit.

    What in it is new is settled here, in the chat's own transaction (decision 1), so that it never changes later. Of a
    proactive turn nothing teaches, nothing was heard, and no conversation begins with it.
    Raises `TurnRefused` for an `occurred_at` that is later than five minutes from now.
    """
    if turn.said_at > turn.now + MOST_AHEAD:
        raise TurnRefused("occurred_at lies in the future. Send the time the chat took place.", param="occurred_at")
    with transaction.atomic():
        AuditRow.objects.hold_chat_order()
        heard = _NOTHING_HEARD if turn.proactive else _Heard.of(turn, cut_off=reply.cut_off)
        chat = AuditRow.objects.draft(
            _completed(turn, reply, heard),
            now=turn.now,
            decision_id=turn.decision_id,
            fingerprint=heard.fingerprint,
            conversation_id=turn.conversation.id,
        )
        _write(chat, heard, served)
        if _is_learned_from(turn) and heard.teaching:
            _wake_workers()
    return Recorded(chat.pk, turn.decision_id)


def _completed(turn: Turn, reply: Reply, heard: "_Heard") -> events.ChatCompleted:
    return events.ChatCompleted(
        messages=transcript.storable(turn.conversation.messages),
        reply=encodable(reply.text),
        model=reply.model,
        provider=reply.provider,
        finish_reason=reply.finish_reason,
        usage=reply.usage,
        learn=_is_learned_from(turn),
        occurred_at=turn.occurred_at,
        new_messages=heard.teaching,
        replay=heard.is_replay,
        cut_off=reply.cut_off,
        proactive=turn.proactive,
    )


def _is_learned_from(turn: Turn) -> bool:
    return turn.use.learn and not turn.proactive


def _write(chat: AuditRow, heard: "_Heard", served: Sequence[AuditRow]) -> None:
    """The drafted rows, and what was heard for the first time."""
    AuditRow.objects.write([*served, chat])
    HeardMessage.objects.remember(heard.unheard_hashes, chat=chat)


def _wake_workers() -> None:
    """Nudge the first worker that is switched on; the extractor passes the nudge on when it has read."""
    memory = settings.CAESAR.memory
    if memory.facts_extract.enabled:
        first: learning.Job[Any, Any] = EXTRACTION
    elif memory.episodes_summarise.enabled:
        first = SUMMARY
    else:
        return
    if first.cursor.nudge():
        queue.nudge(first.task)


@dataclass(frozen=True)
class _Heard:
    """What of a conversation was heard before: decides which messages teach."""

    fingerprint: str | None
    is_replay: bool
    unheard_hashes: Sequence[str]
    teaching: list[int]

    @classmethod
    def of(cls, turn: Turn, *, cut_off: bool) -> "_Heard":
        """Looked up in at most three queries, in the transaction that will record the chat; one more if `cut_off`."""
        conversation = turn.conversation
        spoken = conversation.operator_messages
        if not spoken:
            return _NOTHING_HEARD
        heard = HeardMessage.objects.already(message.hash for message in spoken)
        unheard = [message for message in spoken if message.hash not in heard]
        recorded = _recorded(conversation.fingerprints, said_at=turn.said_at) if spoken[0].hash in heard else 0
        if cut_off and _was_continued(conversation, since=turn.said_at):
            recorded = len(spoken)
        return cls(
            spoken[-1].fingerprint,
            is_replay=recorded == len(spoken),
            unheard_hashes=[message.hash for message in unheard],
            teaching=conversation.teaching_indices(unheard=[message.index for message in unheard], recorded=recorded),
        )


_NOTHING_HEARD = _Heard(None, is_replay=False, unheard_hashes=[], teaching=[])


def _recorded(fingerprints: Sequence[str], *, said_at: datetime) -> int:
    """How many of the messages a recorded chat begins with. A single one said again after an hour is said anew."""
    recorded = AuditRow.objects.recorded_beginning(fingerprints)
    if recorded == len(fingerprints) == 1 and not AuditRow.objects.was_said_lately(fingerprints[0], said_at=said_at):
        return 0
    return recorded


def _was_continued(conversation: Conversation, *, since: datetime) -> bool:
    """Whether a chat recorded since begins with its words. A client may go on before it is noticed that it hung up."""
    beginning = conversation.operator_texts
    chats = AuditRow.objects.get_queryset().chats().filter(ts__gte=since).order_by("-id")[:_LOOKED_AT]
    recorded = (Conversation(chat.completed.messages).operator_texts for chat in chats)
    return any(texts[: len(beginning)] == beginning for texts in recorded)


def record_failure(turn: Turn, error: llm.LLMError, *, model: str) -> None:
    """Write down a turn that got no answer of `model` ("" for the configured one)."""
    failed = events.ChatFailed(
        error=str(error), kind=type(error).__name__, provider=error.provider, model=model, proactive=turn.proactive
    )
    AuditRow.objects.record(failed, now=turn.now, decision_id=turn.decision_id, conversation_id=turn.conversation.id)

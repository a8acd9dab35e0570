"""Writing down a finished chat: what in it is new is settled here, and the workers are woken."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from django.conf import settings

from memory import events, learning, llm, transcript
from memory.chat.context import ServedRows
from memory.chat.turn import Reply, Turn
from memory.conversation import Conversation
from memory.learning.extraction import EXTRACTION
from memory.learning.summaries import SUMMARY
from memory.models import AuditRow, HeardMessage
from memory.models.transactions import committed
from memory.text.lines import encodable

MOST_AHEAD = timedelta(minutes=5)
_MOST_LOOKED_AT = 50


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
    when: Literal["now"] = "now"


@dataclass(frozen=True)
class Unrecorded:
    """A turn that was answered and waits to be written down (`later`), or could not even be kept (`no`)."""

    decision_id: str
    when: Literal["later", "no"] = "later"
    audit_log_id: None = None


Outcome = Recorded | Unrecorded
"""What became of a turn that was answered."""


Beside = Callable[[Recorded], None]
"""Writes what belongs to a turn's own transaction, once the turn is written."""


def record(turn: Turn, reply: Reply, *, beside: Beside | None = None) -> Recorded:
    """Write down a finished turn, with what `beside` writes for it, and wake the worker on commit.

    What in it is new is settled here, in the chat's own transaction (decision 1), so that it never changes later. Of a
    proactive turn nothing teaches, nothing was heard, and no conversation begins with it.
    Raises `TurnRefused` for an `occurred_at` that is later than five minutes from now.
    """
    if turn.said_at > turn.now + MOST_AHEAD:
        raise TurnRefused("occurred_at lies in the future. Send the time the chat took place.", param="occurred_at")
    entry = ChatEntry(turn, reply, beside=beside)
    entry.look_ahead()
    return committed(entry.write)


class ChatEntry:
    """What is written for a finished turn. What can be prepared before the transaction is."""

    def __init__(
        self, turn: Turn, reply: Reply, *, served: ServedRows | None = None, beside: Beside | None = None
    ) -> None:
        self._turn, self._reply, self._served, self._beside = turn, reply, served, beside
        spoken = [] if turn.proactive else turn.conversation.operator_messages
        self._draft = AuditRow.objects.draft(
            _completed(turn, reply),
            now=turn.now,
            decision_id=turn.decision_id,
            fingerprint=spoken[-1].fingerprint if spoken else None,
            conversation_id=turn.conversation.id,
        )
        for name in _SETTLED:
            self._draft.payload.pop(name)
        _ = self._draft.payload_json  # worked out here
        self._looked_at = _LookedAt()

    def look_ahead(self) -> None:
        """For an answer that was cut off: look before the transaction whether a later chat continues it."""
        if self._reply.cut_off and not self._turn.proactive:
            self._looked_at = _continued(self._turn.conversation, since=self._turn.said_at, after=self._looked_at)

    def write(self) -> Recorded:
        """Write the rows. Call it first in its transaction, which may be run again from the start."""
        AuditRow.objects.hold_chat_order()
        self.look_ahead()  # at what is new
        heard = _NOTHING_HEARD if self._turn.proactive else _Heard.of(self._turn, went_on=self._looked_at.went_on)
        chat = self._draft.settled(new_messages=[*heard.teaching], replay=heard.is_replay)
        served = [] if self._served is None else self._served.bumped()
        AuditRow.objects.write([*served, chat])
        HeardMessage.objects.remember(heard.unheard_hashes, chat=chat)
        if _is_learned_from(self._turn) and heard.teaching:
            _wake_workers()
        recorded = Recorded(chat.pk, self._turn.decision_id)
        if self._beside is not None:
            self._beside(recorded)
        return recorded


_SETTLED = ("new_messages", "replay")
"""The fields of a chat's payload that are known only inside its transaction."""


class PassEntry:
    """What is written for a call that memory kept out of: one row."""

    def __init__(self, turn: Turn, passed: events.ChatPassedThrough) -> None:
        self._turn, self._passed = turn, passed

    def look_ahead(self) -> None:
        """Nothing is to be read before."""

    def write(self) -> Recorded:
        """Write the row."""
        turn = self._turn
        row = AuditRow.objects.record(
            self._passed, now=turn.now, decision_id=turn.decision_id, conversation_id=turn.conversation.id
        )
        return Recorded(row.pk, turn.decision_id)


def _completed(turn: Turn, reply: Reply) -> events.ChatCompleted:
    return events.ChatCompleted(
        messages=transcript.storable(turn.conversation.messages),
        reply=encodable(reply.text),
        model=reply.model,
        provider=reply.provider,
        finish_reason=reply.finish_reason,
        usage=reply.usage,
        learn=_is_learned_from(turn),
        occurred_at=turn.occurred_at,
        cut_off=reply.cut_off,
        proactive=turn.proactive,
    )


def _is_learned_from(turn: Turn) -> bool:
    return turn.use.learn and not turn.proactive


def _wake_workers() -> None:
    """Nudge the first worker that is switched on; the extractor passes the nudge on when it has read."""
    memory = settings.CAESAR.memory
    if memory.facts_extract.enabled:
        first: learning.Job[Any, Any] = EXTRACTION
    elif memory.episodes_summarise.enabled:
        first = SUMMARY
    else:
        return
    learning.wake(first)


@dataclass(frozen=True)
class _Heard:
    """What of a conversation was heard before: decides which messages teach."""

    is_replay: bool
    unheard_hashes: Sequence[str]
    teaching: list[int]

    @classmethod
    def of(cls, turn: Turn, *, went_on: bool) -> "_Heard":
        """Looked up in at most three queries, in the transaction that will record the chat.

        `went_on`: the client hung up, and has said all of this again since.
        """
        conversation = turn.conversation
        spoken = conversation.operator_messages
        if not spoken:
            return _NOTHING_HEARD
        heard = HeardMessage.objects.already({hash_ for message in spoken for hash_ in message.hashes})
        unheard = [message for message in spoken if heard.isdisjoint(message.hashes)]
        recorded = 0 if spoken[0] in unheard else _recorded(conversation, said_at=turn.said_at)
        if recorded == len(spoken) == 1 and spoken[0].exact_hash not in heard:
            recorded = 0  # the same words about another document
        if went_on:
            recorded = len(spoken)
        return cls(
            is_replay=recorded == len(spoken),
            unheard_hashes=[hash_ for message in spoken for hash_ in message.hashes if hash_ not in heard],
            teaching=conversation.teaching_indices(unheard=[message.index for message in unheard], recorded=recorded),
        )


_NOTHING_HEARD = _Heard(is_replay=False, unheard_hashes=[], teaching=[])


def _recorded(conversation: Conversation, *, said_at: datetime) -> int:
    """How many of the messages a recorded chat begins with. A single one said again after an hour is said anew."""
    beginnings = (conversation.fingerprints, conversation.exact_fingerprints)
    recorded = AuditRow.objects.recorded_beginning(*beginnings)
    is_one = recorded == len(conversation.operator_messages) == 1
    if is_one and not AuditRow.objects.was_said_lately({one for (one,) in beginnings}, said_at=said_at):
        return 0
    return recorded


@dataclass(frozen=True)
class _LookedAt:
    """How far `_continued` has looked: up to which chat, and whether one continued the conversation."""

    went_on: bool = False
    last_id: int = 0


def _continued(conversation: Conversation, *, since: datetime, after: _LookedAt) -> _LookedAt:
    """Whether a chat recorded since begins with its words. A client may go on before it is noticed that it hung up."""
    if after.went_on:
        return after
    beginning = conversation.operator_texts
    recent = AuditRow.objects.get_queryset().chats().filter(ts__gte=since, id__gt=after.last_id)
    chats = list(recent.order_by("-id")[:_MOST_LOOKED_AT])
    recorded = (Conversation(chat.completed.messages).operator_texts for chat in chats)
    went_on = any(texts[: len(beginning)] == beginning for texts in recorded)
    return _LookedAt(went_on, chats[0].pk if chats else after.last_id)


def record_failure(turn: Turn, error: llm.LLMError, *, model: str) -> None:
    """Write down a turn that got no answer of `model` ("" for the configured one)."""
    failed = events.ChatFailed(
        error=str(error), kind=type(error).__name__, provider=error.provider, model=model, proactive=turn.proactive
    )
    AuditRow.objects.record(failed, now=turn.now, decision_id=turn.decision_id, conversation_id=turn.conversation.id)

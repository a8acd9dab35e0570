"""Writing down a finished chat: what in it is new is settled here, and the workers are woken."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from django.conf import settings
from pydantic import JsonValue

from caesar.conf import OFFLINE
from memory import actor, events, learning, llm, transcript
from memory.chat import hearing
from memory.chat.context import ServedRows
from memory.chat.hearing import Hearing, Listener
from memory.chat.turn import Reply, Turn
from memory.conversation import Conversation
from memory.learning.extraction import EXTRACTION
from memory.learning.summaries import SUMMARY
from memory.models import AuditRow, KeyDay, ModelUsage
from memory.models.transactions import committed
from memory.text.lines import encodable

MOST_AHEAD = timedelta(minutes=5)
_MOST_LOOKED_AT = 50
_CHARS_PER_TOKEN = 4


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
        self,
        turn: Turn,
        reply: Reply,
        *,
        served: ServedRows | None = None,
        beside: Beside | None = None,
        masked: int = 0,
    ) -> None:
        """`masked`: how many secrets of the turn were masked before."""
        self._turn, self._reply, self._served, self._beside = turn, reply, served, beside
        spoken = [] if turn.proactive else turn.conversation.operator_messages
        self._draft = AuditRow.objects.draft(
            _completed(turn, reply).model_copy(update={"masked": masked}),
            now=turn.now,
            decision_id=turn.decision_id,
            fingerprint=spoken[-1].fingerprint if spoken else None,
            conversation_id=turn.conversation.id,
        )
        for name in _settled(hearing.NOTHING_HEARD):
            self._draft.payload.pop(name)
        _ = self._draft.payload_json  # worked out here
        self._stored = events.ChatCompleted.model_validate(self._draft.payload).messages  # its secrets masked
        self._listener = Listener(turn, self._stored)
        self._looked_at = _LookedAt()

    def look_ahead(self) -> None:
        """Before the transaction: what takes its time, and for an answer that was cut off whether a later chat goes on
        with it."""
        self._listener.prepare()
        self._look_at_later_chats()

    def _look_at_later_chats(self) -> None:
        if self._reply.cut_off and not self._turn.proactive:
            self._looked_at = _continued(Conversation(self._stored), since=self._turn.said_at, after=self._looked_at)

    def write(self) -> Recorded:
        """Write the rows. Call it first in its transaction, which may be run again from the start."""
        AuditRow.objects.hold_chat_order()
        self._look_at_later_chats()  # at what is new
        heard = self._listener.listen(went_on=self._looked_at.went_on)
        chat = self._draft.settled(_settled(heard), chat_id=heard.continues)
        served = [] if self._served is None else self._served.bumped()
        AuditRow.objects.write([*served, chat])
        heard.remember(chat)
        if _is_learned_from(self._turn) and heard.teaching:
            _wake_workers()
        recorded = Recorded(chat.pk, self._turn.decision_id)
        if self._beside is not None:
            self._beside(recorded)
        _count(self._turn, self._reply.provider, self._reply.usage, reply=self._reply.text)
        return recorded


def _settled(heard: Hearing) -> dict[str, JsonValue]:
    """The fields of a chat's payload that are known only inside its transaction."""
    return {
        "new_messages": [*heard.teaching],
        "heard": [span.model_dump(mode="json") for span in heard.heard],
        "earlier": [message.model_dump(mode="json") for message in heard.earlier],
        "continues": heard.continues,
        "replay": heard.is_replay,
    }


class PassEntry:
    """What is written for a call that memory kept out of: one row."""

    def __init__(self, turn: Turn, passed: events.ChatPassedThrough, *, reply: str = "") -> None:
        """`reply`: what was answered, by which its tokens are estimated; it is not written."""
        self._turn, self._passed, self._reply = turn, passed, reply

    def look_ahead(self) -> None:
        """Nothing is to be read before."""

    def write(self) -> Recorded:
        """Write the row."""
        turn = self._turn
        row = AuditRow.objects.record(
            self._passed, now=turn.now, decision_id=turn.decision_id, conversation_id=turn.conversation.id
        )
        _count(turn, self._passed.provider, self._passed.usage, reply=self._reply)
        return Recorded(row.pk, turn.decision_id)


def _count(turn: Turn, provider: str, used: events.Usage, *, reply: str) -> None:
    """Add an answer that this server asked a model for to the tallies of its client and of models."""
    if provider in ("", OFFLINE):
        return
    client = actor.current()
    if client is not None and client.key_id is not None:
        taken = _estimated(used, turn, reply)
        KeyDay.objects.add(
            client.key_id, now=turn.now, input_tokens=taken.input_tokens, output_tokens=taken.output_tokens
        )
    ModelUsage.objects.add_one("chat", now=turn.now, input_tokens=used.input_tokens, output_tokens=used.output_tokens)


def _estimated(used: events.Usage, turn: Turn, reply: str) -> events.Usage:
    """The tokens, by the length of the text where the provider gave no count: a limit must not be passed by that."""
    read, written = used.input_tokens, used.output_tokens
    if read is None:
        read = _tokens_in(*(transcript.plain_text(message) for message in turn.conversation.messages))
    return events.Usage(input_tokens=read, output_tokens=_tokens_in(reply) if written is None else written)


def _tokens_in(*texts: str) -> int:
    return math.ceil(sum(map(len, texts)) / _CHARS_PER_TOKEN)


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

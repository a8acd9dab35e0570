"""Writing down a finished chat: what in it is new is settled here, and the workers are woken."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction

from memory import events, learning, llm, queue, transcript
from memory.chat.context import MemoryUse
from memory.events import Message
from memory.learning.extraction import EXTRACTION
from memory.learning.summaries import SUMMARY
from memory.models import AuditRow, HeardMessage
from memory.text import normalising

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


def record(
    messages: Sequence[Message],
    reply: str,
    *,
    use: MemoryUse,
    now: datetime,
    decision_id: str | None = None,
    completion: llm.Completion | None = None,
    model: str = "",
    occurred_at: datetime | None = None,
    conversation_id: str | None = None,
    cut_off: bool = False,
    proactive: str = "",
    served: Sequence[AuditRow] = (),
) -> Recorded:
    """Write down a finished chat, after the drafted rows of what it was `served`, and wake the worker on commit.

    What in it is new is settled here, in the chat's own transaction (decision 1), so that it never changes later.
    `proactive`: name of the trigger that asked. Then nobody said anything: nothing teaches, nothing was heard, and no
    conversation begins with it.
    Raises `TurnRefused` for an `occurred_at` that is later than five minutes from now.
    """
    if occurred_at is not None and occurred_at > now + MOST_AHEAD:
        raise TurnRefused("occurred_at lies in the future. Send the time the chat took place.", param="occurred_at")
    decision_id = decision_id or uuid.uuid4().hex
    with transaction.atomic():
        AuditRow.objects.hold_chat_order()
        heard = _NOTHING_HEARD if proactive else _Heard.of(messages, said_at=occurred_at or now, cut_off=cut_off)
        event = events.ChatCompleted(
            messages=transcript.storable(messages),
            reply=transcript.encodable(reply),
            model=completion.model if completion else model,
            provider=completion.provider if completion else "",
            finish_reason=completion.finish_reason if completion else "",
            usage=usage(completion),
            learn=use.learn and not proactive,
            occurred_at=occurred_at,
            new_messages=heard.teaching,
            replay=heard.is_replay,
            cut_off=cut_off,
            proactive=proactive,
        )
        chat = AuditRow.objects.draft(
            event, now=now, decision_id=decision_id, fingerprint=heard.fingerprint, conversation_id=conversation_id
        )
        _write(chat, heard, served)
        if event.learn and heard.teaching:
            _wake_workers()
    return Recorded(chat.pk, decision_id)


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
    def of(cls, messages: Sequence[Message], *, said_at: datetime, cut_off: bool) -> "_Heard":
        """Looked up in at most three queries, in the transaction that will record the chat; one more if `cut_off`."""
        texts = transcript.operator_texts(messages)
        if not texts:
            return _NOTHING_HEARD
        fingerprints = normalising.fingerprints(texts)
        hashes = [normalising.message_hash(words) for words in texts]
        heard = HeardMessage.objects.already(hashes)
        places = [index for index, message in enumerate(messages) if transcript.is_operator(message)]
        unheard = [index for index, hash_ in zip(places, hashes, strict=True) if hash_ not in heard]
        recorded = _recorded(fingerprints, said_at=said_at) if hashes[0] in heard else 0
        if cut_off and _was_continued(texts, since=said_at):
            recorded = len(texts)
        return cls(
            fingerprints[-1],
            is_replay=recorded == len(texts),
            unheard_hashes=[hash_ for hash_ in hashes if hash_ not in heard],
            teaching=transcript.teaching_indices(messages, unheard=unheard, recorded=recorded),
        )


_NOTHING_HEARD = _Heard(None, is_replay=False, unheard_hashes=[], teaching=[])


def _recorded(fingerprints: Sequence[str], *, said_at: datetime) -> int:
    """How many of the messages a recorded chat begins with. A single one said again after an hour is said anew."""
    recorded = AuditRow.objects.recorded_beginning(fingerprints)
    if recorded == len(fingerprints) == 1 and not AuditRow.objects.was_said_lately(fingerprints[0], said_at=said_at):
        return 0
    return recorded


def _was_continued(texts: Sequence[str], *, since: datetime) -> bool:
    """Whether a chat recorded since begins with these. A client may go on before it is noticed that it hung up."""
    chats = AuditRow.objects.get_queryset().chats().filter(ts__gte=since).order_by("-id")[:_LOOKED_AT]
    return any(transcript.operator_texts(chat.completed.messages)[: len(texts)] == texts for chat in chats)


def usage(completion: llm.Completion | None) -> events.Usage:
    """The tokens of an answer, as its provider counted them."""
    if completion is None:
        return events.Usage()
    return events.Usage(input_tokens=completion.input_tokens, output_tokens=completion.output_tokens)


def record_failure(
    error: llm.LLMError,
    *,
    model: str,
    now: datetime,
    decision_id: str | None = None,
    conversation_id: str | None = None,
    proactive: str = "",
) -> None:
    """Write down a turn that got no answer. `proactive`: name of the trigger whose run it was."""
    failed = events.ChatFailed(
        error=str(error), kind=type(error).__name__, provider=error.provider, model=model, proactive=proactive
    )
    AuditRow.objects.record(
        failed, now=now, decision_id=decision_id or uuid.uuid4().hex, conversation_id=conversation_id
    )

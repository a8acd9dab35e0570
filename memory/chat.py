"""One turn, from the operator's message to the recorded chat. Readable top to bottom (DESIGN 4)."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.db import transaction

from memory import batches, events, llm, queue, recall, text, transcript, wording
from memory.events import Message
from memory.extraction import EXTRACTION
from memory.models import AuditRow, EpisodeSummary, HeardMessage, PersonalFact, RankedFact
from memory.summaries import SUMMARY

MOST_AHEAD = timedelta(minutes=5)


class TurnRefused(ValueError):
    """A turn that cannot be taken; `param` names the field, the message the cure."""

    def __init__(self, message: str, *, param: str) -> None:
        super().__init__(message)
        self.param = param


@dataclass(frozen=True)
class MemoryUse:
    """What memory may do with a turn: `inject` into its prompt, `learn` from it."""

    inject: bool = True
    learn: bool = True


@dataclass(frozen=True)
class Context:
    """What memory has for one message: the receipt, and the system prompt it makes."""

    receipt: events.ContextServed
    system_prompt: str
    episode_ids: Sequence[int] = ()


@dataclass(frozen=True)
class Recorded:
    """A chat that was written down."""

    audit_log_id: int
    decision_id: str


@dataclass(frozen=True)
class Turn:
    """A turn that was answered."""

    context: Context
    completion: llm.Completion
    recorded: Recorded


def answer(
    messages: Sequence[Message],
    *,
    use: MemoryUse,
    now: datetime,
    model: str | None = None,
    max_tokens: int | None = None,
) -> Turn:
    """Memory in, model, memory out: one turn.

    The receipt and the chat commit together at its end. A turn that got no answer bumps nothing, writes
    `chat.failed` and raises `llm.LLMError`.
    """
    context = compose(messages, use=use, now=now)
    try:
        completion = llm.complete(
            _with_system_prompt(messages, context.system_prompt), task="chat", model=model, max_tokens=max_tokens
        )
    except llm.LLMError as error:
        _record_failure(error, model=model, now=now)
        raise
    decision_id = uuid.uuid4().hex
    with transaction.atomic():
        served = _served_rows(context, now=now, decision_id=decision_id)
        recorded = record(
            messages, completion.text, completion=completion, use=use, now=now, decision_id=decision_id, served=served
        )
    return Turn(context, completion, recorded)


def compose(messages: Sequence[Message], *, use: MemoryUse, now: datetime, system: str | None = None) -> Context:
    """What memory would put before these messages. Writes nothing.

    `system`: the operator prompt; unset, the client's own system message, else `LLM__SYSTEM_PROMPT`.
    """
    operator_prompt = _operator_prompt(messages) if system is None else system
    facts, recalled = _facts_part(use, now=now), _episodes_part(messages, use, now=now)
    receipt = events.ContextServed(
        block=wording.memory_block(facts.block, recalled.block),
        facts=facts.served,
        episodes=recalled.served,
        near_misses=recalled.near_misses,
        left_out=[*facts.left_out, *recalled.left_out],
    )
    prompt = wording.system_prompt(operator_prompt, facts=facts.block, episodes=recalled.block)
    return Context(receipt, prompt, recalled.episode_ids)


def serve(context: Context, *, now: datetime) -> str:
    """Write what goes out to a backend that asks the model itself: bumps, `recalled` rows, receipt; its decision id."""
    decision_id = uuid.uuid4().hex
    with transaction.atomic():
        AuditRow.objects.write(_served_rows(context, now=now, decision_id=decision_id))
    return decision_id


def _served_rows(context: Context, *, now: datetime, decision_id: str) -> list[AuditRow]:
    """The rows of what goes out, not yet written; the bumps are made. Call it in the transaction that writes them."""
    episodes = context.receipt.episodes
    all_there = not episodes or EpisodeSummary.objects.bump(context.episode_ids, now=now) == len(episodes)
    draft = partial(AuditRow.objects.draft, now=now, decision_id=decision_id)
    # An episode swept since the search leaves its row without the chat that is gone.
    recalled = [draft(_recalled(item), chat_id=item.audit_log_id if all_there else None) for item in episodes]
    return [*recalled, draft(context.receipt)]


def _recalled(episode: events.ServedEpisode) -> events.EpisodeRecalled:
    return events.EpisodeRecalled(**episode.model_dump(exclude={"when"}))


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
    served: Sequence[AuditRow] = (),
) -> Recorded:
    """Write down a finished chat, after the drafted rows of what it was `served`, and wake the worker on commit.

    What in it is new is settled here, in the chat's own transaction (DESIGN 3.1), so that it never changes later.
    Raises `TurnRefused` for an `occurred_at` that is later than five minutes from now.
    """
    if occurred_at is not None and occurred_at > now + MOST_AHEAD:
        raise TurnRefused("occurred_at lies in the future. Send the time the chat took place.", param="occurred_at")
    decision_id = decision_id or uuid.uuid4().hex
    with transaction.atomic():
        AuditRow.objects.hold_chat_order()
        heard = _Heard.of(messages, said_at=occurred_at or now)
        event = events.ChatCompleted(
            messages=transcript.storable(messages),
            reply=transcript.encodable(reply),
            model=completion.model if completion else model,
            provider=completion.provider if completion else "",
            finish_reason=completion.finish_reason if completion else "",
            usage=_usage(completion),
            learn=use.learn,
            occurred_at=occurred_at,
            new_messages=heard.teaching,
            replay=heard.is_replay,
        )
        chat = AuditRow.objects.draft(event, now=now, decision_id=decision_id, fingerprint=heard.fingerprint)
        AuditRow.objects.write([*served, chat])
        HeardMessage.objects.remember(heard.unheard_hashes, chat=chat)
        if use.learn and heard.teaching:
            _wake_workers()
    return Recorded(chat.pk, decision_id)


def _wake_workers() -> None:
    """Nudge the first worker that is switched on; the extractor passes the nudge on when it has read."""
    memory = settings.CAESAR.memory
    if memory.facts_extract.enabled:
        first: batches.Job[Any, Any] = EXTRACTION
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
    def of(cls, messages: Sequence[Message], *, said_at: datetime) -> "_Heard":
        """Looked up in at most three queries, in the transaction that will record the chat."""
        texts = transcript.operator_texts(messages)
        if not texts:
            return cls(None, is_replay=False, unheard_hashes=[], teaching=[])
        fingerprints = text.fingerprints(texts)
        hashes = [text.message_hash(words) for words in texts]
        heard = HeardMessage.objects.already(hashes)
        places = [index for index, message in enumerate(messages) if transcript.is_operator(message)]
        unheard = [index for index, hash_ in zip(places, hashes, strict=True) if hash_ not in heard]
        recorded = _recorded(fingerprints, said_at=said_at) if hashes[0] in heard else 0
        return cls(
            fingerprints[-1],
            is_replay=recorded == len(texts),
            unheard_hashes=[hash_ for hash_ in hashes if hash_ not in heard],
            teaching=transcript.teaching_indices(messages, unheard=unheard, recorded=recorded),
        )


def _recorded(fingerprints: Sequence[str], *, said_at: datetime) -> int:
    """How many of the messages a recorded chat begins with. A single one said again after an hour is said anew."""
    recorded = AuditRow.objects.recorded_beginning(fingerprints)
    if recorded == len(fingerprints) == 1 and not AuditRow.objects.was_said_lately(fingerprints[0], said_at=said_at):
        return 0
    return recorded


@dataclass(frozen=True)
class _FactsPart:
    """The facts of one prompt: their block, what is in it and why, or why there is none."""

    block: str = ""
    served: list[events.ServedFact] = field(default_factory=list)
    left_out: list[events.LeftOut] = field(default_factory=list)


def _facts_part(use: MemoryUse, *, now: datetime) -> _FactsPart:
    """The facts by importance, within both caps, unless switched off for this turn or in the settings."""
    if not use.inject:
        return _FactsPart(left_out=[events.LeftOut(part="facts", reason="switched off for this turn")])
    if not settings.CAESAR.facts_injection_enabled:
        off = "switched off: CAESAR_MEMORY__FACTS__ENABLED"
        return _FactsPart(left_out=[events.LeftOut(part="facts", reason=off)])
    limits = settings.CAESAR.memory.facts
    served = [_served(item) for item in PersonalFact.objects.for_prompt(now)]
    block = wording.facts_block(
        (item.sentence for item in served), max_facts=limits.max_injected, max_chars=limits.max_chars
    )
    return _FactsPart(block.text, served[: block.count])


def _episodes_part(messages: Sequence[Message], use: MemoryUse, *, now: datetime) -> recall.Recalled:
    """The episodes the newest message brings back, unless switched off; never those of this conversation."""
    tree = settings.CAESAR
    if not use.inject:
        return recall.without("switched off for this turn")
    if reason := recall.off_because(tree):
        return recall.without(reason)
    return recall.recall(
        transcript.last_operator_text(messages),
        scale=tree.memory.episodes_recall,
        left_out=recall.this_conversation(messages),
        timeout_seconds=tree.semantic.timeout_seconds,
        zone=tree.zone,
        now=now,
    )


def _served(item: RankedFact) -> events.ServedFact:
    return events.ServedFact(
        key=item.fact.key,
        sentence=item.fact.sentence,
        importance=item.importance.value,
        freshness=item.importance.freshness,
        confidence=item.importance.confidence,
        edit_weight=item.importance.edit_weight,
        edit_count=item.importance.edit_count,
    )


def _operator_prompt(messages: Sequence[Message]) -> str:
    """The client's own system message, as its plain text, else the configured one."""
    own = [transcript.plain_text(message) for message in messages if message.role == "system"]
    return "\n\n".join(own) if own else settings.CAESAR.llm.system_prompt


def _with_system_prompt(messages: Sequence[Message], system_prompt: str) -> list[Message]:
    """The messages for the model: one system message first, then all but the client's own, unchanged."""
    rest = [message for message in messages if message.role != "system"]
    return [Message(role="system", content=system_prompt), *rest] if system_prompt else rest


def _usage(completion: llm.Completion | None) -> events.Usage:
    if completion is None:
        return events.Usage()
    return events.Usage(input_tokens=completion.input_tokens, output_tokens=completion.output_tokens)


def _record_failure(error: llm.LLMError, *, model: str | None, now: datetime) -> None:
    failed = events.ChatFailed(error=str(error), kind=type(error).__name__, provider=error.provider, model=model or "")
    AuditRow.objects.record(failed, now=now, decision_id=uuid.uuid4().hex)

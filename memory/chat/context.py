"""What memory has for one message: the receipt, the system prompt it makes, and the rows that say what went out."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from django.conf import settings
from django.db import transaction

from memory import events, transcript
from memory.events import Message
from memory.models import AuditRow, EpisodeSummary, PersonalFact, RankedFact
from memory.recall import retrieval
from memory.text import wording


@dataclass(frozen=True)
class MemoryUse:
    """What memory may do with a turn: `inject` into its prompt, `learn` from it."""

    inject: bool = True
    learn: bool = True


@dataclass(frozen=True)
class Context:
    """What memory has for one message of one conversation: the receipt, and the system prompt it makes."""

    receipt: events.ContextServed
    system_prompt: str
    episode_ids: Sequence[int] = ()
    conversation_id: str | None = None


def compose(
    messages: Sequence[Message],
    *,
    use: MemoryUse,
    now: datetime,
    system: str | None = None,
    conversation_id: str | None = None,
) -> Context:
    """What memory would put before these messages. Writes nothing.

    `system`: the operator prompt; unset, the client's own system message, else `LLM__SYSTEM_PROMPT`.
    `conversation_id`: the client's name for the conversation, where it has one.
    """
    operator_prompt = _operator_prompt(messages) if system is None else system
    facts, recalled = _facts_part(use, now=now), _episodes_part(messages, use, conversation_id, now=now)
    receipt = events.ContextServed(
        block=wording.memory_block(facts.block, recalled.block),
        facts=facts.served,
        episodes=recalled.served,
        near_misses=recalled.near_misses,
        left_out=[*facts.left_out, *recalled.left_out],
    )
    prompt = wording.beside(operator_prompt, receipt.block, position=settings.CAESAR.memory.injection.position)
    return Context(receipt, prompt, recalled.episode_ids, conversation_id)


def serve(context: Context, *, now: datetime) -> str:
    """Write what goes out to a backend that asks the model itself: bumps, `recalled` rows, receipt; its decision id."""
    decision_id = uuid.uuid4().hex
    with transaction.atomic():
        AuditRow.objects.write(served_rows(context, now=now, decision_id=decision_id))
    return decision_id


def with_memory(messages: Sequence[Message], context: Context) -> list[Message]:
    """The messages for the model: memory beside the client's first system message, or in one of its own before them.

    All else stays as it was sent. Without a system message of the client's, `LLM__SYSTEM_PROMPT` stands in for it.
    """
    place = next((place for place, message in enumerate(messages) if transcript.is_system(message)), None)
    if place is None:
        own = [Message(role="system", content=context.system_prompt)] if context.system_prompt else []
        return [*own, *messages]
    position = settings.CAESAR.memory.injection.position
    system = transcript.with_block(messages[place], context.receipt.block, position=position)
    return [*messages[:place], system, *messages[place + 1 :]]


def served_rows(context: Context, *, now: datetime, decision_id: str) -> list[AuditRow]:
    """The rows of what goes out, not yet written; the bumps are made. Call it in the transaction that writes them."""
    episodes = context.receipt.episodes
    all_there = not episodes or EpisodeSummary.objects.bump(context.episode_ids, now=now) == len(episodes)
    draft = partial(AuditRow.objects.draft, now=now, decision_id=decision_id, conversation_id=context.conversation_id)
    # An episode swept since the search leaves its row without the chat that is gone.
    recalled = [draft(_recalled(item), chat_id=item.audit_log_id if all_there else None) for item in episodes]
    return [*recalled, draft(context.receipt)]


def _recalled(episode: events.ServedEpisode) -> events.EpisodeRecalled:
    return events.EpisodeRecalled(**episode.model_dump(exclude={"when"}))


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


def _episodes_part(
    messages: Sequence[Message], use: MemoryUse, conversation_id: str | None, *, now: datetime
) -> retrieval.Recalled:
    """The episodes the newest message brings back, unless switched off; never those of this conversation."""
    tree = settings.CAESAR
    if not use.inject:
        return retrieval.without("switched off for this turn")
    if reason := retrieval.off_because(tree):
        return retrieval.without(reason)
    return retrieval.recall(
        transcript.last_operator_text(messages),
        scale=tree.memory.episodes_recall,
        left_out=retrieval.this_conversation(messages, conversation_id=conversation_id),
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
    own = [transcript.plain_text(message) for message in messages if transcript.is_system(message)]
    return "\n\n".join(own) if own else settings.CAESAR.llm.system_prompt

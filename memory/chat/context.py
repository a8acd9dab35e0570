"""What memory has for one message: the receipt, the system prompt it makes, and the rows that say what went out."""

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Self

from django.conf import settings

from caesar.processor_time import places
from memory import events
from memory.chat import hearing
from memory.chat.facts_part import facts_part
from memory.chat.turn import Turn
from memory.events import Message
from memory.models import AuditRow, EpisodeSummary
from memory.models.transactions import committed
from memory.recall import relevant_facts, retrieval
from memory.recall.ongoing import ongoing_chats
from memory.text import wording


@dataclass(frozen=True)
class Context:
    """What memory has for one turn: the receipt, and the system prompt it makes."""

    turn: Turn
    receipt: events.ContextServed
    system_prompt: str
    episode_ids: Sequence[int] = ()
    is_on_record: bool = False
    """The turn goes on: its receipt was written with its first step."""
    is_counted: bool = False
    """The turn goes on: its recalls were counted with its first step."""

    def with_searches(self, searches: Sequence[events.MemorySearch]) -> "Context":
        """The same with what the model asked of memory in its receipt, which is then another one than was written."""
        if not searches:
            return self
        receipt = self.receipt.model_copy(update={"searches": list(searches)})
        return replace(self, receipt=receipt, is_on_record=False)

    @property
    def messages(self) -> list[Message]:
        """The turn's messages for the model: memory beside the client's first system message, or before them all."""
        return self.turn.conversation.with_system_block(
            self.receipt.block, prompt=self.system_prompt, position=settings.CAESAR.memory.injection.position
        )


def compose(turn: Turn, *, system: str | None = None) -> Context:
    """What memory would put before a turn's messages. Writes nothing but what `retrieval.recall` notes.

    `system`: the operator prompt; unset, the client's own system message, else `LLM__SYSTEM_PROMPT`. A turn that goes
    on is given what it was given at first, and that is on record already (decision 26).
    """
    with places.taken(turn.now):
        return _composed(turn, system)


def _composed(turn: Turn, system: str | None) -> Context:
    prompts = (system, turn.conversation.system_prompt, settings.CAESAR.llm.system_prompt)
    operator_prompt = next(prompt for prompt in prompts if prompt is not None)
    begun_by = hearing.continued_chat(turn) if turn.use.inject else None
    episode_ids: Sequence[int]
    on_record = None if begun_by is None else _receipt_of(begun_by)
    if on_record is not None and turn.conversation.is_step and not on_record.left_out:
        receipt, episode_ids = on_record, list[int]()
    else:
        receipt, episode_ids = _receipt(turn)
    is_on_record = on_record is not None and on_record.block == receipt.block
    prompt = wording.join_prompt(operator_prompt, receipt.block, position=settings.CAESAR.memory.injection.position)
    return Context(turn, receipt, prompt, episode_ids, is_on_record=is_on_record, is_counted=begun_by is not None)


def _receipt(turn: Turn) -> tuple[events.ContextServed, Sequence[int]]:
    """What memory has for a turn now, and the ids of the episodes in it."""
    question = _question(turn)
    facts, recalled = facts_part(turn, question), _episodes_part(turn, question)
    receipt = events.ContextServed(
        block=wording.memory_block(facts.block, recalled.block),
        facts=facts.served,
        episodes=recalled.served,
        near_misses=recalled.near_misses,
        left_out=[*facts.left_out, *recalled.left_out],
        content_recall=recalled.content,
        selection=facts.selection,
        words_alone=facts.words_alone,
    )
    return receipt, recalled.episode_ids


def _receipt_of(chat_id: int) -> events.ContextServed | None:
    """What the turn that this chat began was given; None where the operator has changed memory since."""
    decision = AuditRow.objects.filter(pk=chat_id).values("decision_id")
    served = AuditRow.objects.get_queryset().of_type(events.ContextServed).filter(decision_id__in=decision)
    row = served.order_by("-id").first()
    if row is None or AuditRow.objects.get_queryset().of_type(*events.BY_OPERATOR).filter(id__gt=row.pk).exists():
        return None
    return events.ContextServed.model_validate(row.payload)


def serve(context: Context, *, beside: Callable[[], None] | None = None) -> None:
    """Write what goes out to a backend that asks the model itself: bumps, `recalled` rows, receipt; and `beside`."""
    served = ServedRows.of(context)

    def write() -> None:
        AuditRow.objects.hold_chat_order()
        AuditRow.objects.write(served.bumped())
        if beside is not None:
            beside()

    committed(write)


@dataclass(frozen=True)
class ServedRows:
    """The rows of what goes out, drafted before the transaction that writes them, and the episodes to be bumped."""

    now: datetime
    episode_ids: Sequence[int]
    recalled: Sequence[AuditRow]
    receipt: AuditRow | None

    @classmethod
    def of(cls, context: Context) -> Self:
        """The rows of a context; none of what is on record already."""
        turn = context.turn
        draft = partial(
            AuditRow.objects.draft, now=turn.now, decision_id=turn.decision_id, conversation_id=turn.conversation.id
        )
        episodes = [] if context.is_counted else context.receipt.episodes
        recalled = [draft(_recalled(item), chat_id=item.audit_log_id) for item in episodes]
        receipt = None if context.is_on_record else draft(context.receipt)
        for row in (*recalled, receipt):
            _ = row and row.payload_json  # worked out here
        return cls(turn.now, [] if context.is_counted else context.episode_ids, recalled, receipt)

    def bumped(self) -> list[AuditRow]:
        """Count the recalls; returns the rows to write in the same transaction, after `hold_chat_order`."""
        receipt = [self.receipt] if self.receipt else []
        if not self.recalled or EpisodeSummary.objects.bump(self.episode_ids, now=self.now) == len(self.recalled):
            return [*self.recalled, *receipt]
        return [*map(_without_chat, self.recalled), *receipt]


def _without_chat(row: AuditRow) -> AuditRow:
    """An episode swept since the search leaves its row without the chat that is gone."""
    row = copy(row)
    row.chat_id = None
    return row


def _recalled(episode: events.ServedEpisode) -> events.EpisodeRecalled:
    return events.EpisodeRecalled(**episode.model_dump(exclude={"when"}))


def _question(turn: Turn) -> relevant_facts.Question | None:
    """The newest message, embedded for facts and episodes; None where facts go by importance, or into no prompt."""
    tree = settings.CAESAR
    if not turn.use.inject or not tree.facts_injection_enabled or tree.memory.facts.selection == "importance":
        return None
    return relevant_facts.ask(turn.conversation.question, tree.semantic)


def _episodes_part(turn: Turn, question: relevant_facts.Question | None) -> retrieval.Recalled:
    """The episodes the newest message brings back, unless switched off; never those of this conversation."""
    tree = settings.CAESAR
    if not turn.use.inject:
        return retrieval.nothing_recalled("switched off for this turn")
    if reason := retrieval.disabled_reason(tree):
        return retrieval.nothing_recalled(reason)
    said, timeout_seconds = turn.conversation.question, tree.semantic.timeout_seconds
    return retrieval.recall(
        question or retrieval.ask(said, timeout_seconds),
        recall_settings=tree.memory.episodes_recall,
        excluded_chats=ongoing_chats(turn.conversation, now=turn.now),
        zone=tree.zone,
        now=turn.now,
    )

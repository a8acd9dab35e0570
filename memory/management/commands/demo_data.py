"""`manage.py demo_data`: forty days of an invented operator's memory, to look at and to take pictures of."""

import uuid
from argparse import ArgumentParser
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from itertools import repeat
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from memory import chat, events, learning, llm
from memory.actor import Actor, Whoever, acting
from memory.conversation import Conversation
from memory.events import Message
from memory.learning import evidence, summaries
from memory.learning.evidence import EndingEntry
from memory.learning.extraction import EXTRACTION, Answer, ExtractionJob, Question
from memory.learning.summaries import SUMMARY
from memory.llm import embedding
from memory.management.demo.chats import CHATS, Chat
from memory.management.demo.operator_actions import OPERATOR_ACTIONS, Action
from memory.models import ApiKey, AuditRow, Embedded, EpisodeSummary, LearningSwitch, PersonalFact, WaitingFact, let_go
from memory.recall import explicit
from memory.units import catching_up, making

MODEL = "llama3.1:8b"

_TABLET, _DESK = "kitchen tablet", "desk"
_READ_AFTER = timedelta(seconds=20)
_TRIED_AGAIN_AFTER = timedelta(minutes=2)


class Command(BaseCommand):
    """Deterministic but for ids: the same chats, facts and changes, dated back from now. Calls no model.

    Everything is written by the methods that a real installation uses, in one transaction: all of it or nothing.
    Past conversations are included where the embedder of this process is on.
    """

    help = "Fill an empty installation with forty days of an invented operator's chats, facts and episodes."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Whether to add to chats that are there already."""
        parser.add_argument("--force", action="store_true", help="also where there are chats already")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the forty days, and say what they hold."""
        _refuse_a_database_in_use(is_forced=options["force"])
        demo = _Demo(timezone.now(), _summary_vectors())
        with transaction.atomic():
            demo.replay()
        if demo.vectors and making.are_wanted():
            deque(catching_up.run(0), maxlen=0)
        chats, episodes = AuditRow.objects.get_queryset().chats().count(), EpisodeSummary.objects.exclude(summary="")
        self.stdout.write(f"{chats} chats, {PersonalFact.objects.count()} facts, {episodes.count()} episodes.")
        if not demo.vectors:
            self.stdout.write(
                "Without past conversations: they need CAESAR_SEMANTIC__ENABLED=true and its provider `embedded`."
            )


def _refuse_a_database_in_use(*, is_forced: bool) -> None:
    """Raises `CommandError` for a database that is in use, and, forced or not, for chats no worker has read yet."""
    chats = AuditRow.objects.get_queryset().chats().count()
    if chats and not is_forced:
        raise CommandError(
            f"There are {chats} chats already. Use another database (CAESAR_DB__URL), or --force to add to these."
        )
    if LearningSwitch.current().is_paused:
        raise CommandError("Learning is paused, so nothing would be learned. Resume it on the overview first.")
    waiting = max(job.cursor.current().waiting.count() for job in (EXTRACTION, SUMMARY))
    if waiting:
        raise CommandError(
            f"{waiting} chats have not been read yet, and would be passed over. First run `manage.py run_batch extract "
            "--all` and `manage.py run_batch summarise --all`."
        )


def _summary_vectors() -> Mapping[str, Embedded]:
    """{summary: its vector}; empty unless the embedder runs in this process. No other server is called for this."""
    semantic = settings.CAESAR.semantic
    if not semantic.enabled or semantic.provider != "embedded":
        return {}
    texts = [told.summary for told in CHATS if told.summary]
    try:
        vectors = embedding.embed(texts)
    except llm.LLMError as error:
        raise CommandError(str(error)) from None
    rows = [Embedded(embedding.json_vector(row), vectors.model) for row in vectors.rows]
    return dict(zip(texts, rows, strict=True))


class _Extractor(ExtractionJob):
    """The extractor with prepared answers. One chat waits at a time: `reading`."""

    reading: Chat
    is_unreachable = False

    def ask(self, question: Question) -> Answer:
        """What the chat teaches, or the failure it stands for."""
        if self.reading.mishap == "outage" and self.is_unreachable:
            raise llm.Unreachable(f"{MODEL} at 127.0.0.1:11434 refused the connection. Start the server it runs in.")
        if self.reading.mishap == "bad_answers":
            raise llm.BadAnswer(f"{MODEL} answered with something else than a list of facts.")
        ends = [EndingEntry(key, "", words, asked=False) for key, words in self.reading.ends]
        found = evidence.weigh(self.reading.claims, ends, texts=question.texts, offered=question.offered)
        return Answer(found.claims, waiting=found.waiting, endings=found.endings)


class _Summariser(summaries.SummaryJob):
    """The summariser with prepared answers. One chat waits at a time: `reading`."""

    def __init__(self, vectors: Mapping[str, Embedded]) -> None:
        self.vectors = vectors

    reading: Chat

    def ask(self, question: summaries.Question) -> summaries.Answer:
        """The summary of the chat, or the failure it stands for."""
        if self.reading.mishap == "no_summary":
            raise llm.BadAnswer("The model gave back the chat instead of a summary.")
        return summaries.Answer(self.reading.summary, self.vectors.get(self.reading.summary))


@dataclass
class _Demo:
    """Writes the forty days, one event after the other."""

    now: datetime
    vectors: Mapping[str, Embedded]
    conversation: list[Message] = field(default_factory=list)
    conversation_id: str = ""
    chats: dict[str, AuditRow] = field(default_factory=dict)
    """What the operator said in a chat -> its row."""
    keys: dict[str, ApiKey] = field(default_factory=dict)
    """The label of a client -> its key, which nobody has."""
    client: str = ""

    def __post_init__(self) -> None:
        self.extractor, self.summariser = _Extractor(), _Summariser(self.vectors)
        semantic = settings.CAESAR.semantic
        self.needs_no_embedding_server = not semantic.enabled or semantic.provider == "embedded"

    def replay(self) -> None:
        """Write everything in the order it happened."""
        happened: Sequence[Chat | Action] = [*CHATS, *OPERATOR_ACTIONS]
        for one in sorted(happened, key=self._moment):
            if isinstance(one, Action):
                self._act(one, self._moment(one))
            elif one.mishap == "no_answer":
                self._fail(self._moment(one))
            elif one.mishap == "errand":
                self._pass_through(one, self._moment(one))
            else:
                self._chat(one, self._moment(one))

    def _moment(self, one: Chat | Action) -> datetime:
        """When it happened: minutes ago, or at a time of day so many days ago in the operator's zone."""
        if not one.days:
            return self.now - timedelta(minutes=one.minutes)
        zone = settings.CAESAR.zone
        day = self.now.astimezone(zone).date() - timedelta(days=one.days)
        return datetime.combine(day, time.fromisoformat(one.clock), zone).astimezone(self.now.tzinfo)

    def _chat(self, told: Chat, at: datetime) -> None:
        """One turn, from the message to what the workers learn from it."""
        said = Message(role="user", content=told.said)
        messages = [*self.conversation, said] if told.goes_on else [said]
        if not told.goes_on:
            self.conversation_id = str(uuid.uuid5(uuid.NAMESPACE_URL, told.said))
        self.conversation = [*messages, Message(role="assistant", content=told.reply)]
        for job in (EXTRACTION, SUMMARY):
            job.cursor.nudge()  # set beforehand, so that a running worker is not woken for each of these chats
        reply = chat.Reply(
            told.reply,
            model=MODEL,
            provider="openai",
            finish_reason="stop",
            usage=events.Usage(
                input_tokens=300 + sum(len(str(message.content)) for message in messages) // 4,
                output_tokens=8 + len(told.reply) // 4,
            ),
        )
        with acting(self._client(told, at)):
            turn = chat.Turn(conversation=Conversation(messages, self.conversation_id), now=at)
            if told.is_served and self.needs_no_embedding_server:
                chat.serve(chat.compose(turn))
            recorded = chat.record(turn, reply)
        self.chats[told.said] = AuditRow.objects.get(pk=recorded.audit_log_id)
        read_at = self._read(told, at + _READ_AFTER)
        self._sum_up(told, read_at + _READ_AFTER)

    def _client(self, told: Chat, at: datetime) -> Whoever:
        """The client that the chat was had with: the tablet out of working hours. A conversation stays with its own."""
        if not told.goes_on:
            is_at_home = told.clock and not "09:00" <= told.clock < "17:00"
            self.client = _TABLET if is_at_home else _DESK
        if self.client not in self.keys:
            self.keys[self.client] = ApiKey.objects.issue(self.client, now=at - timedelta(minutes=1)).row
        key = self.keys[self.client]
        ApiKey.objects.filter(pk=key.pk).update(last_used_at=at)
        return lambda: Actor.client(key.label, key.pk)

    def _read(self, told: Chat, at: datetime) -> datetime:
        """Learn from the chat, with as many tries as its mishap takes; the time of the last one."""
        self.extractor.reading, self.extractor.is_unreachable = told, True
        learning.run(self.extractor, clock=repeat(at).__next__)
        self.extractor.is_unreachable = False
        tries = {"outage": 2, "bad_answers": self.extractor.max_attempts}.get(told.mishap, 1)
        for _ in range(1, tries):
            at += _TRIED_AGAIN_AFTER
            learning.run(self.extractor, clock=repeat(at).__next__)
        return at

    def _sum_up(self, told: Chat, at: datetime) -> None:
        """Sum the chat up; without vectors only move the cursor past it, so that no model is asked for it later."""
        self.summariser.reading = told
        if self.vectors:
            learning.run(self.summariser, clock=repeat(at).__next__)
        else:
            SUMMARY.cursor.current().advance(self.chats[told.said], now=at)

    def _fail(self, at: datetime) -> None:
        error = f"{MODEL} at 127.0.0.1:11434 gave no whole answer within 60 seconds."
        failed = events.ChatFailed(error=error, kind="TooSlow", provider="openai", model=MODEL)
        AuditRow.objects.record(failed, now=at)

    def _pass_through(self, told: Chat, at: datetime) -> None:
        errand = events.ChatPassedThrough(reason="task_prompt", beginning=told.said, model=MODEL, provider="openai")
        AuditRow.objects.record(errand, now=at, conversation_id=self.conversation_id)

    def _act(self, action: Action, at: datetime) -> None:
        """Do what the operator did, by the method for it. Does nothing where it is done already (`--force`)."""
        facts = PersonalFact.objects
        fact = facts.by_key(action.key)
        if action.verb == "add" and fact is None:
            facts.add(action.key, action.value, now=at)
        elif action.verb == "edit" and fact is not None:
            fact.edit(action.value, now=at)
        elif action.verb == "forget" and fact is not None:
            fact.forget(now=at)
        elif action.verb == "date" and fact is not None:
            fact.set_valid_until((at + timedelta(days=int(action.value))).date(), now=at)
        elif action.verb == "keep" and fact is not None:
            fact.keep(now=at)
        elif action.verb == "confirm" and fact is not None and fact.last_confirmed_at < at:
            fact.confirm(now=at)
        elif action.verb == "let_go" and fact is not None:
            let_go(fact, now=at)
        elif action.verb == "drop":
            for claim in WaitingFact.objects.open().filter(key=action.key):
                claim.drop(now=at)
        elif action.verb == "restore" and fact is None:
            deletions = AuditRow.objects.get_queryset().of_type(events.FactUserDeleted).about(action.key)
            facts.restore(deletions.order_by("id").reverse()[0], now=at)
        elif action.verb == "search" and self.needs_no_embedding_server:
            question = explicit.ask(action.value, now=at, zone=settings.CAESAR.zone)
            explicit.note(question, explicit.answer(question), door="command", now=at)
        elif action.verb == "forget_episode":
            told = next(row for said, row in self.chats.items() if said.startswith(action.value))
            for episode in EpisodeSummary.objects.filter(audit_log=told):
                episode.forget(now=at)

"""In the sandbox: chats are recorded and read by the real worker in the order of their times, and questions asked.

Everything happens at the time that the file says: a question in March knows nothing of a chat in April.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from django.conf import settings

from memory import chat, events, learning, llm
from memory.events import ServedEpisode
from memory.learning.summaries import SUMMARY
from memory.llm import usage
from memory.llm.usage import Meter
from memory.management.evaluation.database import ThrowAwayDatabase
from memory.management.evaluation.recall import modes
from memory.management.evaluation.recall.conversations import Conversation, DatedChat, Question
from memory.management.evaluation.recall.outcome import SIZES, Answered, Cost, Outcome
from memory.management.evaluation.report import FailuresInARow, Line, as_lines, give_up_if_hopeless
from memory.models import AuditRow
from memory.recall import retrieval


def report(conversations: Sequence[Conversation], database: Path, *, one_store: bool) -> Iterator[Line[Outcome]]:
    """A line with the mode, then one for each conversation. The last one is an error where it does not go on."""
    try:
        llm.route_for("memory_summarise")
        llm.embedder_route()
    except llm.LLMError as error:
        yield Line[Outcome](error=str(error))
        return
    llm.warm()
    stores = [conversations] if one_store else [[one] for one in conversations]
    yield from as_lines(modes.in_force(), lambda: _outcomes(stores, database), Line[Outcome])


def _outcomes(stores: Sequence[Sequence[Conversation]], database: Path) -> Iterator[Outcome]:
    """Raises `ModelFailed` where the model or the embedder does not answer, or fails three times in a row."""
    made = ThrowAwayDatabase.made(database)
    failures = FailuresInARow("chats or messages")
    for store in stores:
        made.begin_anew()
        yield from read(store, failures)


def read(store: Sequence[Conversation], failures: FailuresInARow | None = None) -> list[Outcome]:
    """What recall makes of conversations that share one empty store. Raises `ModelFailed`."""
    retrieval.forget()
    lived = _Lived(failures or FailuresInARow("chats or messages"), [_Told(one) for one in store])
    for happening in sorted(chain(*map(lived.happenings, lived.told)), key=lambda one: (one.at, one.rank)):
        happening.take_place()
    return [told.outcome for told in lived.told]


class _Happening(NamedTuple):
    """Something at a time. `rank`: the order of what happens at the same time."""

    at: datetime
    rank: int
    take_place: Callable[[], None]


@dataclass
class _Told:
    """A conversation, and what became of it so far."""

    conversation: Conversation
    answered: dict[str, Answered] = field(default_factory=dict)
    injected: list[bool] = field(default_factory=list)
    failed: Counter[str] = field(default_factory=Counter)
    failure: str = ""
    learning: Cost = Cost()
    searching: Cost = Cost()

    @property
    def outcome(self) -> Outcome:
        """As it is told: the questions in their own order."""
        return Outcome(
            id=self.conversation.id,
            answered=[self.answered[question.id] for question in self.conversation.questions],
            injected=self.injected,
            unread=self.failed["chats"],
            unsearched=self.failed["messages"],
            learning=self.learning,
            searching=self.searching,
            failure=self.failure,
        )


@dataclass
class _Lived:
    """One store. `names`: of each recorded chat its conversation and its id there."""

    failures: FailuresInARow
    told: Sequence[_Told]
    names: dict[int, tuple[str, str]] = field(default_factory=dict)

    def happenings(self, told: _Told) -> Iterator[_Happening]:
        """What happens in one conversation."""
        given = told.conversation
        for said in given.chats:
            yield _Happening(said.at, 0, partial(self._record, told, said))
        for question in given.questions:
            yield _Happening(given.asked_at(question), 1, partial(self._ask, told, question))
        for message in given.unrelated:
            yield _Happening(given.ends, 1, partial(self._ask_unrelated, told, message))

    def _record(self, told: _Told, said: DatedChat) -> None:
        """Record a chat, and have the worker read it."""
        turn = chat.Turn(conversation=said.conversation, now=said.at)
        chat_id = chat.record(turn, chat.Reply(said.reply)).audit_log_id
        self.names[chat_id] = (told.conversation.id, said.id)
        began = time.perf_counter()
        with usage.metered() as meter:
            learning.run(SUMMARY, clock=lambda: said.at)
        told.learning += _cost(meter, since=began)
        self._note(told, "chats", _summary_failure(chat_id))

    def _ask(self, told: _Told, question: Question) -> None:
        """Look for what a question brings back, once for each size."""
        found: dict[int, list[str]] = {}
        failure = ""
        for size in SIZES:
            served, why = self._served(told, question.message, at=told.conversation.asked_at(question), top_k=size)
            found[size] = [self._name(told, one) for one in served]
            failure = failure or why
        told.answered[question.id] = Answered(id=question.id, found=found, failure=failure)
        self._note(told, "messages", failure)

    def _ask_unrelated(self, told: _Told, message: str) -> None:
        """Look for what a message brings back by the settings as they are."""
        served, failure = self._served(told, message, at=told.conversation.ends)
        told.injected.append(bool(served))
        self._note(told, "messages", failure)

    def _served(
        self, told: _Told, message: str, *, at: datetime, top_k: int | None = None
    ) -> tuple[Sequence[ServedEpisode], str]:
        """What a turn would be given, and why it could not be looked for, "" where it could."""
        tree = settings.CAESAR
        chosen = tree.memory.episodes_recall
        began = time.perf_counter()
        with usage.metered() as meter:
            recalled = retrieval.recall(
                retrieval.ask(message, tree.semantic.timeout_seconds),
                recall_settings=chosen if top_k is None else chosen.model_copy(update={"top_k": top_k}),
                excluded_chats=(),
                zone=tree.zone,
                now=at,
            )
        told.searching += _cost(meter, since=began)
        return recalled.served, "" if recalled.served else " ".join(one.reason for one in recalled.left_out)

    def _name(self, told: _Told, served: ServedEpisode) -> str:
        """The id of a chat in its conversation; with that conversation's id before it where it is another one."""
        conversation, name = self.names[served.audit_log_id]
        return name if conversation == told.conversation.id else f"{conversation}/{name}"

    def _note(self, told: _Told, kind: str, failure: str) -> None:
        if failure:
            told.failed[kind] += 1
            told.failure = failure
        self.failures.take(failure)


def _summary_failure(chat_id: int) -> str:
    """Why the worker could not read a chat, "" where it could. Raises `ModelFailed` where no other could be read."""
    failed = AuditRow.objects.filter(chat_id=chat_id, event_type=events.EpisodeFailed.name).first()
    if failed is None:
        return ""
    failure = events.EpisodeFailed.model_validate(failed.payload)
    give_up_if_hopeless(failure.kind, failure.error)
    return failure.error


def _cost(meter: Meter, *, since: float) -> Cost:
    return Cost(
        count=1,
        seconds=time.perf_counter() - since,
        embedded=meter.embedded,
        answers=meter.answers,
        input_tokens=meter.input_tokens,
        output_tokens=meter.output_tokens,
    )

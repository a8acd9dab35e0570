"""In the sandbox: each case is recorded as a chat and read by the real worker, in a database that was just made."""

import shutil
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from memory import chat, events, learning, llm
from memory.conversation import Conversation
from memory.events import Message
from memory.learning.extraction import EXTRACTION
from memory.llm import usage
from memory.management.evaluation.cases import Case, Operation
from memory.management.evaluation.outcome import LearnedFact, Line, Outcome
from memory.models import AuditQuerySet, AuditRow, ExtractCursor, PersonalFact

MOST_FAILURES_IN_A_ROW = 3
_NOT_WORTH_GOING_ON = frozenset(
    error.__name__ for error in (llm.NotConfigured, llm.Unreachable, llm.AccessDenied, llm.NotFound)
)
_KNOWN_FOR = timedelta(days=1)


class ModelFailed(Exception):
    """The model does not answer, or not usably. The message is its error."""


def report(cases: Iterable[Case], database: Path) -> Iterator[Line]:
    """A line with the route, then one for each case. The last one is an error where it does not go on."""
    try:
        llm.route_for("memory_extract")
    except llm.LLMError as error:
        yield Line(error=str(error))
        return
    yield Line(route=llm.describe("memory_extract"))
    try:
        yield from (Line(outcome=outcome) for outcome in _outcomes(cases, _Database.made(database)))
    except ModelFailed as error:
        yield Line(error=str(error))


def _outcomes(cases: Iterable[Case], database: "_Database") -> Iterator[Outcome]:
    """Raises `ModelFailed` at once where the model is out of reach, else after three failed cases in a row."""
    in_a_row = 0
    for case in cases:
        database.begin_anew()
        outcome = read(case)
        in_a_row = in_a_row + 1 if outcome.failure else 0
        yield outcome
        if in_a_row == MOST_FAILURES_IN_A_ROW:
            raise ModelFailed(f"{in_a_row} cases in a row could not be read. The last one: {outcome.failure}")


@dataclass(frozen=True)
class _Database:
    """The database of this process, and a copy of it as it was when it was made."""

    file: Path
    empty: Path

    @classmethod
    def made(cls, file: Path) -> "_Database":
        """Migrate the database. `file`: where the settings say it is."""
        call_command("migrate", verbosity=0, interactive=False)
        connection.close()
        empty = file.with_suffix(".empty")
        shutil.copyfile(file, empty)
        return cls(file, empty)

    def begin_anew(self) -> None:
        """Forget everything: no case knows of another."""
        connection.close()
        for ending in ("-wal", "-shm", "-journal"):
            self.file.with_name(self.file.name + ending).unlink(missing_ok=True)
        shutil.copyfile(self.empty, self.file)


def read(case: Case) -> Outcome:
    """What the worker makes of one case. Raises `ModelFailed` where asking about others is of no use."""
    now = timezone.now()
    _remember(case, at=now - _KNOWN_FOR)
    before = _facts()
    told = chat.record(_turn(case, now=now), chat.Reply(case.reply)).audit_log_id
    began = time.perf_counter()
    with usage.metered() as meter:
        tally, failure = _learn(told)
    after = _facts()
    rows = AuditRow.objects.get_queryset().filter(id__gt=told)
    return Outcome(
        id=case.id,
        learned=_learned(before, after),
        kept={key: fact.value for key, fact in after.items() if _operation(before.get(key), fact) is None},
        retired=[row.fact_key for row in rows.filter(event_type=events.FactRetired.name) if row.fact_key],
        refused=_refused(rows),
        unusable=tally.counts["rejected"],
        answers=meter.answers,
        unreported=meter.unreported,
        input_tokens=meter.input_tokens,
        output_tokens=meter.output_tokens,
        seconds=time.perf_counter() - began,
        failure=failure,
    )


def _turn(case: Case, *, now: datetime) -> chat.Turn:
    messages = [Message(role=message.role, content=message.content) for message in case.asked]
    return chat.Turn(conversation=Conversation(messages), now=now)


def _remember(case: Case, *, at: datetime) -> None:
    """Learn what was known before from a chat of its own, from which the worker is not to learn."""
    claims = [fact.claim for fact in case.have if fact.claim is not None]
    if not claims:
        return
    said = Message(role="user", content="\n".join(claim.value for claim in claims))
    turn = chat.Turn(conversation=Conversation([said]), now=at, use=chat.MemoryUse(learn=False))
    told = chat.record(turn, chat.Reply(""))
    PersonalFact.objects.learn(claims, chat=AuditRow.objects.get(pk=told.audit_log_id), now=at)


def _facts() -> dict[str, PersonalFact]:
    return {fact.key: fact for fact in PersonalFact.objects.all()}


def _learn(told: int) -> tuple[learning.Tally, str]:
    """Run the worker until the chat is settled; bad answers are asked for again, as often as the settings allow.

    Returns its tally, and why the chat could not be read ("" where it was). Raises `ModelFailed`.
    """
    total = learning.Tally()
    while ExtractCursor.current().waiting.exists():
        total.add(learning.run(EXTRACTION, clock=timezone.now))
        if ExtractCursor.current().next_try_at is not None:  # an outage: waiting is not for us
            break
    rows = AuditRow.objects.filter(chat_id=told)
    failed = rows.filter(event_type=events.ExtractFailed.name).order_by("-id").first()
    if failed is None or not (total.rows_abandoned or ExtractCursor.current().waiting.exists()):
        return total, ""
    failure = events.ExtractFailed.model_validate(failed.payload)
    if failure.kind in _NOT_WORTH_GOING_ON:
        raise ModelFailed(failure.error)
    return total, failure.error


def _learned(before: Mapping[str, PersonalFact], after: Mapping[str, PersonalFact]) -> list[LearnedFact]:
    """The facts that were added, changed or confirmed."""
    return [
        LearnedFact(key=key, value=fact.value, confidence=fact.confidence, op=operation)
        for key, fact in after.items()
        if (operation := _operation(before.get(key), fact))
    ]


def _operation(before: PersonalFact | None, after: PersonalFact) -> Operation | None:
    """What became of a fact; None where nothing did."""
    if before is None:
        return "add"
    if before.value != after.value:
        return "update"
    return "confirm" if before.last_confirmed_at != after.last_confirmed_at else None


def _refused(rows: AuditQuerySet) -> dict[str, int]:
    """How many claims were refused, by reason."""
    counted: Counter[str] = Counter()
    for row in rows.filter(event_type=events.ClaimsRefused.name):
        counted.update(events.ClaimsRefused.model_validate(row.payload).reasons)
    return dict(counted)

"""In the sandbox: each case is recorded as a chat and read by the real worker, in a database that was just made."""

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path

from django.utils import timezone

from memory import chat, events, learning, llm
from memory.conversation import Conversation
from memory.events import Message
from memory.learning.extraction import EXTRACTION
from memory.llm import usage
from memory.management.evaluation.database import ThrowAwayDatabase
from memory.management.evaluation.facts.cases import Case, Operation
from memory.management.evaluation.facts.outcome import LearnedFact, Outcome
from memory.management.evaluation.report import FailuresInARow, Line, as_lines, give_up_if_hopeless
from memory.models import AuditQuerySet, AuditRow, ExtractCursor, PersonalFact

_KNOWN_FOR = timedelta(days=1)


def report(cases: Iterable[Case], database: Path) -> Iterator[Line[Outcome]]:
    """A line with the route, then one for each case. The last one is an error where it does not go on."""
    try:
        llm.route_for("memory_extract")
    except llm.LLMError as error:
        yield Line[Outcome](error=str(error))
        return
    yield from as_lines(llm.describe("memory_extract"), lambda: _outcomes(cases, database), Line[Outcome])


def _outcomes(cases: Iterable[Case], database: Path) -> Iterator[Outcome]:
    """Raises `ModelFailed` at once where the model is out of reach, else after three failed cases in a row."""
    made = ThrowAwayDatabase.made(database)
    failures = FailuresInARow("cases")
    for case in cases:
        made.begin_anew()
        outcome = read(case)
        yield outcome
        failures.take(outcome.failure)


def read(case: Case) -> Outcome:
    """What the worker makes of one case. Raises `ModelFailed` where asking about others is of no use."""
    now = timezone.now()
    _remember(case, at=now - _KNOWN_FOR)
    before = _facts()
    chat_id = chat.record(_turn(case, now=now), chat.Reply(case.reply)).audit_log_id
    began = time.perf_counter()
    with usage.metered() as meter:
        tally, failure = _learn(chat_id)
    after = _facts()
    rows = AuditRow.objects.get_queryset().filter(id__gt=chat_id)
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
    return chat.Turn(conversation=case.conversation, now=now)


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
    give_up_if_hopeless(failure.kind, failure.error)
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

"""The benchmarks: what is measured, against what, and how much is allowed."""

import statistics
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial

from django.db import connection, models
from django.test import Client
from django.test.utils import CaptureQueriesContext

from memory import events, ranking
from memory.models import SCOPES, ApiKey, AuditRow, MemoryRevision, PersonalFact
from memory.text import wording

NOW = datetime(2026, 5, 20, 9, 0, tzinfo=UTC)
CHUNK = 10_000


def ratio(ours: Callable[[], object], theirs: Callable[[], object], *, rounds: int) -> tuple[float, float, float]:
    """Median of the per-round ratios ours / theirs, and both medians in ms. Interleaved, in alternating order."""
    times: list[tuple[float, float]] = []
    for number in range(rounds + 1):
        if number % 2:
            one = seconds(ours)
            two = seconds(theirs)
        else:
            two = seconds(theirs)
            one = seconds(ours)
        times.append((one, two))
    measured = times[1:]
    return (
        statistics.median(one / two for one, two in measured),
        statistics.median(one for one, _ in measured) * 1000,
        statistics.median(two for _, two in measured) * 1000,
    )


def seconds(function: Callable[[], object]) -> float:
    """How long one call takes."""
    began = time.perf_counter()
    function()
    return time.perf_counter() - began


def queries() -> Iterator[str]:
    """Database queries of one `/v1/chat` turn with the offline provider, transaction statements not counted."""
    secret = ApiKey.objects.issue("bench", scopes=SCOPES).secret
    client = Client(SERVER_NAME="localhost", headers={"Authorization": f"Bearer {secret}"})
    yield f"/v1/chat, first turn of a process: {_queries_of_a_turn(client, 'first')} queries (caches are filled)"
    for facts in (0, 1000):
        _fill_facts(facts, edits_each=0)
        counts = [_queries_of_a_turn(client, f"turn {facts} {number}") for number in range(3)]
        yield f"/v1/chat with {facts} facts: {max(counts)} queries (at most 12)"
    empty()


def _queries_of_a_turn(client: Client, words: str) -> int:
    body = {"messages": [{"role": "user", "content": words}]}
    with CaptureQueriesContext(connection) as captured:
        answer = client.post("/v1/chat", body, content_type="application/json")
    if answer.status_code != 200:
        raise SystemExit(f"/v1/chat answered {answer.status_code}: {answer.content.decode()}")
    return len([query for query in captured if not _is_transaction(query["sql"])])


def _is_transaction(sql: str) -> bool:
    return sql.split(" ")[0].upper() in ("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE")


def facts() -> Iterator[str]:
    """The facts step at 5,000 facts and 100,000 audit rows, against objects, a GROUP BY over the log and a sort."""
    _fill_facts(5000, edits_each=2)
    _fill_audit(100_000)
    if not facts_step() == facts_step_after_a_change() == facts_step_naive():
        raise SystemExit("facts: the ways give different text")
    middle, plain, ours = ratio(facts_step_naive, facts_step, rounds=15)
    yield f"plain / ours: {middle:.1f}x (at least 10x); plain {plain:.1f} ms, ours {ours:.1f} ms"
    middle, plain, ours = ratio(facts_step_naive, facts_step_after_a_change, rounds=15)
    yield f"plain / ours where a fact has just changed: {middle:.1f}x (no promise); {plain:.1f} ms, {ours:.1f} ms"
    empty()


def facts_step_after_a_change() -> str:
    """The facts block when it has to be sorted anew."""
    MemoryRevision.move("facts_changed")
    return facts_step()


def facts_step() -> str:
    """The facts block as a turn makes it."""
    ranked = PersonalFact.objects.for_prompt(NOW)
    return wording.facts_block((item.fact.sentence for item in ranked), max_facts=30, max_chars=2048).text


def facts_step_naive() -> str:
    """The same block the naive way: every fact an object, every edit counted over the whole log, everything sorted."""
    log = AuditRow.objects.values("fact_key").annotate(
        edits=models.Count("id", filter=models.Q(event_type=events.FactUserEdited.name))
    )
    edits = {row["fact_key"]: row["edits"] for row in log.order_by()}

    def key(fact: PersonalFact) -> tuple[float, float, int]:
        age_days = (NOW - fact.last_confirmed_at) / timedelta(days=1)
        score = ranking.importance(
            age_days=age_days,
            confidence=fact.confidence,
            edit_count=edits.get(fact.key, 0),
            halflife_days=60.0,
            edit_weight_scale=0.5,
        )
        return (-score, -fact.last_confirmed_at.timestamp(), fact.pk)

    ranked = sorted(PersonalFact.objects.all(), key=key)
    return wording.facts_block((fact.sentence for fact in ranked), max_facts=30, max_chars=2048).text


def timeline() -> Iterator[str]:
    """A timeline page anywhere in 1,000,000 audit rows against the first page."""
    _fill_audit(1_000_000)
    newest = AuditRow.objects.order_by("-id").values_list("id", flat=True)[0]
    rows = AuditRow.objects.get_queryset()
    for label, scope in (("all", rows), ("one type", rows.of_type(events.FactConfirmed))):
        for depth in (0.5, 0.999):
            before = int(newest * (1 - depth)) + 50
            middle, ours, theirs = ratio(partial(scope.page, before=before), scope.page, rounds=31)
            yield (
                f"{label}, {depth:.1%} down / first page: {middle:.2f}x (at most 2x); "
                f"{ours:.2f} ms, first page {theirs:.2f} ms"
            )
    empty()


def _fill_facts(count: int, *, edits_each: int) -> None:
    PersonalFact.objects.bulk_create(
        PersonalFact(
            key=f"note.number_{number}",
            value=f"a value of ordinary length, number {number}",
            confidence=(number % 90 + 10) / 100,
            first_seen_at=NOW - timedelta(days=400),
            last_confirmed_at=NOW - timedelta(minutes=number * 37 % 500_000),
        )
        for number in range(count)
    )
    for number in range(0, count, 25):
        for _ in range(edits_each):
            AuditRow.objects.record(
                events.FactUserEdited(key=f"note.number_{number}", old_value="a", new_value="b"), now=NOW
            )


def _fill_audit(count: int) -> None:
    payload = {
        "key": "note.number_1",
        "value": "some words " * 20,
        "confidence": 0.9,
        "said_at": "2026-05-20T09:00:00Z",
    }
    names = [events.FactConfirmed.name, events.ContextServed.name, events.ChatCompleted.name, events.FactAdded.name]
    for start in range(0, count, CHUNK):
        AuditRow.objects.bulk_create(
            AuditRow(ts=NOW, event_type=names[number % 4], payload=payload, fact_key=f"note.number_{number % 5000}")
            for number in range(start, min(start + CHUNK, count))
        )


def empty() -> None:
    """Leave the database as it was found."""
    with connection.cursor() as cursor:
        for table in ("personal_facts", "heard_messages", "memory_revision", "audit_log"):
            cursor.execute(f"DELETE FROM {table}")  # noqa: S608 (names from the line above)


BENCHMARKS: dict[str, Callable[[], Iterator[str]]] = {"queries": queries, "facts": facts, "timeline": timeline}

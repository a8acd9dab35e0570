"""The worker loop: exactly once, holding, giving up, probing, asking again (ADR-0033 §2; decisions 7, 8)."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

import httpx
import pytest
from django.db import connection, connections

from memory import chat, learning
from memory.events import Message
from memory.learning.extraction import EXTRACTION
from memory.models import AskAgain, AuditRow, ExtractCursor, PersonalFact
from tests import cases
from tests.conftest import Configure
from tests.memory.llm.scripted import Answer, ScriptedLLM, scripted_llm
from tests.turns import record_turn

pytestmark = pytest.mark.django_db

BAD = "this is no JSON"


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **span: float) -> None:
        self.now += timedelta(**span)


@pytest.fixture
def clock(now: datetime) -> Clock:
    return Clock(now)


def fruit(name: str) -> str:
    return json.dumps([{"key": f"fruit.{name}", "value": name, "confidence": 0.9}])


def say(text: str, *, now: datetime, learn: bool = True) -> int:
    """Record a chat of one message; its id."""
    messages = [Message(role="user", content=text)]
    return record_turn(messages, "ok", use=chat.MemoryUse(learn=learn), now=now).audit_log_id


def run(clock: Clock, *answers: Answer) -> tuple[learning.Tally, ScriptedLLM]:
    with scripted_llm(*answers) as llm:
        return learning.run(EXTRACTION, clock=clock), llm


def types() -> list[str]:
    rows = AuditRow.objects.exclude(event_type="chat.completed").order_by("id")
    return [row.event_type.removeprefix("memory.fact.") for row in rows]


def cursor() -> ExtractCursor:
    return ExtractCursor.current()


def fresh() -> httpx.Response:
    return httpx.Response(503, text="down for maintenance")


def test_it_works(clock: Clock) -> None:
    ids = [say(f"I like {name}.", now=clock.now) for name in ("figs", "plums")]
    tally, llm = run(clock, fruit("figs"), fruit("plums"))
    assert (tally.rows_ok, tally.questions, tally.state) == (2, 2, "done")
    assert tally.counts == {"added": 2}
    assert len(llm.requests) == 2
    assert cursor().last_audit_id == ids[-1]
    assert list(PersonalFact.objects.values_list("source_audit_id", flat=True)) == ids


def test_a_second_run_asks_nothing(clock: Clock) -> None:
    say("I like figs.", now=clock.now)
    run(clock, fruit("figs"))
    tally, llm = run(clock)
    assert (tally.questions, llm.requests) == (0, [])
    assert types() == ["added"]


def test_a_batch_asks_no_more_than_its_size(clock: Clock, configure: Configure) -> None:
    configure(memory__facts_extract__batch_size=2)
    for number in range(3):
        say(f"I like fruit {number}.", now=clock.now)
    tally, _ = run(clock, "[]", "[]")
    assert (tally.questions, tally.state) == (2, "full")
    assert cursor().waiting.count() == 1


def test_a_batch_begins_no_question_after_its_time(clock: Clock) -> None:
    for number in range(2):
        say(f"I like fruit {number}.", now=clock.now)

    def slow(request: object) -> str:
        clock.forward(seconds=learning.task_seconds() + 1)
        return "[]"

    tally, _ = run(clock, slow)
    assert (tally.questions, tally.state) == (1, "late")


def test_chats_that_teach_nothing_are_passed_without_a_call(clock: Clock) -> None:
    say("I like figs.", now=clock.now, learn=False)
    record_turn([Message(role="assistant", content="hi")], "ok", now=clock.now)
    last = say("I like plums.", now=clock.now)
    tally, llm = run(clock, "[]")
    assert (tally.rows_ok, tally.questions) == (3, 1)
    assert cursor().last_audit_id == last


@contextmanager
def claimed(clock: Clock) -> Iterator[None]:
    until = clock.now + timedelta(minutes=3)
    assert ExtractCursor.claim(now=clock.now, until=until)
    yield
    ExtractCursor.release(until)


def test_two_workers_do_not_pay_twice(clock: Clock) -> None:
    say("I like figs.", now=clock.now)
    with claimed(clock):
        tally, llm = run(clock)
        assert (tally.state, llm.requests) == ("busy", [])
    tally, _ = run(clock, fruit("figs"))
    assert tally.state == "done"


def test_a_claim_that_ran_out_is_taken_over(clock: Clock) -> None:
    say("I like figs.", now=clock.now)
    assert ExtractCursor.claim(now=clock.now, until=clock.now + timedelta(minutes=3))
    clock.forward(minutes=3)
    tally, _ = run(clock, fruit("figs"))
    assert tally.rows_ok == 1


def test_a_release_does_not_take_the_claim_of_another(clock: Clock) -> None:
    mine = clock.now + timedelta(minutes=3)
    ExtractCursor.claim(now=clock.now, until=mine)
    clock.forward(minutes=4)
    theirs = clock.now + timedelta(minutes=3)
    assert ExtractCursor.claim(now=clock.now, until=theirs)
    ExtractCursor.release(mine)
    assert cursor().claimed_until == theirs


def test_the_overtaken_worker_writes_nothing(clock: Clock) -> None:
    """H36 at its worst: both workers have the answer for the same chat, the claim ran out in between."""
    say("My locker is number 9.", now=clock.now)

    def overtake(request: object) -> str:
        clock.forward(hours=1)
        run_inside, _ = run(clock, fruit("figs"))
        assert run_inside.rows_ok == 1
        return fruit("figs")

    tally, _ = run(clock, overtake)
    assert (tally.rows_ok, tally.state) == (0, "busy")
    assert types() == ["added"]


def test_a_bad_answer_holds_and_is_asked_again(clock: Clock) -> None:
    first, stuck, last = (say(f"I like {name}.", now=clock.now) for name in ("figs", "quinces", "plums"))
    tally, _ = run(clock, fruit("figs"), BAD)
    assert (tally.rows_ok, tally.rows_failed, tally.state) == (1, 1, "failed")
    assert (cursor().last_audit_id, cursor().attempts) == (first, 1)
    assert cursor().last_error
    tally, llm = run(clock, fruit("quinces"), fruit("plums"))
    assert len(llm.requests) == 2
    assert cursor().last_audit_id == last
    assert (cursor().attempts, cursor().last_error) == (0, "")
    assert types() == ["added", "extract_failed", "added", "added"]
    assert AuditRow.objects.get(event_type="memory.fact.extract_failed").chat_id == stuck


def test_a_chat_is_given_up_after_max_attempts_bad_answers(clock: Clock, configure: Configure) -> None:
    configure(memory__facts_extract__max_attempts=3)
    stuck, last = say("I like quinces.", now=clock.now), say("I like plums.", now=clock.now)
    for _ in range(2):
        run(clock, BAD)
    tally, _ = run(clock, BAD, fruit("plums"))
    assert (tally.rows_abandoned, tally.rows_ok) == (1, 1)
    assert cursor().last_audit_id == last
    assert types() == ["extract_failed", "extract_abandoned", "added"]
    row = AuditRow.objects.get(event_type="memory.fact.extract_abandoned")
    assert (row.chat_id, row.payload["attempts"], row.payload["reason"]) == (stuck, 3, "bad_answer")


@pytest.mark.parametrize("status", [400, 413, 422])
def test_a_refused_request_counts_like_a_bad_answer(clock: Clock, configure: Configure, status: int) -> None:
    configure(memory__facts_extract__max_attempts=1)
    say("I like quinces.", now=clock.now)
    refusal = httpx.Response(status, json={"error": {"message": "too long"}})
    tally, _ = run(clock, *[httpx.Response(refusal.status_code, content=refusal.content) for _ in range(2)])
    assert tally.rows_abandoned == 1


@pytest.mark.parametrize("status", [429, 500, 503, 401, 403, 404])
def test_an_outage_pauses_and_gives_nothing_up(clock: Clock, configure: Configure, status: int) -> None:
    configure(memory__facts_extract__max_attempts=2)
    say("I like figs.", now=clock.now)
    for minutes in (1, 2, 4, 8):
        answers = [httpx.Response(status, headers={"retry-after": "60"}, text="no") for _ in range(2)]
        tally, _ = run(clock, *answers)
        assert tally.state == "failed"
        assert cursor().next_try_at == clock.now + timedelta(minutes=minutes)
        paused, llm = run(clock)
        assert (paused.state, llm.requests) == ("paused", [])
        clock.forward(minutes=minutes)
    tally, _ = run(clock, fruit("figs"))
    assert tally.rows_ok == 1
    assert types() == ["extract_failed", "added"]


@pytest.mark.parametrize(("named", "minutes"), [("90", 1.5), ("20", 1), ("1800", 30), ("86400", 30), ("soon", 1)])
def test_a_provider_that_names_a_wait_is_not_asked_before(clock: Clock, named: str, minutes: float) -> None:
    say("I like figs.", now=clock.now)
    run(clock, httpx.Response(429, headers={"retry-after": named}, text="no"))
    assert cursor().next_try_at == clock.now + timedelta(minutes=minutes)


def test_an_outage_pauses_half_an_hour_at_most(clock: Clock) -> None:
    say("I like figs.", now=clock.now)
    for _ in range(9):
        run(clock, fresh(), fresh())
        clock.now = cursor().next_try_at or clock.now
    assert cursor().next_try_at is not None
    run(clock, fresh(), fresh())
    assert cursor().next_try_at == clock.now + timedelta(minutes=30)


def test_outages_do_not_use_up_the_tries_of_a_chat(clock: Clock, configure: Configure) -> None:
    configure(memory__facts_extract__max_attempts=2)
    say("I like figs.", now=clock.now)
    for _ in range(3):
        run(clock, fresh(), fresh())
        clock.forward(minutes=10)
    assert run(clock, BAD)[0].rows_abandoned == 0
    assert run(clock, BAD)[0].rows_abandoned == 1


def outage_for_two_hours(clock: Clock) -> None:
    for _ in range(7):
        run(clock, fresh(), fresh())
        clock.now = cursor().next_try_at or clock.now
    assert clock.now - AuditRow.objects.get(event_type="memory.fact.extract_failed").ts > timedelta(hours=1)


def test_an_outage_of_one_chat_alone_is_the_chats_fault(clock: Clock) -> None:
    stuck = say("I like quinces.", now=clock.now)
    outage_for_two_hours(clock)
    say("nothing", now=clock.now, learn=False)
    last = say("I like plums.", now=clock.now)
    tally, llm = run(clock, fresh(), fresh(), fruit("plums"))
    assert (tally.rows_abandoned, tally.rows_ok) == (1, 1)
    assert cursor().last_audit_id == last
    assert (cursor().outages, cursor().next_try_at) == (0, None)
    row = AuditRow.objects.get(event_type="memory.fact.extract_abandoned")
    assert (row.chat_id, row.payload["reason"]) == (stuck, "fault_of_this_chat")
    assert types() == ["extract_failed", "extract_abandoned", "added"]


def test_a_real_outage_gives_no_chat_up_however_long(clock: Clock) -> None:
    say("I like quinces.", now=clock.now)
    say("I like plums.", now=clock.now)
    for _ in range(20):
        run(clock, *[fresh() for _ in range(4)])
        clock.now = cursor().next_try_at or clock.now
    assert types() == ["extract_failed"]
    tally, _ = run(clock, fruit("quinces"), fruit("plums"))
    assert tally.rows_ok == 2


def test_the_next_chat_is_not_probed_within_the_first_hour(clock: Clock) -> None:
    say("I like quinces.", now=clock.now)
    say("I like plums.", now=clock.now)
    for _ in range(5):
        _, llm = run(clock, fresh(), fresh())
        assert len(llm.requests) == 2
        clock.now = cursor().next_try_at or clock.now


def test_a_try_is_counted_before_it_is_made(clock: Clock) -> None:
    say("I like figs.", now=clock.now)
    seen: list[int] = []

    def look(request: object) -> str:
        seen.append(cursor().attempts)
        return "[]"

    run(clock, look)
    assert seen == [1]


def test_a_chat_that_kills_its_worker_is_given_up(clock: Clock, configure: Configure) -> None:
    configure(memory__facts_extract__max_attempts=3)
    killer, _ = say("I like bombs.", now=clock.now), say("I like plums.", now=clock.now)
    for _ in range(3):
        with pytest.raises(MemoryError):
            run(clock, MemoryError())
        clock.forward(minutes=5)
    tally, _ = run(clock, fruit("plums"))
    assert (tally.rows_abandoned, tally.rows_ok) == (1, 1)
    row = AuditRow.objects.get(event_type="memory.fact.extract_abandoned")
    assert (row.chat_id, row.payload["reason"]) == (killer, "worker_died")


def test_a_row_that_cannot_be_read_is_given_up_at_once(clock: Clock, now: datetime) -> None:
    AuditRow.objects.bulk_create([AuditRow(event_type="chat.completed", ts=now, payload={"messages": "what?"})])
    say("I like plums.", now=clock.now)
    tally, _ = run(clock, fruit("plums"))
    assert (tally.rows_abandoned, tally.rows_ok) == (1, 1)
    assert AuditRow.objects.get(event_type="memory.fact.extract_abandoned").payload["reason"] == "unreadable"


def test_no_transaction_is_open_while_the_model_is_asked(clock: Clock) -> None:
    say("I whittle spoons.", now=clock.now)
    depth = len(connection.savepoint_ids)
    seen: list[int] = []

    def look(request: object) -> str:
        seen.append(len(connection.savepoint_ids))
        return "[]"

    run(clock, look)
    assert seen == [depth]


@pytest.mark.django_db(transaction=True)
def test_a_chat_can_be_written_while_the_worker_waits(clock: Clock) -> None:
    """H37: another connection inserts during the call, and waits for nobody."""
    first = say("I whittle spoons.", now=clock.now)

    def write(request: object) -> str:
        other = connections.create_connection("default")
        with other.cursor() as raw:
            if other.vendor == "sqlite":
                raw.execute("PRAGMA busy_timeout = 1000")
            raw.execute("UPDATE memory_extract_cursor SET nudged = %s", [True])
        other.close()
        return fruit("figs")

    tally, _ = run(clock, write)
    assert tally.rows_ok == 1
    assert cursor().last_audit_id == first


# --- the operator's buttons ---------------------------------------------------------------------------------------


def give_up(clock: Clock, configure: Configure) -> int:
    configure(memory__facts_extract__max_attempts=1)
    stuck = say("I like quinces.", now=clock.now)
    run(clock, BAD)
    return stuck


def test_a_chat_given_up_is_read_again_when_asked(clock: Clock, configure: Configure) -> None:
    stuck = give_up(clock, configure)
    learning.retry(EXTRACTION, stuck, now=clock.now)
    learning.retry(EXTRACTION, stuck, now=clock.now)
    tally, llm = run(clock, fruit("quinces"))
    assert (tally.rows_ok, len(llm.requests)) == (1, 1)
    assert PersonalFact.objects.get().source_audit_id == stuck
    assert types() == ["extract_failed", "extract_abandoned", "extract_asked", "extract_recovered", "added"]
    assert not AskAgain.objects.exists()
    assert not EXTRACTION.abandoned_chats().exists()


def test_a_chat_that_fails_again_is_given_up_again(clock: Clock, configure: Configure) -> None:
    stuck = give_up(clock, configure)
    assert learning.retry_all(EXTRACTION, now=clock.now) == 1
    run(clock, BAD)
    assert types().count("extract_abandoned") == 2
    assert list(EXTRACTION.abandoned_chats()) == [AuditRow.objects.get(pk=stuck)]


def test_a_wish_survives_an_outage(clock: Clock, configure: Configure) -> None:
    stuck = give_up(clock, configure)
    learning.retry(EXTRACTION, stuck, now=clock.now)
    run(clock, fresh(), fresh())
    assert AskAgain.objects.exists()
    _, llm = run(clock)
    assert llm.requests == []
    clock.forward(minutes=1)
    assert run(clock, fruit("quinces"))[0].rows_ok == 1


def test_evidence_read_late_does_not_override_what_is_newer(clock: Clock, configure: Configure) -> None:
    stuck = give_up(clock, configure)
    clock.forward(days=1)
    say("I like quinces most.", now=clock.now)
    run(clock, json.dumps([{"key": "fruit.quinces", "value": "most", "confidence": 1}]))
    learning.retry(EXTRACTION, stuck, now=clock.now)
    tally, _ = run(clock, fruit("quinces"))
    assert tally.counts == {"ignored": 1}
    assert PersonalFact.objects.get().value == "most"


def test_a_stuck_chat_is_tried_at_once_when_asked(clock: Clock) -> None:
    stuck = say("I like figs.", now=clock.now)
    run(clock, fresh(), fresh())
    assert run(clock)[0].state == "paused"
    learning.retry(EXTRACTION, stuck, now=clock.now)
    assert run(clock, fruit("figs"))[0].rows_ok == 1


def test_a_stuck_chat_is_skipped_when_asked(clock: Clock) -> None:
    stuck = say("I like figs.", now=clock.now)
    run(clock, BAD)
    learning.skip(EXTRACTION, stuck, now=clock.now)
    assert cursor().last_audit_id == stuck
    assert AuditRow.objects.get(event_type="memory.fact.extract_abandoned").payload["reason"] == "skipped"


def test_what_is_not_stuck_is_neither_retried_nor_skipped(clock: Clock) -> None:
    done = say("I like figs.", now=clock.now)
    run(clock, fruit("figs"))
    with pytest.raises(learning.NothingToRetry, match=f"#{done}"):
        learning.retry(EXTRACTION, done, now=clock.now)
    with pytest.raises(learning.NothingToRetry):
        learning.skip(EXTRACTION, done, now=clock.now)


@cases.of_kind("worker_fault")
def test_the_case_files(case: cases.Case) -> None:
    """H35 in full; H36 to H38 have tests of their own above and with the schedules."""
    if "llm_by_row" not in case.given:
        pytest.skip("covered by a test of its own")
    cases.prepare(case)
    asked: list[str] = []

    def by_row(request: dict[str, object]) -> Answer:
        messages = json.dumps(request["messages"])
        row = next(
            n
            for n, c in zip(case.given["llm_by_row"], case.given["audit_before"], strict=True)
            if json.dumps(c["payload"]["messages"][0]["content"])[1:-1] in messages.replace('\\"', '"')
        )
        asked.append(row)
        return str(case.given["llm_by_row"][row])

    for _ in range(case.given["polls"]):
        with scripted_llm(*[by_row] * 9):
            learning.run(EXTRACTION, clock=lambda: case.clock)
    after = case.expect["after_polls"]
    assert cursor().last_audit_id <= after["cursor_max"]
    assert {row: asked.count(row) for row in after["llm_calls"]} == after["llm_calls"]
    added = [row.fact_key for row in AuditRow.objects.filter(event_type="memory.fact.added")]
    assert added.count("fruit.first") == 1
    assert added.count("fruit.second") <= 1
    assert not AuditRow.objects.filter(event_type="memory.fact.confirmed").exists()
    assert cursor().attempts == case.given["polls"]


def test_a_wish_that_cannot_be_done_keeps_no_chat_from_being_read(clock: Clock, configure: Configure) -> None:
    stuck = give_up(clock, configure)
    learning.retry(EXTRACTION, stuck, now=clock.now)
    say("I like plums.", now=clock.now)
    tally, _ = run(clock, fruit("plums"), fresh(), fresh())
    assert tally.rows_ok == 1
    for _ in range(40):
        clock.forward(minutes=30)
        run(clock, fresh(), fresh())
    assert not AskAgain.objects.exists()
    assert list(EXTRACTION.abandoned_chats().values_list("pk", flat=True)) == [stuck]


def test_a_wish_can_be_taken_back(clock: Clock, configure: Configure) -> None:
    stuck = give_up(clock, configure)
    learning.retry(EXTRACTION, stuck, now=clock.now)
    learning.skip(EXTRACTION, stuck, now=clock.now)
    _, llm = run(clock)
    assert llm.requests == []
    asked, taken_back = AuditRow.objects.order_by("id")[3:]
    assert (asked.event_type, asked.chat_id) == ("memory.fact.extract_asked", stuck)
    assert (taken_back.event_type, taken_back.chat_id) == ("memory.fact.extract_abandoned", stuck)
    assert taken_back.payload["reason"] == "skipped"


@pytest.mark.parametrize("chat_id", [2**63, 10**30])
def test_a_number_beyond_every_id_is_no_chat(clock: Clock, chat_id: int) -> None:
    for ask in (learning.retry, learning.skip):
        with pytest.raises(learning.NothingToRetry, match=str(chat_id)):
            ask(EXTRACTION, chat_id, now=clock.now)


def test_each_wish_leaves_one_row_and_asking_twice_none(clock: Clock, configure: Configure) -> None:
    first = give_up(clock, configure)
    second = say("I like pears.", now=clock.now)
    run(clock, BAD)
    learning.retry(EXTRACTION, first, now=clock.now)
    assert learning.retry_all(EXTRACTION, now=clock.now) == 2
    assert learning.retry_all(EXTRACTION, now=clock.now) == 2
    rows = AuditRow.objects.filter(event_type="memory.fact.extract_asked").order_by("id")
    assert [(row.chat_id, row.payload["given_up"]) for row in rows] == [(first, True), (second, True)]
    assert AskAgain.objects.count() == 2


def test_a_stuck_chat_tried_at_once_leaves_one_row(clock: Clock) -> None:
    stuck = say("I like figs.", now=clock.now)
    run(clock, fresh(), fresh())
    learning.retry(EXTRACTION, stuck, now=clock.now)
    learning.retry(EXTRACTION, stuck, now=clock.now)
    row = AuditRow.objects.get(event_type="memory.fact.extract_asked")
    assert (row.chat_id, row.payload["given_up"]) == (stuck, False)


def test_a_worker_overtaken_while_it_fails_writes_nothing(clock: Clock) -> None:
    """The claim ran out in its call, another settled the chat: no failure row, no pause, no step back."""
    done = say("My locker is number 9.", now=clock.now)

    def overtake(request: object) -> Answer:
        clock.forward(hours=1)
        assert run(clock, fruit("figs"))[0].rows_ok == 1
        return httpx.Response(500, text="late")

    tally, _ = run(clock, overtake)
    assert tally.state == "busy"
    assert types() == ["added"]
    assert (cursor().last_audit_id, cursor().attempts, cursor().next_try_at) == (done, 0, None)


def test_a_skip_during_the_call_keeps_the_failure_off_the_next_chat(clock: Clock) -> None:
    stuck = say("I like figs.", now=clock.now)
    say("I like plums.", now=clock.now)

    def skip(request: object) -> Answer:
        learning.skip(EXTRACTION, stuck, now=clock.now)
        return httpx.Response(500, text="late")

    run(clock, skip)
    assert types() == ["extract_abandoned"]
    assert (cursor().last_audit_id, cursor().attempts, cursor().outages) == (stuck, 0, 0)


def test_an_unreadable_chat_does_not_stop_the_probe(clock: Clock) -> None:
    say("I like quinces.", now=clock.now)
    outage_for_two_hours(clock)
    AuditRow.objects.bulk_create([AuditRow(event_type="chat.completed", ts=clock.now, payload={"messages": 5})])
    last = say("I like plums.", now=clock.now)
    run(clock, fresh(), fresh(), fruit("plums"))
    assert cursor().last_audit_id == last
    assert types().count("extract_abandoned") == 2


def test_a_probe_that_kills_its_worker_ends_at_last(clock: Clock, configure: Configure) -> None:
    configure(memory__facts_extract__max_attempts=3)
    say("I like quinces.", now=clock.now)
    outage_for_two_hours(clock)
    say("I like bombs.", now=clock.now)
    last = say("I like plums.", now=clock.now)
    for _ in range(3):
        clock.forward(minutes=30)
        with pytest.raises(MemoryError):
            run(clock, fresh(), fresh(), MemoryError())
    for _ in range(3):
        clock.forward(minutes=30)
        with pytest.raises(MemoryError):
            run(clock, MemoryError())
    clock.forward(minutes=30)
    run(clock, fruit("plums"))
    assert cursor().last_audit_id == last


def test_a_probe_that_answers_badly_ends_at_last(clock: Clock, configure: Configure) -> None:
    configure(memory__facts_extract__max_attempts=3)
    say("I like quinces.", now=clock.now)
    outage_for_two_hours(clock)
    say("I like nonsense.", now=clock.now)
    for _ in range(3):
        clock.forward(minutes=30)
        run(clock, fresh(), fresh(), BAD)
    clock.forward(minutes=30)
    run(clock, BAD)
    assert AuditRow.objects.filter(event_type="memory.fact.extract_abandoned").exists()


def test_a_pause_set_by_a_clock_that_ran_ahead_does_not_count(clock: Clock) -> None:
    say("I like figs.", now=clock.now)
    clock.forward(days=365)
    run(clock, fresh(), fresh())
    clock.forward(days=-365)
    assert run(clock, fruit("figs"))[0].rows_ok == 1


def test_a_claim_made_by_a_clock_that_ran_ahead_does_not_count(clock: Clock) -> None:
    say("I like figs.", now=clock.now)
    ahead = clock.now + timedelta(days=365)
    assert ExtractCursor.claim(now=ahead, until=ahead + timedelta(minutes=3))
    assert run(clock, fruit("figs"))[0].rows_ok == 1

"""The worker loop: one batch reads each chat once (ADR-0033 §2; decisions 7, 8)."""

import json

import pytest
from django.db import connection, connections

from memory import learning
from memory.events import Message
from memory.learning.extraction import EXTRACTION
from memory.models import AuditRow, PersonalFact
from tests import cases
from tests.conftest import Configure
from tests.memory.learning.loop_helpers import Clock, cursor, event_types, fruit, record_chat, run
from tests.memory.llm.scripted import Answer, scripted_llm
from tests.turns import record_turn

pytestmark = pytest.mark.django_db


def test_it_works(clock: Clock) -> None:
    ids = [record_chat(f"I like {name}.", now=clock.now) for name in ("figs", "plums")]
    tally, llm = run(clock, fruit("figs"), fruit("plums"))
    assert (tally.rows_ok, tally.questions, tally.state) == (2, 2, "done")
    assert tally.counts == {"added": 2}
    assert len(llm.requests) == 2
    assert cursor().last_audit_id == ids[-1]
    assert list(PersonalFact.objects.values_list("source_audit_id", flat=True)) == ids


def test_a_second_run_asks_nothing(clock: Clock) -> None:
    record_chat("I like figs.", now=clock.now)
    run(clock, fruit("figs"))
    tally, llm = run(clock)
    assert (tally.questions, llm.requests) == (0, [])
    assert event_types() == ["added"]


def test_a_batch_asks_no_more_than_its_size(clock: Clock, configure: Configure) -> None:
    configure(memory__facts_extract__batch_size=2)
    for number in range(3):
        record_chat(f"I like fruit {number}.", now=clock.now)
    tally, _ = run(clock, "[]", "[]")
    assert (tally.questions, tally.state) == (2, "full")
    assert cursor().waiting.count() == 1


def test_a_batch_begins_no_question_after_its_time(clock: Clock) -> None:
    for number in range(2):
        record_chat(f"I like fruit {number}.", now=clock.now)

    def slow(request: object) -> str:
        clock.forward(seconds=learning.task_seconds() + 1)
        return "[]"

    tally, _ = run(clock, slow)
    assert (tally.questions, tally.state) == (1, "late")


def test_chats_that_teach_nothing_are_passed_without_a_call(clock: Clock) -> None:
    record_chat("I like figs.", now=clock.now, learn=False)
    record_turn([Message(role="assistant", content="hi")], "ok", now=clock.now)
    last = record_chat("I like plums.", now=clock.now)
    tally, llm = run(clock, "[]")
    assert (tally.rows_ok, tally.questions) == (3, 1)
    assert cursor().last_audit_id == last


def test_a_try_is_counted_before_it_is_made(clock: Clock) -> None:
    record_chat("I like figs.", now=clock.now)
    seen: list[int] = []

    def look(request: object) -> str:
        seen.append(cursor().attempts)
        return "[]"

    run(clock, look)
    assert seen == [1]


def test_no_transaction_is_open_while_the_model_is_asked(clock: Clock) -> None:
    record_chat("I whittle spoons.", now=clock.now)
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
    first = record_chat("I whittle spoons.", now=clock.now)

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


@cases.of_kind("worker_fault")
def test_the_case_files(case: cases.Case) -> None:
    """H35 in full; H36 to H38 have tests of their own above and with the schedules, H54 with the other answers."""
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

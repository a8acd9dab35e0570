"""Chats whose answers are bad are tried again, and given up after `max_attempts` (decision 8)."""

from datetime import datetime

import httpx
import pytest

from memory.models import AuditRow
from tests.conftest import Configure
from tests.memory.learning.loop_helpers import BAD, Clock, cursor, event_types, fruit, record_chat, run

pytestmark = pytest.mark.django_db


def test_a_bad_answer_holds_and_is_asked_again(clock: Clock) -> None:
    first, stuck, last = (record_chat(f"I like {name}.", now=clock.now) for name in ("figs", "quinces", "plums"))
    tally, _ = run(clock, fruit("figs"), BAD)
    assert (tally.rows_ok, tally.rows_failed, tally.state) == (1, 1, "failed")
    assert (cursor().last_audit_id, cursor().attempts) == (first, 1)
    assert cursor().last_error
    tally, llm = run(clock, fruit("quinces"), fruit("plums"))
    assert len(llm.requests) == 2
    assert cursor().last_audit_id == last
    assert (cursor().attempts, cursor().last_error) == (0, "")
    assert event_types() == ["added", "extract_failed", "added", "added"]
    assert AuditRow.objects.get(event_type="memory.fact.extract_failed").chat_id == stuck


def test_a_chat_is_given_up_after_max_attempts_bad_answers(clock: Clock, configure: Configure) -> None:
    configure(memory__facts_extract__max_attempts=3)
    stuck, last = record_chat("I like quinces.", now=clock.now), record_chat("I like plums.", now=clock.now)
    for _ in range(2):
        run(clock, BAD)
    tally, _ = run(clock, BAD, fruit("plums"))
    assert (tally.rows_abandoned, tally.rows_ok) == (1, 1)
    assert cursor().last_audit_id == last
    assert event_types() == ["extract_failed", "extract_abandoned", "added"]
    row = AuditRow.objects.get(event_type="memory.fact.extract_abandoned")
    assert (row.chat_id, row.payload["attempts"], row.payload["reason"]) == (stuck, 3, "bad_answer")


@pytest.mark.parametrize("status", [400, 413, 422])
def test_a_refused_request_counts_like_a_bad_answer(clock: Clock, configure: Configure, status: int) -> None:
    configure(memory__facts_extract__max_attempts=1)
    record_chat("I like quinces.", now=clock.now)
    refusal = httpx.Response(status, json={"error": {"message": "too long"}})
    tally, _ = run(clock, *[httpx.Response(refusal.status_code, content=refusal.content) for _ in range(2)])
    assert tally.rows_abandoned == 1


def test_a_chat_that_kills_its_worker_is_given_up(clock: Clock, configure: Configure) -> None:
    configure(memory__facts_extract__max_attempts=3)
    killer, _ = record_chat("I like bombs.", now=clock.now), record_chat("I like plums.", now=clock.now)
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
    record_chat("I like plums.", now=clock.now)
    tally, _ = run(clock, fruit("plums"))
    assert (tally.rows_abandoned, tally.rows_ok) == (1, 1)
    assert AuditRow.objects.get(event_type="memory.fact.extract_abandoned").payload["reason"] == "unreadable"

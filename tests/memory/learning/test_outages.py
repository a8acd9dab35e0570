"""Outages of the provider: pauses, the probe of the next chat, and nothing given up too early (decision 8)."""

from datetime import timedelta

import httpx
import pytest

from memory.models import AuditRow
from tests.conftest import Configure
from tests.memory.learning.loop_helpers import BAD, Clock, cursor, event_types, fruit, record_chat, run, unavailable

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("status", [429, 500, 503, 401, 403, 404])
def test_an_outage_pauses_and_gives_nothing_up(clock: Clock, configure: Configure, status: int) -> None:
    configure(memory__facts_extract__max_attempts=2)
    record_chat("I like figs.", now=clock.now)
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
    assert event_types() == ["extract_failed", "added"]


@pytest.mark.parametrize(("named", "minutes"), [("90", 1.5), ("20", 1), ("1800", 30), ("86400", 30), ("soon", 1)])
def test_a_provider_that_names_a_wait_is_not_asked_before(clock: Clock, named: str, minutes: float) -> None:
    record_chat("I like figs.", now=clock.now)
    run(clock, httpx.Response(429, headers={"retry-after": named}, text="no"))
    assert cursor().next_try_at == clock.now + timedelta(minutes=minutes)


def test_an_outage_pauses_half_an_hour_at_most(clock: Clock) -> None:
    record_chat("I like figs.", now=clock.now)
    for _ in range(9):
        run(clock, unavailable(), unavailable())
        clock.now = cursor().next_try_at or clock.now
    assert cursor().next_try_at is not None
    run(clock, unavailable(), unavailable())
    assert cursor().next_try_at == clock.now + timedelta(minutes=30)


def test_outages_do_not_use_up_the_tries_of_a_chat(clock: Clock, configure: Configure) -> None:
    configure(memory__facts_extract__max_attempts=2)
    record_chat("I like figs.", now=clock.now)
    for _ in range(3):
        run(clock, unavailable(), unavailable())
        clock.forward(minutes=10)
    assert run(clock, BAD)[0].rows_abandoned == 0
    assert run(clock, BAD)[0].rows_abandoned == 1


def outage_for_two_hours(clock: Clock) -> None:
    for _ in range(7):
        run(clock, unavailable(), unavailable())
        clock.now = cursor().next_try_at or clock.now
    assert clock.now - AuditRow.objects.get(event_type="memory.fact.extract_failed").ts > timedelta(hours=1)


def test_an_outage_of_one_chat_alone_is_the_chats_fault(clock: Clock) -> None:
    stuck = record_chat("I like quinces.", now=clock.now)
    outage_for_two_hours(clock)
    record_chat("nothing", now=clock.now, learn=False)
    last = record_chat("I like plums.", now=clock.now)
    tally, llm = run(clock, unavailable(), unavailable(), fruit("plums"))
    assert (tally.rows_abandoned, tally.rows_ok) == (1, 1)
    assert cursor().last_audit_id == last
    assert (cursor().outages, cursor().next_try_at) == (0, None)
    row = AuditRow.objects.get(event_type="memory.fact.extract_abandoned")
    assert (row.chat_id, row.payload["reason"]) == (stuck, "fault_of_this_chat")
    assert event_types() == ["extract_failed", "extract_abandoned", "added"]


def test_a_real_outage_gives_no_chat_up_however_long(clock: Clock) -> None:
    record_chat("I like quinces.", now=clock.now)
    record_chat("I like plums.", now=clock.now)
    for _ in range(20):
        run(clock, *[unavailable() for _ in range(4)])
        clock.now = cursor().next_try_at or clock.now
    assert event_types() == ["extract_failed"]
    tally, _ = run(clock, fruit("quinces"), fruit("plums"))
    assert tally.rows_ok == 2


def test_the_next_chat_is_not_probed_within_the_first_hour(clock: Clock) -> None:
    record_chat("I like quinces.", now=clock.now)
    record_chat("I like plums.", now=clock.now)
    for _ in range(5):
        _, llm = run(clock, unavailable(), unavailable())
        assert len(llm.requests) == 2
        clock.now = cursor().next_try_at or clock.now


def test_an_unreadable_chat_does_not_stop_the_probe(clock: Clock) -> None:
    record_chat("I like quinces.", now=clock.now)
    outage_for_two_hours(clock)
    AuditRow.objects.bulk_create([AuditRow(event_type="chat.completed", ts=clock.now, payload={"messages": 5})])
    last = record_chat("I like plums.", now=clock.now)
    run(clock, unavailable(), unavailable(), fruit("plums"))
    assert cursor().last_audit_id == last
    assert event_types().count("extract_abandoned") == 2


def test_a_probe_that_kills_its_worker_ends_at_last(clock: Clock, configure: Configure) -> None:
    configure(memory__facts_extract__max_attempts=3)
    record_chat("I like quinces.", now=clock.now)
    outage_for_two_hours(clock)
    record_chat("I like bombs.", now=clock.now)
    last = record_chat("I like plums.", now=clock.now)
    for _ in range(3):
        clock.forward(minutes=30)
        with pytest.raises(MemoryError):
            run(clock, unavailable(), unavailable(), MemoryError())
    for _ in range(3):
        clock.forward(minutes=30)
        with pytest.raises(MemoryError):
            run(clock, MemoryError())
    clock.forward(minutes=30)
    run(clock, fruit("plums"))
    assert cursor().last_audit_id == last


def test_a_probe_that_answers_badly_ends_at_last(clock: Clock, configure: Configure) -> None:
    configure(memory__facts_extract__max_attempts=3)
    record_chat("I like quinces.", now=clock.now)
    outage_for_two_hours(clock)
    record_chat("I like nonsense.", now=clock.now)
    for _ in range(3):
        clock.forward(minutes=30)
        run(clock, unavailable(), unavailable(), BAD)
    clock.forward(minutes=30)
    run(clock, BAD)
    assert AuditRow.objects.filter(event_type="memory.fact.extract_abandoned").exists()


def test_a_pause_set_by_a_clock_that_ran_ahead_does_not_count(clock: Clock) -> None:
    record_chat("I like figs.", now=clock.now)
    clock.forward(days=365)
    run(clock, unavailable(), unavailable())
    clock.forward(days=-365)
    assert run(clock, fruit("figs"))[0].rows_ok == 1

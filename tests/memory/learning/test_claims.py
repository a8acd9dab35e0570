"""The claim on the cursor: of two workers one reads a chat, and the other writes nothing (decision 7)."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import httpx
import pytest

from memory import learning
from memory.learning.extraction import EXTRACTION
from memory.models import ExtractCursor
from tests.memory.learning.loop_helpers import Clock, cursor, event_types, fruit, record_chat, run
from tests.memory.llm.scripted import Answer

pytestmark = pytest.mark.django_db


@contextmanager
def claimed(clock: Clock) -> Iterator[None]:
    until = clock.now + timedelta(minutes=3)
    assert ExtractCursor.claim(now=clock.now, until=until)
    yield
    ExtractCursor.release(until)


def test_two_workers_do_not_pay_twice(clock: Clock) -> None:
    record_chat("I like figs.", now=clock.now)
    with claimed(clock):
        tally, llm = run(clock)
        assert (tally.state, llm.requests) == ("busy", [])
    tally, _ = run(clock, fruit("figs"))
    assert tally.state == "done"


def test_a_claim_that_ran_out_is_taken_over(clock: Clock) -> None:
    record_chat("I like figs.", now=clock.now)
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
    record_chat("My locker is number 9.", now=clock.now)

    def overtake(request: object) -> str:
        clock.forward(hours=1)
        run_inside, _ = run(clock, fruit("figs"))
        assert run_inside.rows_ok == 1
        return fruit("figs")

    tally, _ = run(clock, overtake)
    assert (tally.rows_ok, tally.state) == (0, "busy")
    assert event_types() == ["added"]


def test_a_worker_overtaken_while_it_fails_writes_nothing(clock: Clock) -> None:
    """The claim ran out in its call, another settled the chat: no failure row, no pause, no step back."""
    done = record_chat("My locker is number 9.", now=clock.now)

    def overtake(request: object) -> Answer:
        clock.forward(hours=1)
        assert run(clock, fruit("figs"))[0].rows_ok == 1
        return httpx.Response(500, text="late")

    tally, _ = run(clock, overtake)
    assert tally.state == "busy"
    assert event_types() == ["added"]
    assert (cursor().last_audit_id, cursor().attempts, cursor().next_try_at) == (done, 0, None)


def test_a_skip_during_the_call_keeps_the_failure_off_the_next_chat(clock: Clock) -> None:
    stuck = record_chat("I like figs.", now=clock.now)
    record_chat("I like plums.", now=clock.now)

    def skip(request: object) -> Answer:
        learning.skip(EXTRACTION, stuck, now=clock.now)
        return httpx.Response(500, text="late")

    run(clock, skip)
    assert event_types() == ["extract_abandoned"]
    assert (cursor().last_audit_id, cursor().attempts, cursor().outages) == (stuck, 0, 0)


def test_a_claim_made_by_a_clock_that_ran_ahead_does_not_count(clock: Clock) -> None:
    record_chat("I like figs.", now=clock.now)
    ahead = clock.now + timedelta(days=365)
    assert ExtractCursor.claim(now=ahead, until=ahead + timedelta(minutes=3))
    assert run(clock, fruit("figs"))[0].rows_ok == 1

"""Facts that run out: the last day is kept, and after it the fact takes no place in a prompt (decision 28)."""

import json
from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory.models import PersonalFact
from tests.conftest import Configure
from tests.memory.learning.loop_helpers import Clock, record_chat, run

pytestmark = pytest.mark.django_db


def learn(clock: Clock, said: str, valid_until: object = None, value: str = "Rome in October") -> PersonalFact:
    record_chat(said, now=clock.now)
    entry = {"key": "trip.next", "value": value, "confidence": 0.9}
    run(clock, json.dumps([entry | ({"valid_until": valid_until} if valid_until else {})]))
    return PersonalFact.objects.get(key="trip.next")


def in_prompt(now: datetime) -> list[str]:
    return [item.fact.key for item in PersonalFact.objects.for_prompt(now)]


def test_it_works(clock: Clock) -> None:
    assert learn(clock, "My trip to Rome is in October", "2026-10-31").valid_until == date(2026, 10, 31)
    assert in_prompt(datetime(2026, 10, 31, 23, 59, tzinfo=UTC)) == ["trip.next"]
    assert in_prompt(datetime(2026, 11, 1, tzinfo=UTC)) == []
    ranked = PersonalFact.objects.by_importance(datetime(2026, 11, 1, tzinfo=UTC))
    assert [(item.fact.key, item.is_past) for item in ranked] == [("trip.next", True)], "it stays on the page"


def test_the_day_turns_in_the_operators_zone(clock: Clock, configure: Configure) -> None:
    configure(time_zone="America/Los_Angeles")
    learn(clock, "My trip to Rome is in October", "2026-10-31")
    assert in_prompt(datetime(2026, 11, 1, 6, 59, tzinfo=UTC)) == ["trip.next"]
    assert in_prompt(datetime(2026, 11, 1, 8, tzinfo=UTC)) == []


@pytest.mark.parametrize("absurd", ["2026-02-30", "2026-05-19", "9999-12-31", "next week", 5, ["2026-10-31"]])
def test_an_absurd_date_is_dropped_and_the_fact_is_kept(clock: Clock, absurd: object) -> None:
    assert learn(clock, "My trip to Rome", absurd).valid_until is None


def test_the_order_kept_in_the_process_turns_with_the_day(clock: Clock) -> None:
    learn(clock, "My trip to Rome is in October", "2026-05-21")
    for day, keys in ((20, ["trip.next"]), (21, ["trip.next"]), (22, []), (21, ["trip.next"]), (22, [])):
        assert in_prompt(datetime(2026, 5, day, 12, tzinfo=UTC)) == keys


@pytest.mark.django_db(transaction=True)
def test_days_without_an_end_on_them_sort_nothing_anew(clock: Clock) -> None:
    learn(clock, "My trip to Rome is in October", "2026-10-31")
    in_prompt(clock.now)
    with CaptureQueriesContext(connection) as queries:
        in_prompt(clock.now + timedelta(days=100))
    assert len(queries) == 1


def test_said_again_a_past_fact_holds_again(clock: Clock) -> None:
    learn(clock, "My trip to Rome is in October", "2026-05-21")
    clock.forward(days=10)
    assert learn(clock, "Rome in October it is, my trip").valid_until is None
    assert in_prompt(clock.now) == ["trip.next"]


def test_said_again_a_date_that_is_not_over_stays(clock: Clock) -> None:
    learn(clock, "My trip to Rome is in October", "2026-10-31")
    clock.forward(days=10)
    assert learn(clock, "Rome in October it is, my trip").valid_until == date(2026, 10, 31)


def test_another_value_brings_its_own_date_or_none(clock: Clock) -> None:
    learn(clock, "My trip to Rome is in October", "2026-10-31")
    clock.forward(days=1)
    assert learn(clock, "My trip is to Paris", value="Paris").valid_until is None


def test_past_facts_come_last_and_take_no_places(clock: Clock, configure: Configure) -> None:
    learn(clock, "My trip to Rome is in October", "2026-05-20")
    for number in range(3):
        PersonalFact.objects.add(f"note.{number}", "x", now=clock.now - timedelta(days=40 + number))
    configure(memory__facts__max_injected=3)
    later = clock.now + timedelta(days=2)
    assert in_prompt(later) == ["note.0", "note.1", "note.2"]
    for limit in (None, 4):
        ranked = PersonalFact.objects.by_importance(later, limit=limit)
        assert [item.fact.key for item in ranked][-1] == "trip.next"

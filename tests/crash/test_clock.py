"""The clock set back an hour, or forward a year and back again: nothing is learnt twice or lost, no worker is stuck.

Every part of the product is handed its `now`, so the clock here is the one that a test hands out.
"""

import json
from datetime import datetime, timedelta

import httpx
import pytest
import time_machine
from django.core.management import call_command
from django_q.conf import Conf
from django_q.models import OrmQ, Schedule

from memory import health, learning, queue, ranking, tasks
from memory.events import Message
from memory.learning.extraction import EXTRACTION
from memory.models import (
    ApiKey,
    AuditRow,
    ExtractCursor,
    IdempotencyKey,
    PersonalFact,
    SummariseCursor,
    WorkerHeartbeat,
)
from tests.crash.numbered_chats import MARK, assert_learned_once, record_chats
from tests.memory.llm.scripted import scripted_llm
from tests.turns import record_turn

pytestmark = pytest.mark.django_db

HOUR, YEAR = timedelta(hours=1), timedelta(days=365)
LEAPS = pytest.mark.parametrize("leap", [-HOUR, YEAR, -YEAR], ids=["back an hour", "forward a year", "back a year"])


def say(words: str, now: datetime) -> None:
    record_turn([Message(role="user", content=words)], "ok", now=now)


def learn(value: str, *, now: datetime) -> learning.Tally:
    """A worker reads the one chat that waits, and hears this name of the dog in it."""
    with scripted_llm(json.dumps([{"key": "dog.name", "value": value, "confidence": 0.9}])):
        return learning.run(EXTRACTION, clock=lambda: now)


def dog() -> str:
    return PersonalFact.objects.get(key="dog.name").value


def event_types() -> list[str]:
    rows = AuditRow.objects.filter(fact_key="dog.name").order_by("id")
    return [row.event_type.removeprefix("memory.fact.") for row in rows]


@LEAPS
def test_chats_on_both_sides_of_a_leap_are_each_read_once(leap: timedelta, now: datetime) -> None:
    def answer(body: dict[str, object]) -> str:
        number = MARK.findall(json.dumps(body))[-1].rpartition("-")[2]
        return json.dumps([{"key": f"locker.n{number}", "value": f"number {number}", "confidence": 0.9}])

    record_chats(range(4), now=now)
    with scripted_llm(*[answer] * 8):
        assert learning.run(EXTRACTION, clock=lambda: now).rows_ok == 4
        record_chats(range(4, 8), now=now + leap)
        assert learning.run(EXTRACTION, clock=lambda: now + leap + timedelta(minutes=1)).rows_ok == 4
        assert learning.run(EXTRACTION, clock=lambda: now + leap + timedelta(minutes=2)).rows_ok == 0
    assert_learned_once("extract", range(8))


@LEAPS
def test_what_is_said_after_a_leap_counts_more_than_what_was_said_before(leap: timedelta, now: datetime) -> None:
    """The worker reads a minute later, as workers do."""
    say("My dog is called Beans.", now)
    learn("Beans", now=now + timedelta(minutes=1))
    say("My dog is called Bowser.", now + leap)
    learn("Bowser", now=now + leap + timedelta(minutes=1))
    assert (dog(), event_types()) == ("Bowser", ["added", "updated"])
    say("My dog is called Bowser, really.", now + leap + timedelta(minutes=2))
    learn("Bowser", now=now + leap + timedelta(minutes=3))
    assert (dog(), event_types()) == ("Bowser", ["added", "updated", "confirmed"])


@LEAPS
def test_an_edit_after_a_leap_is_not_undone_by_what_was_said_before_it(leap: timedelta, now: datetime) -> None:
    say("My dog is called Beans.", now - timedelta(days=1))
    learn("Beans", now=now - timedelta(days=1))
    say("My dog is called Beans, I say.", now)
    PersonalFact.objects.get(key="dog.name").edit("Bowser", now=now + leap)
    learn("Beans", now=now + leap + timedelta(minutes=1))
    assert (dog(), event_types()) == ("Bowser", ["added", "user_edited"])


@LEAPS
def test_an_edit_before_a_leap_is_no_bar_to_what_is_said_after_it(leap: timedelta, now: datetime) -> None:
    PersonalFact.objects.add("dog.name", "Beans", now=now)
    PersonalFact.objects.get(key="dog.name").edit("Bowser", now=now)
    say("My dog is called Waffles now.", now + leap)
    learn("Waffles", now=now + leap + timedelta(minutes=1))
    assert (dog(), event_types()) == ("Waffles", ["user_added", "user_edited", "updated"])


@LEAPS
def test_a_deletion_holds_and_ends_like_an_edit(leap: timedelta, now: datetime) -> None:
    say("My dog is called Beans.", now - timedelta(days=1))
    learn("Beans", now=now - timedelta(days=1))
    say("My dog is called Beans, I say.", now)
    PersonalFact.objects.get(key="dog.name").forget(now=now + leap)
    learn("Beans", now=now + leap + timedelta(minutes=1))
    assert event_types() == ["added", "user_deleted"]
    say("I have a new dog, called Beans again.", now + leap + timedelta(minutes=2))
    learn("Beans", now=now + leap + timedelta(minutes=3))
    assert event_types() == ["added", "user_deleted", "added"]


def test_history_that_is_told_later_stays_older_whatever_the_clock_did(now: datetime) -> None:
    say("My dog is called Bowser.", now + YEAR)
    learn("Bowser", now=now + YEAR)
    old = [Message(role="user", content="My dog is called Beans.")]
    record_turn(old, "ok", now=now, occurred_at=now - timedelta(days=30))
    learn("Beans", now=now + timedelta(minutes=1))
    assert (dog(), event_types()) == ("Bowser", ["added"])


@pytest.mark.parametrize("cursor", [ExtractCursor, SummariseCursor])
@LEAPS
def test_the_claim_of_a_worker_that_died_before_a_leap_holds_up_nobody(
    cursor: type[ExtractCursor], leap: timedelta, now: datetime
) -> None:
    claim = timedelta(minutes=4)
    assert cursor.claim(now=now, until=now + claim)
    assert cursor.claim(now=now + leap, until=now + leap + claim)


@LEAPS
def test_a_worker_that_lives_through_a_leap_goes_on(leap: timedelta, now: datetime) -> None:
    say("My dog is called Beans.", now)
    moments = [now, now, now + leap]
    with scripted_llm(json.dumps([{"key": "dog.name", "value": "Beans", "confidence": 0.9}])):
        tally = learning.run(EXTRACTION, clock=lambda: moments.pop(0) if len(moments) > 1 else moments[0], seconds=1e9)
    assert (tally.rows_ok, dog()) == (1, "Beans")
    assert ExtractCursor.current().claimed_until is None


@LEAPS
def test_a_pause_after_an_outage_holds_up_nobody_after_a_leap(leap: timedelta, now: datetime) -> None:
    say("My dog is called Beans.", now)
    with scripted_llm(*[httpx.Response(503, text="down for maintenance") for _ in range(2)]):
        assert learning.run(EXTRACTION, clock=lambda: now).state == "failed"
    assert ExtractCursor.current().is_paused(now)
    assert learn("Beans", now=now + leap + timedelta(minutes=2)).rows_ok == 1


@LEAPS
def test_importance_and_time_words_stay_sane(leap: timedelta, now: datetime) -> None:
    say("My dog is called Beans.", now)
    learn("Beans", now=now)
    then = now + leap
    (ranked,) = PersonalFact.objects.by_importance(then)
    expected = ranking.freshness(max(leap / timedelta(days=1), 0.0), halflife_days=60.0)
    assert ranked.importance.freshness == pytest.approx(expected)
    assert 0.0 < ranked.importance.value <= 1.0
    assert PersonalFact.objects.for_prompt(then)[0].importance == ranked.importance
    assert PersonalFact.objects.for_prompt(now)[0].importance.freshness == 1.0, "and once the clock is right again"


@LEAPS
def test_the_queue_does_not_wait_for_the_clock_of_before(leap: timedelta, now: datetime) -> None:
    """A nudged batch puts it right, and so does a restart."""
    with time_machine.travel(now, tick=False):
        call_command("sync_schedules", verbosity=0)
        Schedule.objects.update(next_run=now + timedelta(minutes=1))
        OrmQ.objects.create(key="caesar", payload="", lock=now)
    for put_right in (tasks.extract, lambda: call_command("sync_schedules", verbosity=0)):
        with time_machine.travel(now + leap, tick=False):
            put_right()
            minutes = dict(Schedule.objects.values_list("name", "minutes"))
            for name, next_run in Schedule.objects.values_list("name", "next_run"):
                assert next_run <= now + leap + timedelta(minutes=minutes[name])
            assert not OrmQ.objects.filter(lock__gt=now + leap + timedelta(seconds=Conf.RETRY)).exists()
            Schedule.objects.update(next_run=now + timedelta(minutes=1))


def test_a_queue_whose_clock_is_right_is_left_alone(now: datetime) -> None:
    with time_machine.travel(now, tick=False):
        call_command("sync_schedules", verbosity=0)
        Schedule.objects.update(next_run=now + timedelta(minutes=1))
        running = OrmQ.objects.create(key="caesar", payload="", lock=now + timedelta(seconds=Conf.RETRY))
        tasks.extract()
    assert set(Schedule.objects.values_list("next_run", flat=True)) == {now + timedelta(minutes=1)}
    assert OrmQ.objects.get(pk=running.pk).lock == running.lock


def test_a_task_that_is_taken_while_another_looks_is_not_handed_out_twice(now: datetime) -> None:
    taken = OrmQ.objects.create(key="caesar", payload="", lock=now + timedelta(seconds=Conf.RETRY, milliseconds=900))
    queue.pull_forward_schedules(now=now)
    assert OrmQ.objects.get(pk=taken.pk).lock == taken.lock


@LEAPS
def test_a_worker_that_died_before_a_leap_does_not_look_alive(leap: timedelta, now: datetime) -> None:
    WorkerHeartbeat.beat("memory.extract", now=now)
    assert health.state(now)["memory.extract"].ok
    assert not health.state(now + leap)["memory.extract"].ok


@LEAPS
def test_the_use_of_a_key_is_noted_by_the_clock_of_now(leap: timedelta, now: datetime) -> None:
    issued = ApiKey.objects.issue("a chat backend")
    for moment in (now, now + leap):
        assert ApiKey.objects.verify(issued.secret, now=moment) == issued.row
        issued.row.refresh_from_db()
        assert issued.row.last_used_at == moment


@LEAPS
def test_a_request_killed_before_a_leap_can_be_sent_again_after_it(leap: timedelta, now: datetime) -> None:
    def request(moment: datetime) -> IdempotencyKey:
        return IdempotencyKey(api_key=key, key="once", request_hash="the same", created_at=moment)

    key, lease = ApiKey.objects.issue("a chat backend").row, timedelta(minutes=3)
    assert request(now).claim()
    assert IdempotencyKey.objects.earlier(request(now + lease / 2), lease=lease) is not None
    assert IdempotencyKey.objects.earlier(request(now + leap), lease=lease) is None
    assert request(now + leap).claim()

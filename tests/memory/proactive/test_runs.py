"""Proactive runs: memory goes in as into any turn, nothing comes out of it, and the clock runs each once."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
import time_machine
from django.conf import settings
from django.core.management import call_command
from django_q.conf import Conf
from django_q.models import OrmQ, Schedule
from django_q.scheduler import scheduler
from pytest_django import DjangoCaptureOnCommitCallbacks

from memory import events, llm, tasks
from memory.events import Message
from memory.models import AuditRow, EpisodeSummary, ExtractCursor, HeardMessage, PersonalFact, SummariseCursor
from memory.proactive import runs
from memory.proactive.triggers import Trigger
from memory.text.normalising import Claim
from tests.conftest import Configure, WriteTriggers
from tests.memory.llm.scripted import scripted_llm
from tests.turns import record_turn

pytestmark = pytest.mark.django_db

MORNING = Trigger("morning", "0 7 * * *", "What is on my mind today?")
FILE = """\
- name: morning
  cron: "0 7 * * *"
  prompt: What is on my mind today?
- name: asleep
  cron: "0 7 * * *"
  prompt: x
  enabled: false
"""


@pytest.fixture
def file(write_triggers: WriteTriggers) -> Path:
    """The triggers file in use."""
    return write_triggers(FILE)


def rows(kind: type[events.Event]) -> list[AuditRow]:
    return list(AuditRow.objects.get_queryset().of_type(kind).order_by("id"))


def the_failure() -> events.ChatFailed:
    (row,) = rows(events.ChatFailed)
    failed = row.event
    assert isinstance(failed, events.ChatFailed)
    return failed


# --- one run --------------------------------------------------------------------------------------------------------


def test_it_works(now: datetime) -> None:
    with scripted_llm("You have a talk to prepare.") as model:
        turn = runs.run(MORNING, now=now)
    assert model.requests[0]["messages"][-1] == {"role": "user", "content": MORNING.prompt}
    row = AuditRow.objects.get(pk=turn.recorded.audit_log_id)
    assert (row.completed.proactive, row.completed.reply, row.ts) == ("morning", "You have a talk to prepare.", now)


def test_memory_goes_in_as_into_any_turn(now: datetime) -> None:
    said = AuditRow.objects.record(events.ChatCompleted(), now=now)
    PersonalFact.objects.learn([Claim("dog.name", "Beans", 1.0)], chat=said, now=now)
    with scripted_llm("ok") as model:
        turn = runs.run(MORNING, now=now)
    assert "Your dog's name is Beans." in model.requests[0]["messages"][0]["content"]
    (receipt,) = rows(events.ContextServed)
    assert receipt.payload["facts"][0]["key"] == "dog.name"
    assert receipt.decision_id == turn.recorded.decision_id


def test_facts_go_in_where_only_the_triggers_are_set(now: datetime, file: Path, configure: Configure) -> None:
    said = AuditRow.objects.record(events.ChatCompleted(), now=now)
    PersonalFact.objects.learn([Claim("dog.name", "Beans", 1.0)], chat=said, now=now)
    configure(memory__facts__enabled=None)
    with scripted_llm("ok") as model:
        runs.run(MORNING, now=now)
    assert "Beans" in str(model.requests[0]["messages"])


def test_neither_worker_learns_from_it(now: datetime, configure: Configure) -> None:
    configure(memory__episodes_summarise__enabled=True)
    with scripted_llm("The operator's dog is called Beans."):
        runs.run(Trigger("odd", "0 7 * * *", "My dog's name is Beans."), now=now)
    with scripted_llm() as model:
        tasks.extract()
        tasks.summarise()
    assert model.requests == []
    (run,) = rows(events.ChatCompleted)
    assert (run.completed.new_messages, run.completed.learn) == ([], False)
    assert ExtractCursor.current().last_audit_id == SummariseCursor.current().last_audit_id == run.pk
    assert not PersonalFact.objects.exists()
    assert not EpisodeSummary.objects.exists()
    assert rows(events.EpisodeSkipped) == []


def test_it_wakes_no_worker(now: datetime, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks) -> None:
    with scripted_llm("ok"), django_capture_on_commit_callbacks() as nudges:
        runs.run(MORNING, now=now)
    assert nudges == []


def test_what_the_operator_says_later_in_the_same_words_is_new(now: datetime) -> None:
    with scripted_llm("ok"):
        runs.run(MORNING, now=now)
    assert not HeardMessage.objects.exists()
    said = record_turn([Message(role="user", content=MORNING.prompt)], "ok", now=now + timedelta(minutes=1))
    completed = AuditRow.objects.get(pk=said.audit_log_id).completed
    assert (completed.new_messages, completed.replay) == ([0], False)


def test_no_conversation_begins_with_it(now: datetime) -> None:
    with scripted_llm("ok"):
        runs.run(MORNING, now=now)
    assert rows(events.ChatCompleted)[0].fingerprint is None
    said = record_turn(
        [
            Message(role="user", content=MORNING.prompt),
            Message(role="assistant", content="ok"),
            Message(role="user", content="And I moved to Portland."),
        ],
        "ok",
        now=now,
    )
    assert AuditRow.objects.get(pk=said.audit_log_id).completed.new_messages == [0, 2]


def test_a_run_that_repeats_itself_is_no_replay(now: datetime) -> None:
    with scripted_llm("one", "two"):
        runs.run(MORNING, now=now)
        runs.run(MORNING, now=now + timedelta(minutes=1))
    assert [row.completed.replay for row in rows(events.ChatCompleted)] == [False, False]


def test_a_run_without_an_answer_is_written_down_with_its_trigger(now: datetime) -> None:
    with scripted_llm(httpx.Response(400, json={"error": {"message": "no"}})), pytest.raises(llm.LLMError):
        runs.run(MORNING, now=now)
    failed = the_failure()
    assert (failed.proactive, failed.kind) == ("morning", "RequestRefused")
    assert rows(events.ChatCompleted) == rows(events.ContextServed) == []


# --- what the queue has done ----------------------------------------------------------------------------------------


def due_run(name: str, due: datetime, *, late: timedelta = timedelta(seconds=20)) -> str:
    """What the task says, run somewhat late."""
    with time_machine.travel(due + late, tick=False):
        return tasks.run_trigger(name, due.isoformat())


def test_a_due_trigger_runs(now: datetime, file: Path) -> None:
    with scripted_llm("ok"):
        said = due_run("morning", now)
    (run,) = rows(events.ChatCompleted)
    assert said == f"answered as chat {run.pk}"
    assert run.completed.proactive == "morning"


def test_one_that_was_handed_out_twice_runs_once(now: datetime, file: Path) -> None:
    with scripted_llm("ok") as model:
        due_run("morning", now)
        assert due_run("morning", now, late=timedelta(seconds=40)) == "has run already"
    assert len(model.requests) == 1


def test_the_next_day_it_runs_again(now: datetime, file: Path) -> None:
    with scripted_llm("ok", "ok") as model:
        due_run("morning", now)
        due_run("morning", now + timedelta(days=1))
    assert len(model.requests) == 2


def test_a_failure_is_one_row_and_one_question(now: datetime, file: Path) -> None:
    with scripted_llm(httpx.Response(400, json={"error": {"message": "no"}})) as model:
        assert due_run("morning", now).startswith("failed: ")
        assert due_run("morning", now, late=timedelta(minutes=5)) == "has run already"
    assert len(model.requests) == 1
    assert the_failure().proactive == "morning"


def test_nothing_is_caught_up(now: datetime, file: Path) -> None:
    with scripted_llm() as model:
        said = due_run("morning", now, late=runs.max_delay() + timedelta(seconds=1))
    assert model.requests == []
    assert said == f"failed: {the_failure().error}"
    assert (the_failure().kind, the_failure().proactive) == ("Missed", "morning")
    assert "It was due at 2026-05-20 09:00" in the_failure().error


def test_a_run_whose_worker_died_is_not_paid_for_again(now: datetime, file: Path) -> None:
    """The queue hands such a task out again `retry` seconds after it was taken, for ever."""
    late = timedelta(seconds=settings.Q_CLUSTER["retry"])
    with scripted_llm() as model:
        due_run("morning", now, late=late)
        due_run("morning", now, late=2 * late)
    assert model.requests == []
    assert the_failure().kind == "Missed"


def test_the_file_is_read_when_it_runs(now: datetime, file: Path) -> None:
    file.write_text(FILE.replace("on my mind", "in my calendar"))
    with scripted_llm("ok") as model:
        due_run("morning", now)
    assert model.requests[0]["messages"][-1]["content"] == "What is in my calendar today?"


@pytest.mark.parametrize("name", ["asleep", "gone"])
def test_one_that_is_disabled_or_gone_since_does_not_run(now: datetime, file: Path, name: str) -> None:
    with scripted_llm() as model:
        assert due_run(name, now).startswith("no such trigger, or disabled")
    assert model.requests == []
    assert not AuditRow.objects.exists()


def test_without_a_file_nothing_runs(now: datetime) -> None:
    with scripted_llm():
        assert due_run("morning", now).startswith("no such trigger")


def test_a_file_that_was_spoilt_since_is_written_down(now: datetime, file: Path) -> None:
    file.write_text(FILE + "  promt: x\n")
    with scripted_llm() as model:
        due_run("morning", now)
    assert model.requests == []
    assert (the_failure().proactive, the_failure().kind) == ("morning", "TriggersError")
    assert f"{file}, line 8: there is no field 'promt'" in the_failure().error


# --- by the queue's own clock ---------------------------------------------------------------------------------------

LOOK_EVERY = timedelta(seconds=30)


@pytest.fixture
def berlin(configure: Configure, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The operator lives in Berlin. The queue keeps its copy of Django's time zone from when it was imported."""
    configure(time_zone="Europe/Berlin")
    monkeypatch.setattr(Conf, "TIME_ZONE", "Europe/Berlin")
    return


def schedule(cron: str, *, at: datetime) -> None:
    """The row that `manage.py sync_schedules` writes."""
    settings.CAESAR.proactive.triggers_path.write_text(f'- name: morning\n  cron: "{cron}"\n  prompt: Good morning.\n')
    with time_machine.travel(at, tick=False):
        call_command("sync_schedules", verbosity=0)
    row = Schedule.objects.get(name="proactive.morning")
    assert row.calculate_next_run().tzinfo is UTC, "else the scheduler would not come back in the hour that comes twice"


def times_run(begin: datetime, end: datetime) -> list[str]:
    """When, by the operator's clock, the trigger ran: the queue's scheduler looks every half minute, its tasks run."""
    moment = begin
    while moment < end:
        with time_machine.travel(moment, tick=False):
            scheduler()
            for waiting in OrmQ.objects.all():
                task = waiting.task
                if task["func"] == "memory.tasks.run_trigger":
                    tasks.run_trigger(*task["args"], **task["kwargs"])
                waiting.delete()
            nearest = Schedule.objects.filter(func="memory.tasks.run_trigger").get().next_run
        moment = max(moment + LOOK_EVERY, nearest - LOOK_EVERY + timedelta(seconds=7))
    return [f"{row.ts.astimezone(settings.CAESAR.zone):%d. %H:%M %Z}" for row in rows(events.ChatCompleted)]


@pytest.mark.django_db(transaction=True)
def test_the_queue_runs_it_by_the_operator_s_clock(file: Path, berlin: None) -> None:
    assert settings.Q_CLUSTER["catch_up"] is Conf.CATCH_UP is False
    begin = datetime(2026, 5, 20, 12, 0, tzinfo=UTC)
    schedule("0 7 * * *", at=begin)
    assert Schedule.objects.get(name="proactive.morning").next_run == datetime(2026, 5, 21, 5, 0, tzinfo=UTC)
    with scripted_llm("one", "two"):
        assert times_run(begin, begin + timedelta(days=2)) == ["21. 07:00 CEST", "22. 07:00 CEST"]


FORWARD, BACK = datetime(2026, 3, 27, 23, 30, tzinfo=UTC), datetime(2026, 10, 23, 23, 30, tzinfo=UTC)
"""A day and a half before the clock is put forward, and before it is put back."""


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("begin", "cron", "times"),
    [
        (FORWARD, "0 7 * * *", ["28. 07:00 CET", "29. 07:00 CEST", "30. 07:00 CEST"]),
        (FORWARD, "30 2 * * *", ["28. 02:30 CET", "29. 03:00 CEST", "30. 02:30 CEST"]),  # no 02:30 on the 29th
        (BACK, "0 7 * * *", ["24. 07:00 CEST", "25. 07:00 CET", "26. 07:00 CET"]),
        (BACK, "30 2 * * *", ["24. 02:30 CEST", "25. 02:30 CEST", "26. 02:30 CET"]),  # 02:30 twice on the 25th
    ],
)
def test_each_day_once_when_the_clock_is_put_forward_or_back(
    file: Path, berlin: None, begin: datetime, cron: str, times: list[str]
) -> None:
    schedule(cron, at=begin)
    with scripted_llm(*["ok"] * 9):
        assert times_run(begin, begin + timedelta(days=3)) == times


@pytest.mark.django_db(transaction=True)
def test_every_hour_is_every_hour_when_the_clock_is_put_back(file: Path, berlin: None) -> None:
    begin = datetime(2026, 10, 24, 23, 45, tzinfo=UTC)
    schedule("0 * * * *", at=begin)
    with scripted_llm(*["ok"] * 9):
        assert times_run(begin, begin + timedelta(hours=3)) == ["25. 02:00 CEST", "25. 02:00 CET", "25. 03:00 CET"]


@pytest.mark.django_db(transaction=True)
def test_after_days_without_a_server_it_waits_for_its_next_time(file: Path, berlin: None) -> None:
    begin = datetime(2026, 5, 20, 12, 0, tzinfo=UTC)
    schedule("0 7 * * *", at=begin)
    again = begin + timedelta(days=5)
    with scripted_llm("ok") as model:
        assert times_run(again, again + timedelta(hours=12)) == []
        assert model.requests == []
        assert "It was due at 2026-05-21 07:00" in the_failure().error
        assert times_run(again + timedelta(hours=12), again + timedelta(days=1)) == ["26. 07:00 CEST"]


@pytest.mark.django_db(transaction=True)
def test_a_run_that_fails_is_not_tried_before_its_next_time(file: Path, berlin: None) -> None:
    begin = datetime(2026, 5, 20, 12, 0, tzinfo=UTC)
    schedule("0 7 * * *", at=begin)
    down = [httpx.Response(401, json={"error": {"message": "no"}}) for _ in range(2)]
    with scripted_llm(*down) as model:
        assert times_run(begin, begin + timedelta(days=2)) == []
    assert len(model.requests) == len(rows(events.ChatFailed)) == 2

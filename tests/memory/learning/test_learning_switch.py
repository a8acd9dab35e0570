"""The switch: learning pauses and resumes, both workers alike; chats wait and none is lost."""

import json
from datetime import datetime, timedelta

import pytest
from django.core.management import call_command
from django.test import Client

from memory import events, learning, tasks
from memory.events import Message
from memory.learning.extraction import EXTRACTION
from memory.learning.summaries import SUMMARY
from memory.models import AskAgain, AuditRow, ExtractCursor, LearningSwitch, PersonalFact, WorkerHeartbeat
from tests.conftest import Configure
from tests.memory.learning.loop_helpers import record_chat
from tests.memory.llm.scripted import scripted_llm
from tests.turns import compose_turn

pytestmark = pytest.mark.django_db


def figs(value: str = "figs") -> str:
    return json.dumps([{"key": "fruit", "value": value, "confidence": 0.9}])


def switchings() -> list[AuditRow]:
    kinds = (events.LearningPaused, events.LearningResumed)
    return list(AuditRow.objects.get_queryset().of_type(*kinds).order_by("id"))


def test_it_works(now: datetime) -> None:
    LearningSwitch.pause(now=now)
    record_chat("I like figs.", now=now)
    with scripted_llm(figs()) as llm:
        assert learning.run(EXTRACTION, clock=lambda: now).state == "paused"
        assert not llm.requests
        assert not PersonalFact.objects.exists()
        LearningSwitch.resume(now=now)
        tally = learning.run(EXTRACTION, clock=lambda: now)
    assert (tally.rows_ok, tally.state) == (1, "done")
    assert PersonalFact.objects.get().value == "figs"


def test_each_change_writes_one_row_and_repeating_it_writes_none(now: datetime) -> None:
    later = now + timedelta(hours=2)
    assert [LearningSwitch.pause(now=now), LearningSwitch.pause(now=later)] == [True, False]
    assert LearningSwitch.current().paused_at == now
    assert [LearningSwitch.resume(now=later), LearningSwitch.resume(now=later)] == [True, False]
    assert LearningSwitch.current().paused_at is None
    assert [(row.event_type, row.ts) for row in switchings()] == [
        ("memory.learning.paused", now),
        ("memory.learning.resumed", later),
    ]
    assert switchings()[1].event == events.LearningResumed(paused_at=now)


def test_it_starts_out_learning(now: datetime) -> None:
    assert not LearningSwitch.current().is_paused
    assert not LearningSwitch.resume(now=now)
    LearningSwitch._default_manager.all().delete()
    assert LearningSwitch.pause(now=now), "a row that was flushed away comes back"


def test_both_workers_stand_still(now: datetime) -> None:
    record_chat("I like figs.", now=now)
    LearningSwitch.pause(now=now)
    for job in (EXTRACTION, SUMMARY):
        tally = learning.run(job, clock=lambda: now)  # type: ignore[arg-type]
        assert (tally.state, tally.questions, tally.rows_ok) == ("paused", 0, 0)
        assert job.cursor.current().last_audit_id == 0
        assert job.cursor.current().claimed_until is None, "the next run need not wait for a claim"


def test_the_chats_of_a_pause_are_read_after_it_in_order(now: datetime) -> None:
    LearningSwitch.pause(now=now)
    ids = [
        record_chat(f"I like {fruit}.", now=now + timedelta(minutes=place))
        for place, fruit in enumerate(("figs", "plums"))
    ]
    assert list(ExtractCursor.current().waiting.values_list("pk", flat=True)) == ids
    LearningSwitch.resume(now=now + timedelta(hours=1))
    with scripted_llm(figs(), figs("plums")):
        learning.run(EXTRACTION, clock=lambda: now + timedelta(hours=1))
    fact = PersonalFact.objects.get()
    assert (fact.value, fact.source_audit_id) == ("plums", ids[1])


def test_a_pause_in_the_middle_of_a_batch_ends_it_after_the_chat_it_is_at(now: datetime) -> None:
    for number in range(3):
        record_chat(f"I like figs {number}.", now=now)

    def pausing(_: object) -> str:
        LearningSwitch.pause(now=now)
        return figs()

    with scripted_llm(pausing) as llm:
        tally = learning.run(EXTRACTION, clock=lambda: now)
    assert (tally.rows_ok, tally.state, len(llm.requests)) == (1, "paused", 1)
    assert ExtractCursor.current().waiting.count() == 2


def test_chats_asked_for_again_wait_too(now: datetime) -> None:
    chat_id = record_chat("I like figs.", now=now)
    learning.skip(EXTRACTION, chat_id, now=now)
    learning.retry_all(EXTRACTION, now=now)
    LearningSwitch.pause(now=now)
    assert learning.run(EXTRACTION, clock=lambda: now).state == "paused"
    assert AskAgain.objects.count() == 1


def test_a_paused_worker_still_shows_that_it_lives(now: datetime, client: Client) -> None:
    LearningSwitch.pause(now=now)
    assert tasks.extract().endswith("(paused)")
    assert WorkerHeartbeat.objects.filter(task="memory.extract").exists()
    assert client.get("/readyz").status_code == 200


def test_a_nudge_of_paused_time_does_not_swallow_the_one_of_resume(now: datetime) -> None:
    LearningSwitch.pause(now=now)
    record_chat("I like figs.", now=now)
    assert ExtractCursor.current().nudged
    learning.run(EXTRACTION, clock=lambda: now)
    assert not ExtractCursor.current().nudged


def test_a_batch_by_hand_says_why_it_reads_nothing(now: datetime, capsys: pytest.CaptureFixture[str]) -> None:
    record_chat("I like figs.", now=now)
    LearningSwitch.pause(now=now)
    call_command("run_batch", "extract", "--all")
    output = capsys.readouterr()
    assert "(paused)" in output.out
    assert "Resume it on the overview page" in output.err
    assert "--retry" not in output.err


def test_facts_known_already_still_go_into_prompts(now: datetime, configure: Configure) -> None:
    PersonalFact.objects.add("dog.name", "Beans", now=now)
    LearningSwitch.pause(now=now)
    context = compose_turn([Message(role="user", content="hi")], now=now)
    assert "Beans" in context.receipt.block


def test_the_admin_shows_it_and_changes_nothing(operator: Client, now: datetime) -> None:
    LearningSwitch.pause(now=now)
    page = "/admin/memory/learningswitch/"
    assert "paused since 2026-05-20 09:00:00" in operator.get(page).content.decode()
    assert operator.get(page + "1/change/").status_code == 200
    assert operator.post(page + "1/change/", {"paused_at_0": "", "paused_at_1": ""}).status_code == 403
    assert LearningSwitch.current().is_paused

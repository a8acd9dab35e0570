"""What the operator does about the workers: retry, skip, ask again, pause, resume."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django_q.models import OrmQ

from memory import learning
from memory.learning.extraction import EXTRACTION
from memory.learning.summaries import SUMMARY
from memory.models import AskAgain, AuditRow, ExtractCursor, LearningSwitch, SummariseCursor
from tests.dashboard.helpers import find_elements, get_page, newest_row_id, record_chat, visible_text
from tests.dashboard.overview.states import OVERVIEW, form_actions, make_stuck, mark_all_read
from tests.memory.llm.scripted import scripted_llm

pytestmark = pytest.mark.django_db


def test_a_stuck_chat_shows_its_error_and_two_buttons(operator: Client, now: datetime) -> None:
    chat = record_chat("I like figs.", now=now)
    record_chat("I like plums.", now=now)
    make_stuck(chat.pk, now, error="No answer from <b>openai</b>\nwithin 60 s")
    response = get_page(operator, OVERVIEW)
    text = visible_text(response)
    assert f"Stuck at chat {chat.pk} 2 chats" in text
    assert "No answer from <b>openai</b> within 60 s" in text
    assert "Tried 3 times so far. The next try is in 4 minutes ." in text
    assert f"/dashboard/workers/extract/retry/{chat.pk}" in form_actions(response)
    assert f"/dashboard/workers/extract/skip/{chat.pk}" in form_actions(response)
    labels = {button.attributes.get("aria-label") for button in find_elements(response, "button")}
    assert {f"Try again now: chat {chat.pk}", f"Skip this chat: {chat.pk}"} <= labels


def test_a_chat_that_killed_its_worker_is_stuck_without_an_error(operator: Client, now: datetime) -> None:
    chat = record_chat("I like figs.", now=now)
    make_stuck(chat.pk, now, tries=2, error="")
    ExtractCursor._default_manager.update(next_try_at=None)
    response = get_page(operator, OVERVIEW)
    assert "did not come back" in visible_text(response)
    ExtractCursor._default_manager.update(claimed_until=now + timedelta(minutes=1))
    assert "At work" in visible_text(get_page(operator, OVERVIEW)), "while it is being read again it is not stuck"


def test_retry_forgets_the_pause_and_wakes_the_worker(operator: Client, now: datetime) -> None:
    chat = record_chat("I like figs.", now=now)
    make_stuck(chat.pk, now)
    ExtractCursor._default_manager.update(nudged=False)
    OrmQ.objects.all().delete()
    before = newest_row_id()
    answer = operator.post(f"/dashboard/workers/extract/retry/{chat.pk}")
    assert answer["Location"] == OVERVIEW
    cursor = ExtractCursor.current()
    assert (cursor.attempts, cursor.next_try_at, cursor.nudged) == (0, None, True)
    rows = AuditRow.objects.filter(id__gt=before)
    assert [(row.event_type, row.chat_id) for row in rows] == [("memory.fact.extract_asked", chat.pk)]
    assert f"Chat {chat.pk} is tried again now." in visible_text(get_page(operator, OVERVIEW))


def test_skip_gives_the_chat_up_with_one_row(operator: Client, now: datetime) -> None:
    chat = record_chat("I like figs.", now=now)
    make_stuck(chat.pk, now)
    before = newest_row_id()
    operator.post(f"/dashboard/workers/extract/skip/{chat.pk}")
    rows = AuditRow.objects.filter(id__gt=before)
    assert [(row.event_type, row.chat_id) for row in rows] == [("memory.fact.extract_abandoned", chat.pk)]
    assert ExtractCursor.current().last_audit_id == chat.pk


@pytest.mark.parametrize("verb", ["retry", "skip"])
def test_what_is_not_stuck_any_more_is_said_and_left_alone(operator: Client, now: datetime, verb: str) -> None:
    chat = record_chat("I like figs.", now=now)
    mark_all_read()
    before = newest_row_id()
    response = operator.post(f"/dashboard/workers/extract/{verb}/{chat.pk}", follow=True)
    assert "Nothing was changed." in visible_text(response)
    assert newest_row_id() == before


def test_what_was_given_up_can_be_asked_for_again_once(operator: Client, now: datetime) -> None:
    chats = [record_chat(f"I like figs {number}.", now=now) for number in range(3)]
    mark_all_read()
    for row in chats:
        AuditRow.objects.record(SUMMARY.failed_event(row, "x", kind="x"), now=now, chat=row)
    AuditRow.objects.record(
        EXTRACTION.abandoned_event(chats[0], "x", attempts=5, reason="bad_answer"), now=now, chat=chats[0]
    )
    response = get_page(operator, OVERVIEW)
    assert f"3 summaries failed, the last one for chat {chats[2].pk} ." in visible_text(response)
    assert f"1 chat was given up: chat {chats[0].pk} ." in visible_text(response)
    assert "no chat waits. 4 could not be read or summed up." in visible_text(response)
    assert "1 chat could not be read for facts" in visible_text(response)
    assert "3 chats were not summed up, the last one" in visible_text(response)
    operator.post("/dashboard/workers/summarise/ask-again")
    assert AskAgain.objects.filter(job="memory.summarise").count() == 3
    response = get_page(operator, OVERVIEW)
    assert "/dashboard/workers/summarise/ask-again" not in form_actions(response)
    assert "/dashboard/workers/extract/ask-again" in form_actions(response)
    assert "To be read again." in visible_text(response)
    operator.post("/dashboard/workers/extract/ask-again")
    with scripted_llm('[{"key": "fruit", "value": "figs", "confidence": 0.9}]'):
        learning.run(EXTRACTION, clock=lambda: now)
    assert "/dashboard/audit?family=failures" in [
        link["href"] for link in find_elements(get_page(operator, OVERVIEW), "a")
    ]
    assert "1 chat was given up" not in visible_text(get_page(operator, OVERVIEW))


def test_there_are_two_workers(operator: Client) -> None:
    for address in ("ask-again", "retry/1", "skip/1"):
        response = operator.post(f"/dashboard/workers/nobody/{address}")
        assert response.status_code == 404
        assert "There is no worker nobody." in visible_text(response)


def test_the_switch_writes_one_row_each_time(operator: Client, now: datetime) -> None:
    record_chat("I like figs.", now=now)
    before = newest_row_id()
    for address in ("pause", "pause", "resume", "resume"):
        assert operator.post(f"/dashboard/learning/{address}")["Location"] == OVERVIEW
    kinds = list(AuditRow.objects.filter(id__gt=before).order_by("id").values_list("event_type", flat=True))
    assert kinds == ["memory.learning.paused", "memory.learning.resumed"]


def test_resuming_wakes_both_workers(
    operator: Client, now: datetime, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    LearningSwitch.pause(now=now)
    for cursor in (ExtractCursor, SummariseCursor):
        cursor.current()
    with django_capture_on_commit_callbacks(execute=True):
        operator.post("/dashboard/learning/resume")
    assert {task.task["func"] for task in OrmQ.objects.all()} == {"memory.tasks.extract", "memory.tasks.summarise"}


@pytest.mark.parametrize(
    "address",
    ["learning/pause", "learning/resume", "workers/extract/retry/1", "workers/extract/skip/1", "sweep/anyway", "say"],
)
def test_changes_are_posts_of_the_operator(operator: Client, client: Client, db: None, address: str) -> None:
    assert operator.get(f"/dashboard/{address}").status_code == 405
    assert Client().post(f"/dashboard/{address}")["Location"].startswith("/login")
    assert not AuditRow.objects.exists()

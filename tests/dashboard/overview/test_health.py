"""Memory's health in the head of every page."""

from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from dashboard.shared.health import read_health
from memory.models import ExtractCursor, LearningSwitch, PersonalFact, SummariseCursor, WorkerHeartbeat
from tests.conftest import Configure
from tests.dashboard.helpers import find_elements, get_page, newest_row_id, record_chat, visible_text
from tests.dashboard.overview.states import HTMX, OVERVIEW, form_actions, health_shown, make_stuck, mark_all_read

pytestmark = pytest.mark.django_db


def test_chats_that_wait_are_counted_once_however_many_workers_want_them(operator: Client, now: datetime) -> None:
    mark_all_read()
    record_chat("I like figs.", now=now)
    record_chat("I like plums.", now=now)
    for address in (OVERVIEW, "/dashboard/facts", "/dashboard/audit", "/dashboard/connect", "/dashboard/nowhere"):
        assert health_shown(operator.get(address)) == ("is-busy", "Learning, 2 chats waiting"), address
    record_chat("I like pears.", now=now)
    SummariseCursor._default_manager.update(last_audit_id=newest_row_id())
    assert read_health(now).words == "Learning, 3 chats waiting"


def test_a_worker_past_the_end_of_the_log_is_named(operator: Client, now: datetime) -> None:
    PersonalFact.objects.add("dog.name", "Beans", now=now)
    mark_all_read()
    ExtractCursor._default_manager.update(last_audit_id=newest_row_id() + 5)
    response = get_page(operator, OVERVIEW)
    assert health_shown(response) == ("is-stuck", "Stuck past the end of the log")
    assert f"It stands at #{newest_row_id() + 5}, but the log ends at #{newest_row_id()}:" in visible_text(response)


def test_one_chat_is_one_chat(now: datetime) -> None:
    mark_all_read()
    record_chat("I like figs.", now=now)
    assert read_health(now).words == "Learning, 1 chat waiting"


def test_what_the_operator_paused_comes_before_what_failed(operator: Client, now: datetime) -> None:
    chat = record_chat("I like figs.", now=now)
    make_stuck(chat.pk, now)
    assert health_shown(get_page(operator, OVERVIEW)) == ("is-stuck", f"Stuck at chat {chat.pk}")
    LearningSwitch.pause(now=now)
    response = get_page(operator, OVERVIEW)
    assert health_shown(response) == ("is-paused", "Paused")
    assert "what is known already still goes into prompts" in visible_text(response)


def test_chats_that_wait_for_nobody_are_not_called_learning(operator: Client, now: datetime) -> None:
    mark_all_read()
    record_chat("I like figs.", now=now)
    WorkerHeartbeat._default_manager.update(at=now - timedelta(minutes=5))
    response = get_page(operator, OVERVIEW)
    assert health_shown(response) == ("is-late", "1 chat waiting, no worker running")
    assert "manage.py up" in visible_text(response)
    assert "Not running" in visible_text(response)


def test_a_worker_that_stopped_shows_also_when_nothing_waits(operator: Client, now: datetime) -> None:
    PersonalFact.objects.add("dog.name", "Beans", now=now)
    WorkerHeartbeat._default_manager.update(at=now - timedelta(minutes=5))
    mark_all_read()
    response = get_page(operator, OVERVIEW)
    assert health_shown(response) == ("is-well", "Learning, all caught up")
    assert "All chats are read, but no worker is running now." in visible_text(response)
    assert "memory.extract Not running 0 chats 5 minutes ago" in visible_text(response)


def test_a_worker_that_never_ran_is_late_only_for_a_chat_that_waits_for_long(operator: Client, now: datetime) -> None:
    WorkerHeartbeat._default_manager.all().delete()
    record_chat("I like figs.", now=now - timedelta(minutes=2))
    assert "memory.extract Has not run yet 1 chat never" in visible_text(get_page(operator, OVERVIEW))
    assert read_health(now).state == "busy"
    assert read_health(now + timedelta(minutes=2)).state == "late"


def test_a_worker_that_is_switched_off_is_not_waited_for(operator: Client, now: datetime, configure: Configure) -> None:
    configure(memory__episodes_summarise__enabled=False)
    mark_all_read()
    record_chat("I like figs.", now=now)
    ExtractCursor._default_manager.update(last_audit_id=newest_row_id())
    response = get_page(operator, OVERVIEW)
    assert health_shown(response) == ("is-well", "Learning, all caught up")
    assert "memory.summarise Off not counted" in visible_text(response)
    assert "CAESAR_MEMORY__EPISODES_SUMMARISE__ENABLED=true turns it on" in visible_text(response)


def test_with_both_switched_off_there_is_nothing_to_pause(
    operator: Client, now: datetime, configure: Configure
) -> None:
    configure(memory__episodes_summarise__enabled=False, memory__facts_extract__enabled=False)
    record_chat("I like figs.", now=now)
    response = get_page(operator, OVERVIEW)
    assert health_shown(response) == ("is-off", "Learning is off")
    assert "/dashboard/learning/pause" not in form_actions(response)


def test_strangers_see_no_health(client: Client, db: None) -> None:
    assert not find_elements(get_page(client, "/login"), "a", id="health")


def test_the_head_asks_again_only_while_chats_wait(operator: Client, now: datetime) -> None:
    mark_all_read()
    assert "hx-get" not in find_elements(get_page(operator, "/dashboard/facts"), "a", id="health")[0].attributes
    record_chat("I like figs.", now=now)
    asking = find_elements(get_page(operator, "/dashboard/facts"), "a", id="health")[0]
    assert asking["hx-get"] == "/dashboard/health"
    again = operator.get("/dashboard/health", headers=HTMX)
    assert len(find_elements(again)) == 1
    assert health_shown(again) == ("is-busy", "Learning, 1 chat waiting")
    mark_all_read()
    assert (
        "hx-get" not in find_elements(operator.get("/dashboard/health", headers=HTMX), "a", id="health")[0].attributes
    )


def test_a_clock_sends_nobody_to_the_login(client: Client, operator: Client, db: None) -> None:
    answer = client.get("/dashboard/health", headers=HTMX)
    assert (answer.status_code, answer.content) == (204, b"")
    assert "HX-Redirect" not in answer
    assert operator.get("/dashboard/health")["Location"] == OVERVIEW, "in a tab of its own it leads to the page"
    assert operator.post("/dashboard/health").status_code == 405


def test_the_head_of_a_page_costs_one_query(now: datetime) -> None:
    for number in range(5):
        record_chat(f"I like figs {number}.", now=now)
    with CaptureQueriesContext(connection) as queries:
        read_health(now)
    assert len(queries) == 1

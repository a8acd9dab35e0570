"""The overview's numbers, and the part of the page that is asked for again."""

from datetime import datetime

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from memory.learning.extraction import EXTRACTION
from memory.learning.summaries import SUMMARY
from memory.models import AuditRow, PersonalFact
from tests.conftest import Configure
from tests.dashboard.helpers import find_elements, get_page, learn_fact, record_chat, visible_text
from tests.dashboard.overview.states import HTMX, OVERVIEW, health_shown, mark_all_read

pytestmark = pytest.mark.django_db


def test_it_works(operator: Client, now: datetime) -> None:
    learn_fact("dog.name", "Beans", now=now)
    mark_all_read()
    response = get_page(operator, OVERVIEW)
    text = visible_text(response)
    assert health_shown(response) == ("is-well", "Learning, all caught up")
    assert "Memory is well. Every chat has been read." in text
    assert "1 fact known 1 fits the prompt (30 facts or 2,048 characters)" in text
    assert "1 chat today since midnight, UTC" in text
    assert "Learns facts memory.extract On 0 chats 20 seconds ago" in text
    assert "Sums up chats memory.summarise On 0 chats 20 seconds ago" in text
    assert find_elements(response, "a", aria_current="page")[0]["href"] == OVERVIEW
    assert len(find_elements(response, "h1")) == 1


def test_facts_and_how_many_of_them_fit(operator: Client, now: datetime, configure: Configure) -> None:
    for number in range(5):
        PersonalFact.objects.add(f"fact.{number}", "x", now=now)
    configure(memory__facts__max_injected=2)
    assert "5 facts known 2 fit the prompt (2 facts or 2,048 characters)" in visible_text(get_page(operator, OVERVIEW))
    configure(memory__facts__enabled=False)
    assert "5 facts known none put into prompts" in visible_text(get_page(operator, OVERVIEW))


def test_thirty_queries_are_enough_however_much_there_is(operator: Client, now: datetime) -> None:
    for number in range(30):
        learn_fact(f"fact.{number}", "x", now=now)
    chats = list(AuditRow.objects.get_queryset().chats()[:4])
    for row in chats:
        AuditRow.objects.record(SUMMARY.failed_event(row, "x", kind="x"), now=now, chat=row)
        AuditRow.objects.record(
            EXTRACTION.abandoned_event(row, "x", attempts=5, reason="bad_answer"), now=now, chat=row
        )
    for address in (OVERVIEW, "/dashboard/board"):
        with CaptureQueriesContext(connection) as queries:
            assert operator.get(address, headers=HTMX if address != OVERVIEW else {}).status_code == 200
        assert len(queries) <= 30, address


def test_with_script_the_board_is_swapped_and_the_head_with_it(operator: Client, now: datetime) -> None:
    record_chat("I like figs.", now=now)
    response = operator.post("/dashboard/learning/pause", headers=HTMX)
    assert not find_elements(response, "html")
    assert len(find_elements(response, "section", id="board")) == 1
    assert health_shown(response) == ("is-paused", "Paused")
    assert find_elements(response, "a", id="health", hx_swap_oob="true")
    assert "Learning is paused. Chats are kept and wait." in visible_text(response)


def test_the_board_asks_again_while_chats_wait_and_leaves_messages_alone(operator: Client, now: datetime) -> None:
    mark_all_read()
    record_chat("I like figs.", now=now)
    assert find_elements(get_page(operator, OVERVIEW), "section", id="board", hx_get="/dashboard/board")
    response = operator.get("/dashboard/board", headers=HTMX)
    assert find_elements(response, "section", id="board", hx_get="/dashboard/board")
    assert not find_elements(response, id="status")
    assert not find_elements(response, id="strip")
    mark_all_read()
    response = operator.get("/dashboard/board", headers=HTMX)
    assert not find_elements(response, "section", id="board", hx_get="/dashboard/board")
    assert find_elements(response, "section", id="strip", hx_swap_oob="true"), "at the end the strip comes up to date"
    assert operator.get("/dashboard/board")["Location"] == OVERVIEW

"""The workers in Django's admin: where they are stuck and why, retry and skip."""

import re
from datetime import datetime, timedelta

import httpx
import pytest
import time_machine
from django.test import Client
from django_q.models import OrmQ

from memory import events, learning
from memory.events import Message
from memory.learning.extraction import EXTRACTION
from memory.models import ExtractCursor
from tests.memory.admin.admin_helpers import CURSOR, action, rows, text_of
from tests.memory.llm.scripted import scripted_llm
from tests.turns import record_turn

pytestmark = pytest.mark.django_db
TOLD = ("My dog's name is Beans.", "My cat's name is Tofu.")


def _said(words: str) -> list[Message]:
    return [Message(role="user", content=words)]


@pytest.fixture
def stuck(now: datetime) -> int:
    """A chat the worker is stuck at, one more waiting behind it."""
    first, _ = [record_turn(_said(words), "ok", now=now).audit_log_id for words in TOLD]
    with scripted_llm(httpx.Response(401, text="no")):
        learning.run(EXTRACTION, clock=lambda: now)
    OrmQ.objects.all().delete()
    return first


def test_a_stuck_worker_shows_where_and_why(operator: Client, stuck: int) -> None:
    page = text_of(operator.get(CURSOR))
    assert f"#{stuck}" in page
    assert re.search(rf"at #0 #{stuck} 2 1 .* Check the API key", page)
    detail = text_of(operator.get(f"{CURSOR}1/change/"))
    assert ExtractCursor.current().last_error in detail


def test_retry_ends_the_pause_and_wakes_the_worker(operator: Client, stuck: int, now: datetime) -> None:
    ExtractCursor.objects.update(nudged=False)
    with time_machine.travel(now + timedelta(seconds=1), tick=False):
        assert f"Chat #{stuck} is tried again now." in action(operator, CURSOR, "retry_next", 1)
    cursor = ExtractCursor.current()
    assert (cursor.attempts, cursor.next_try_at, cursor.nudged) == (0, None, True)


@pytest.mark.django_db(transaction=True)
def test_a_woken_worker_is_in_the_queue_once(operator: Client, stuck: int) -> None:
    ExtractCursor.objects.update(nudged=False)
    action(operator, CURSOR, "retry_next", 1)
    action(operator, CURSOR, "retry_next", 1)
    assert OrmQ.objects.count() == 1


def test_skip_gives_the_chat_up_with_one_audit_row(operator: Client, stuck: int) -> None:
    assert f"Chat #{stuck} is given up." in action(operator, CURSOR, "skip_next", 1)
    assert [row.chat_id for row in rows(events.ExtractAbandoned)] == [stuck]
    assert ExtractCursor.current().last_audit_id == stuck


def test_given_up_chats_are_asked_for_again(operator: Client, stuck: int) -> None:
    action(operator, CURSOR, "skip_next", 1)
    assert "1 given-up chats will be read again." in action(operator, CURSOR, "retry_given_up", 1)


def test_with_nothing_waiting_the_buttons_say_so(operator: Client) -> None:
    ExtractCursor.current()
    for name in ("retry_next", "skip_next"):
        assert "No chat is waiting." in action(operator, CURSOR, name, 1)


def test_a_cursor_is_not_edited_by_hand(operator: Client) -> None:
    ExtractCursor.current()
    assert operator.post(f"{CURSOR}1/change/", {"last_audit_id": 99}).status_code == 403
    assert operator.get(f"{CURSOR}add/").status_code == 403
    assert operator.post(f"{CURSOR}1/delete/", {"post": "yes"}).status_code == 403


@pytest.mark.parametrize("cursor", ["extractcursor", "summarisecursor"])
def test_each_worker_has_its_buttons(operator: Client, cursor: str) -> None:
    assert "retry_next" in operator.get(f"/admin/memory/{cursor}/").content.decode()

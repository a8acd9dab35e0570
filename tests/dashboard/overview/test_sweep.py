"""The question of a sweep that holds rows back, and the button that answers it."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from django_q.models import OrmQ

from memory import retention
from memory.models import AuditRow
from tests.dashboard.helpers import find_elements, get_page, record_chat, visible_text
from tests.dashboard.overview.states import HTMX, OVERVIEW, form_actions, mark_all_read

pytestmark = pytest.mark.django_db

ANYWAY = "/dashboard/sweep/anyway"
DAY = timedelta(days=1)


def swept_by_a_clock_ahead() -> None:
    """A log of today that was swept by a clock of next year."""
    for number in range(3):
        record_chat(f"I like figs {number}.", now=timezone.now())
    mark_all_read()
    retention.sweep(now=timezone.now() + 365 * DAY)


def test_it_works(operator: Client, django_capture_on_commit_callbacks: Callable[..., Any]) -> None:
    swept_by_a_clock_ahead()
    chats = AuditRow.objects.count() - 1
    response = get_page(operator, OVERVIEW)
    text = visible_text(response)
    assert f"{chats} of {chats} rows in the log are older than" in text
    assert "its clock is ahead" in text
    assert ANYWAY in form_actions(response)
    with django_capture_on_commit_callbacks(execute=True):
        assert operator.post(ANYWAY)["Location"] == OVERVIEW
    assert [task.task["func"] for task in OrmQ.objects.all()] == ["memory.tasks.sweep"]
    allowed = AuditRow.objects.get(event_type="memory.sweep_allowed")
    assert allowed.payload["rows"] == chats
    response = get_page(operator, OVERVIEW)
    assert "The sweep goes on, as you allowed." in visible_text(response)
    assert ANYWAY not in form_actions(response)


def test_much_at_once_is_told_apart_from_a_clock(operator: Client) -> None:
    now = timezone.now()
    for number in range(40):
        record_chat(f"I like figs {number}.", now=now - 100 * DAY)
    record_chat("I like plums.", now=now)
    mark_all_read()
    retention.sweep(now=now)
    text = visible_text(get_page(operator, OVERVIEW))
    assert "That is more than a tenth at once" in text
    assert "CAESAR_MEMORY__RETENTION_DAYS is new or was lowered" in text


def test_without_a_question_there_is_no_button(operator: Client) -> None:
    record_chat("I like figs.", now=timezone.now())
    mark_all_read()
    retention.sweep(now=timezone.now())
    assert ANYWAY not in form_actions(get_page(operator, OVERVIEW))
    response = operator.post(ANYWAY, follow=True)
    assert "No sweep holds anything back. Nothing was changed." in visible_text(response)


def test_the_button_works_by_htmx_and_a_second_click_changes_nothing(operator: Client) -> None:
    swept_by_a_clock_ahead()
    assert find_elements(operator.post(ANYWAY, headers=HTMX), "section", id="board")
    operator.post(ANYWAY, headers=HTMX)
    assert AuditRow.objects.filter(event_type="memory.sweep_allowed").count() == 1

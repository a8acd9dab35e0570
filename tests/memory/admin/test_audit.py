"""The audit log in Django's admin: searched, filtered by event and date, never changed."""

import re
from datetime import datetime

import pytest
from django.test import Client
from django.utils import timezone

from memory import events
from memory.events import Message
from memory.models import AuditRow, PersonalFact
from tests.memory.admin.admin_helpers import LOG, rows, words_in
from tests.turns import record_turn

pytestmark = pytest.mark.django_db


def test_the_log_cannot_be_changed(operator: Client, fact: PersonalFact) -> None:
    row = AuditRow.objects.get()
    assert operator.get(f"{LOG}add/").status_code == 403
    assert operator.get(f"{LOG}{row.pk}/change/").status_code == 200
    assert operator.post(f"{LOG}{row.pk}/change/", {"event_type": "x"}).status_code == 403
    assert operator.post(f"{LOG}{row.pk}/delete/", {"post": "yes"}).status_code == 403
    assert "delete_selected" not in operator.get(LOG).content.decode()


def listed(operator: Client, query: str) -> list[int]:
    response = operator.get(f"{LOG}?{query}")
    assert response.status_code == 200
    return [row.pk for row in response.context["cl"].result_list]


def test_a_row_is_found_by_key_decision_and_chat(operator: Client, fact: PersonalFact, now: datetime) -> None:
    told = record_turn([Message(role="user", content="Hi")], "ok", now=now)
    about_fact, about_chat = rows(events.FactUserAdded)[0].pk, told.audit_log_id
    assert listed(operator, "q=dog.name") == listed(operator, "q=%20Dog.Name") == [about_fact]
    assert listed(operator, f"q={told.decision_id}") == [about_chat]
    assert listed(operator, f"q=%23{about_chat}") == [about_chat]
    assert listed(operator, "q=nothing") == listed(operator, f"q={10**30}") == []
    assert listed(operator, "q=") == listed(operator, "") == [about_chat, about_fact]


def test_rows_are_filtered_by_event(operator: Client, fact: PersonalFact, now: datetime) -> None:
    fact.edit("Rex", now=now)
    assert listed(operator, "event=memory.fact.user_edited") == [rows(events.FactUserEdited)[0].pk]


def dates_offered(operator: Client, query: str = "") -> list[str]:
    page = operator.get(f"{LOG}?{query}").content.decode()
    calendar = re.search(r'<nav class="toplinks">(.*?)</nav>', page, re.DOTALL)
    assert calendar
    return [words_in(link) for link in calendar[1].split("</a>") if words_in(link)]


def test_the_calendar_offers_only_what_has_rows(operator: Client) -> None:
    written = [
        datetime(2025, 12, 31, 23, 59),
        datetime(2026, 2, 28, 12),
        datetime(2026, 5, 1, 0, 0),
        datetime(2026, 5, 20, 9),
    ]
    for at in written:
        AuditRow.objects.record(events.ExtractRecovered(), now=timezone.make_aware(at))
    assert dates_offered(operator) == ["2025", "2026"]
    assert dates_offered(operator, "ts__year=2026") == ["‹ All dates", "February 2026", "May 2026"]
    assert dates_offered(operator, "ts__year=2026&ts__month=5") == ["‹ 2026", "May 1", "May 20"]
    assert len(listed(operator, "ts__year=2026&ts__month=5&ts__day=20")) == 1
    assert len(listed(operator, "ts__year=2026")) == 3


def test_an_empty_log_has_a_page(operator: Client) -> None:
    assert listed(operator, "") == []

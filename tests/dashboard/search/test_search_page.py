"""The search page: three kinds apart, each hit with its date, its reason and its page; plain words for nothing."""

from datetime import datetime, timedelta

import pytest
from django.test import Client

from memory.events import Message
from memory.models import AuditRow, PersonalFact
from tests.dashboard.helpers import find_elements, get_page, visible_text
from tests.turns import record_turn

pytestmark = pytest.mark.django_db

PAGE = "/dashboard/search"


@pytest.fixture
def chat_id(now: datetime) -> int:
    PersonalFact.objects.add("home.lantern", "green <b>glass</b>", now=now)
    said = [Message(role="user", content="The green lantern is <i>broken</i>.")]
    return record_turn(said, "I see.", now=now - timedelta(days=1)).audit_log_id or 0


def test_it_works(operator: Client, chat_id: int) -> None:
    response = get_page(operator, f"{PAGE}?q=green+lantern")
    html = response.content.decode()
    assert "<mark>lantern</mark>" in html
    assert "<i>broken" not in html
    assert f'href="/dashboard/audit/{chat_id}"' in html
    assert 'href="/dashboard/facts/one?key=home.lantern"' in html
    text = visible_text(response)
    assert "You wrote “green” and “lantern”" in text
    assert [heading in text for heading in ("Facts 1", "Conversations 0", "Words of chats 1")] == [True] * 3


def test_the_operators_own_search_writes_no_row(operator: Client, chat_id: int) -> None:
    rows = AuditRow.objects.count()
    get_page(operator, f"{PAGE}?q=lantern")
    assert AuditRow.objects.count() == rows


def test_a_kind_and_days_narrow_it(operator: Client, chat_id: int) -> None:
    text = visible_text(get_page(operator, f"{PAGE}?q=lantern&kind=message&until=2026-05-19"))
    assert "Words of chats 1" in text
    assert "Facts 1" not in text
    assert "Nothing about “lantern” there." in visible_text(get_page(operator, f"{PAGE}?q=lantern&until=2026-05-18"))


def test_nothing_asked_and_nothing_found_are_said(operator: Client, chat_id: int) -> None:
    assert "Ask your memory." in visible_text(get_page(operator, PAGE))
    text = visible_text(get_page(operator, f"{PAGE}?q=submarine+last+May"))
    assert "Nothing about “submarine last May”." in text
    assert "You asked for 1 to 31 May" in text


@pytest.mark.parametrize("days", ["since=may", "since=2026-05-02&until=2026-05-01", "until=0001-01-01"])
def test_days_that_are_none_are_refused_where_they_stand(operator: Client, days: str) -> None:
    response = operator.get(f"{PAGE}?q=lantern&{days}")
    assert response.status_code == 422
    assert find_elements(response, "input", **{"aria-invalid": "true"})


@pytest.mark.parametrize("query", ["%00", "%ED%A0%80", "%F0%9F%90%95", '"', "a*", "x" * 5000])
def test_odd_questions_get_a_page(operator: Client, chat_id: int, query: str) -> None:
    assert operator.get(f"{PAGE}?q={query}").status_code == 200


def test_every_page_has_the_box(operator: Client) -> None:
    response = get_page(operator, "/dashboard/facts")
    assert find_elements(response, "input", id="find")
    assert find_elements(response, "a", href=PAGE)


def test_strangers_are_sent_to_the_login(client: Client) -> None:
    assert client.get(f"{PAGE}?q=a").status_code == 302

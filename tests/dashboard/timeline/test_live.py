"""New rows announce themselves on /dashboard/audit, and move nothing."""

from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from memory.models import AuditRow, PersonalFact
from tests.dashboard.helpers import HTMX, event_types, find_elements, get_page, record_chat, visible_text

pytestmark = pytest.mark.django_db

TIMELINE = "/dashboard/audit"


def asks(client: Client, query: str = "") -> str | None:
    """Where the page asks for news, None where it does not."""
    found = find_elements(get_page(client, f"{TIMELINE}?{query}"), id="timeline-news")
    assert not found or (found[0]["aria-live"], found[0]["hx-trigger"]) == ("polite", "every 10s")
    return found[0]["hx-get"] if found else None


def test_it_works(operator: Client, now: datetime) -> None:
    shown = record_chat("hello", now=now)
    address = asks(operator)
    assert address == f"{TIMELINE}/news?after={shown.pk}"
    assert operator.get(address, headers=HTMX).status_code == 204, "nothing new: what is there stays"
    for number in range(3):
        record_chat(f"hello {number}", now=now)
    response = operator.get(address, headers=HTMX)
    assert visible_text(response) == "3 new"
    assert [link["href"] for link in find_elements(response)] == [TIMELINE]


def test_only_rows_of_the_choice_are_news(operator: Client, now: datetime) -> None:
    PersonalFact.objects.add("dog.name", "Beans", now=now)
    query = "family=facts&type=memory.fact.user_edited&fact=dog.name&q=bowser"
    address = asks(operator, query)
    assert address is not None
    record_chat("Bowser", now=now)
    assert operator.get(address, headers=HTMX).status_code == 204
    PersonalFact.objects.get().edit("Bowser", now=now)
    response = operator.get(address, headers=HTMX)
    assert visible_text(response) == "1 new"
    assert find_elements(response, "a", href=f"{TIMELINE}?{query}")


def test_older_pages_and_days_that_are_over_do_not_ask(operator: Client, now: datetime) -> None:
    row = record_chat("hello", now=now)
    assert asks(operator, f"before={row.pk}") is None
    assert asks(operator, "day=2026-05-19") is None
    assert asks(operator, "day=2026-05-20") == f"{TIMELINE}/news?day=2026-05-20&after={row.pk}"


def test_an_empty_page_waits_for_its_first_row(operator: Client, now: datetime) -> None:
    address = asks(operator)
    assert address == f"{TIMELINE}/news?after=0"
    record_chat("hello", now=now)
    assert visible_text(operator.get(address, headers=HTMX)) == "1 new"


def test_very_many_are_not_all_counted(operator: Client, now: datetime) -> None:
    rows = [AuditRow(ts=now + timedelta(seconds=number), event_type="chat.failed", payload={}) for number in range(300)]
    AuditRow.objects.bulk_create(rows)
    with CaptureQueriesContext(connection) as queries:
        assert visible_text(operator.get(f"{TIMELINE}/news?after=0", headers=HTMX)) == "100 or more new"
    assert len(queries) <= 4


@pytest.mark.parametrize("after", ["", "x", "-1", "9" * 18, "9" * 30, "%00"])
def test_a_mark_that_is_none_is_no_error(operator: Client, now: datetime, after: str) -> None:
    record_chat("hello", now=now)
    assert operator.get(f"{TIMELINE}/news?after={after}", headers=HTMX).status_code in (200, 204)


def test_asking_changes_nothing_and_is_for_the_operator(operator: Client, now: datetime) -> None:
    record_chat("hello", now=now)
    operator.get(f"{TIMELINE}/news?after=0", headers=HTMX)
    assert len(event_types()) == 1
    assert operator.post(f"{TIMELINE}/news").status_code == 405
    assert Client().get(f"{TIMELINE}/news").status_code == 302

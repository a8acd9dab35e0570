"""/dashboard/connect/keys/ID: what the client with a key may do, what it recorded and what it taught."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from memory.actor import Actor, acting
from memory.models import ApiKey, AuditRow, PersonalFact
from tests.conftest import Configure
from tests.dashboard.helpers import find_elements, get_page, learn_fact, record_chat, visible_text

pytestmark = pytest.mark.django_db

KEYS = "/dashboard/connect/keys"


@pytest.fixture
def tablet(db: None) -> ApiKey:
    return ApiKey.objects.issue("kitchen tablet", scopes=["record", "manage"], requests_per_minute=30).row


def said_by(key: ApiKey, words: str, *, now: datetime) -> AuditRow:
    with acting(lambda: Actor.client(key.label, key.pk)):
        return record_chat(words, now=now)


def test_it_works(operator: Client, tablet: ApiKey, now: datetime) -> None:
    chat = said_by(tablet, "My dog's name is Beans.", now=now)
    said_by(tablet, "hello", now=now - timedelta(days=40))
    fact = learn_fact("dog.name", "Beans", now=now, source=chat)
    learn_fact("cat.name", "Tom", now=now)
    with acting(lambda: Actor.client(tablet.label, tablet.pk)):
        fact.edit("Bowser", now=now)
    response = get_page(operator, f"{KEYS}/{tablet.pk}")
    text = visible_text(response)
    assert "chats 2 turns this month 1" in text
    assert "answers of models this month 0 their tokens 0 facts known from it 1 edits of its own 1" in text
    assert f"Your dog's name is Bowser. from chat {chat.pk}" in text
    assert "Tom" not in text
    assert "My dog's name is Beans." in text
    assert "30 requests a minute" in text
    assert "2 chats and 1 fact it brought stay." in text
    assert find_elements(response, "a", href="/dashboard/audit?client=kitchen+tablet")
    assert find_elements(response, "a", aria_current="page")[0]["href"] == "/dashboard/connect"


def test_connect_leads_to_it_for_keys_in_use_and_revoked(operator: Client, tablet: ApiKey, now: datetime) -> None:
    address = f"{KEYS}/{tablet.pk}"
    assert find_elements(get_page(operator, "/dashboard/connect"), "a", href=address)
    tablet.revoke(now=now)
    assert find_elements(get_page(operator, "/dashboard/connect"), "a", href=address)
    response = get_page(operator, address)
    assert "revoked just now" in visible_text(response)
    assert "It has brought nothing." in visible_text(response)
    assert not find_elements(response, "form", action=f"{address}/revoke")


def test_revoking_says_what_stays(operator: Client, tablet: ApiKey, now: datetime) -> None:
    learn_fact("dog.name", "Beans", now=now, source=said_by(tablet, "My dog's name is Beans.", now=now))
    response = operator.post(f"{KEYS}/{tablet.pk}/revoke", follow=True)
    assert (
        "Revoked kitchen tablet. Whoever uses it is refused from now on. 1 chat and 1 fact it brought stay."
        in visible_text(response)
    )
    assert (AuditRow.objects.get_queryset().chats().count(), PersonalFact.objects.count()) == (1, 1)


def test_the_month_begins_in_the_operators_zone(operator: Client, tablet: ApiKey, configure: Configure) -> None:
    configure(time_zone="America/New_York")
    said_by(tablet, "in April there", now=datetime(2026, 5, 1, 3, 59, tzinfo=UTC))
    said_by(tablet, "in May there", now=datetime(2026, 5, 1, 4, 0, tzinfo=UTC))
    assert "turns this month 1 " in visible_text(get_page(operator, f"{KEYS}/{tablet.pk}"))


def test_a_key_that_did_nothing(operator: Client, tablet: ApiKey) -> None:
    text = visible_text(get_page(operator, f"{KEYS}/{tablet.pk}"))
    assert "never used" in text
    assert "chats 0 turns this month 0" in text
    assert "answers of models this month 0 their tokens 0 facts known from it 0 edits of its own 0" in text
    assert "No fact that is known now comes from its chats." in text


def test_there_is_no_such_key_and_none_for_strangers(operator: Client, tablet: ApiKey) -> None:
    assert operator.get(f"{KEYS}/777").status_code == 404
    assert Client().get(f"{KEYS}/{tablet.pk}").status_code == 302
    assert operator.post(f"{KEYS}/{tablet.pk}").status_code == 405


def test_a_label_is_text(operator: Client) -> None:
    key = ApiKey.objects.issue("<img src=x> & co").row
    response = get_page(operator, f"{KEYS}/{key.pk}")
    assert not find_elements(response, "img")
    assert "<img src=x> & co" in visible_text(response)


def test_much_takes_no_more_queries(operator: Client, tablet: ApiKey, now: datetime) -> None:
    counts = []
    for more in (1, 30):
        for number in range(more):
            learn_fact(f"note.n{more}_{number}", "x", now=now, source=said_by(tablet, f"{more} {number}", now=now))
        with CaptureQueriesContext(connection) as queries:
            get_page(operator, f"{KEYS}/{tablet.pk}")
        counts.append(len(queries))
    assert abs(counts[0] - counts[1]) <= 1, "the head asks once more where the prompt is full"

"""/dashboard/audit by client: what one of them brought, and which one brought a row."""

from datetime import datetime

import pytest
from django.http import HttpResponse
from django.test import Client

from memory import events
from memory.actor import Actor, acting
from memory.models import ApiKey, AuditRow, PersonalFact
from tests.dashboard.helpers import find_elements, get_page, learn_fact, record_chat, visible_text

pytestmark = pytest.mark.django_db

TIMELINE = "/dashboard/audit"
BY_TABLET = f"{TIMELINE}?client=kitchen+tablet"


def ids(response: HttpResponse) -> list[int]:
    return [int(item["id"].removeprefix("event-")) for item in find_elements(response, "li")]


@pytest.fixture
def tablet(db: None) -> ApiKey:
    return ApiKey.objects.issue("kitchen tablet").row


def said_by(key: ApiKey, words: str, *, now: datetime) -> AuditRow:
    with acting(lambda: Actor.client(key.label, key.pk)):
        return record_chat(words, now=now)


def test_it_works(operator: Client, tablet: ApiKey, now: datetime) -> None:
    chat = said_by(tablet, "My dog's name is Beans.", now=now)
    learn_fact("dog.name", "Beans", now=now, source=chat)
    record_chat("hello", now=now)
    learned = AuditRow.objects.get(event_type="memory.fact.added")
    response = get_page(operator, BY_TABLET)
    assert ids(response) == [learned.pk, chat.pk]
    assert "What kitchen tablet brought" in visible_text(response)
    assert ids(get_page(operator, f"{BY_TABLET}&family=facts")) == [learned.pk]
    assert ids(get_page(operator, f"{BY_TABLET}&q=beans&day=2026-05-20")) == [learned.pk, chat.pk]
    assert ids(get_page(operator, f"{BY_TABLET}&type=memory.fact.user_edited")) == []


def test_a_row_says_who_brought_it(operator: Client, tablet: ApiKey, now: datetime) -> None:
    said_by(tablet, "hello", now=now)
    everything = get_page(operator, TIMELINE)
    assert "by kitchen tablet" in visible_text(everything)
    assert find_elements(everything, "a", href=BY_TABLET)
    assert not find_elements(get_page(operator, BY_TABLET), "span", class_="muted client"), "they all are"


def test_clients_are_chosen_in_the_form(operator: Client, tablet: ApiKey, now: datetime) -> None:
    ApiKey.objects.issue("Desk").row.revoke(now=now)
    response = get_page(operator, BY_TABLET)
    assert "by everyone Desk kitchen tablet" in visible_text(response), "a revoked key brought something, too"
    assert len(find_elements(response, "option", selected="")) == 1
    for link in find_elements(response, "a", class_="chip"):
        assert "client=kitchen+tablet" in link["href"]


def test_two_keys_of_one_label_are_one_client(operator: Client, tablet: ApiKey, now: datetime) -> None:
    second = ApiKey.objects.issue("kitchen tablet").row
    rows = [said_by(key, f"hello {key.pk}", now=now).pk for key in (tablet, second)]
    assert ids(get_page(operator, BY_TABLET)) == rows[::-1]
    assert ids(get_page(operator, f"{BY_TABLET}&family=chats")) == rows[::-1]


@pytest.mark.parametrize("client", ["nobody", "%00", "x" * 300, "<b>"])
@pytest.mark.parametrize("more", ["", "&family=facts", "&q=hello", "&day=2026-05-20"])
def test_a_client_that_is_none_brought_nothing(operator: Client, now: datetime, client: str, more: str) -> None:
    record_chat("hello", now=now)
    response = get_page(operator, f"{TIMELINE}?client={client}{more}")
    assert client == "%00" or ids(response) == []
    assert not find_elements(response, "b")


def test_what_a_client_did_itself_is_there(operator: Client, tablet: ApiKey, now: datetime) -> None:
    fact = PersonalFact.objects.add("dog.name", "Beans", now=now)
    with acting(lambda: Actor.client(tablet.label, tablet.pk)):
        fact.edit("Bowser", now=now)
    assert "Key kitchen tablet edited dog.name" in visible_text(get_page(operator, BY_TABLET))


def test_a_chat_and_its_receipt_say_who_asked(operator: Client, tablet: ApiKey, now: datetime) -> None:
    with acting(lambda: Actor.client(tablet.label, tablet.pk)):
        receipt = AuditRow.objects.record(events.ContextServed(block="b"), now=now, decision_id="t1")
        chat = record_chat("hello", now=now, decision_id="t1")
    page = get_page(operator, f"{TIMELINE}/{chat.pk}")
    assert "Into a prompt asked for by kitchen tablet" in visible_text(page)
    assert len(find_elements(page, "a", href=f"/dashboard/connect/keys/{tablet.pk}")) == 2
    assert "by kitchen tablet" in visible_text(get_page(operator, f"{TIMELINE}/{receipt.pk}"))


def test_a_chat_from_before_says_that_nobody_noted_it(operator: Client, now: datetime) -> None:
    assert "client not recorded" in visible_text(get_page(operator, f"{TIMELINE}/{record_chat('hello', now=now).pk}"))


def test_what_the_operator_typed_is_by_the_account(operator: Client, now: datetime) -> None:
    with acting(lambda: Actor("account operator")):
        chat = record_chat("hello", now=now)
    assert "by account operator" in visible_text(get_page(operator, f"{TIMELINE}/{chat.pk}"))

"""After a key was made its page waits for the first call, and says when it came."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from dashboard.connect.views import ASKED_FOR
from memory.models import ApiKey
from tests.conftest import ApiClient
from tests.dashboard.connect.test_connect import CONNECT, HTMX, KEYS, copied, made
from tests.dashboard.helpers import Element, find_elements, get_page, visible_text

pytestmark = pytest.mark.django_db


def asks(response: Any) -> list[Element]:
    """The line that asks by itself."""
    return [line for line in find_elements(response, "p", id="first-call") if "hx-trigger" in line.attributes]


def test_it_works(operator: Client) -> None:
    page = made(operator)
    assert "Waiting for the first call" in visible_text(page)
    address = asks(page)[0]["hx-get"]
    assert operator.get(address, headers=HTMX).status_code == 204, "nothing came, nothing is swapped"
    assert ApiClient(copied(page)[0]).post("/v1/memory/context", json={"message": "hi"}).status_code == 200
    answer = operator.get(address, headers=HTMX)
    assert "The first call came" in visible_text(answer)
    assert find_elements(answer, "span", class_="mark is-well")
    assert find_elements(answer, "p", id="first-call")
    assert not asks(answer)


def test_without_script_there_is_a_link_to_look(operator: Client) -> None:
    page = made(operator)
    key = ApiKey.objects.get()
    looking = f"{KEYS}/{key.pk}/first-call"
    assert find_elements(page, "a", href=looking)
    assert "Waiting for the first call" in visible_text(get_page(operator, looking))
    assert find_elements(get_page(operator, looking), "html")
    ApiClient(copied(page)[0]).post("/v1/memory/context", json={"message": "hi"})
    assert "The first call came" in visible_text(get_page(operator, looking))


def test_it_does_not_ask_for_ever(operator: Client, now: datetime) -> None:
    made(operator)
    key = ApiKey.objects.get()
    ApiKey.objects.update(created_at=now - ASKED_FOR - timedelta(seconds=1))
    answer = operator.get(f"{KEYS}/{key.pk}/first-call", headers=HTMX)
    assert "Waiting" in visible_text(answer)
    assert not asks(answer)
    assert find_elements(answer, "a", href=f"{KEYS}/{key.pk}/first-call")


def test_a_revoked_key_is_not_waited_for(operator: Client, now: datetime) -> None:
    made(operator)
    key = ApiKey.objects.get()
    key.revoke(now=now)
    answer = operator.get(f"{KEYS}/{key.pk}/first-call", headers=HTMX)
    assert "Revoked" in visible_text(answer)
    assert not asks(answer)


def test_without_a_new_key_nothing_is_waited_for(operator: Client) -> None:
    made(operator)
    assert not find_elements(get_page(operator, CONNECT), "p", id="first-call")


def test_there_is_no_such_key(operator: Client) -> None:
    assert operator.get(f"{KEYS}/7/first-call", headers=HTMX).status_code == 404


def test_a_stranger_learns_nothing(operator: Client, client: Client) -> None:
    made(operator)
    assert client.get(f"{KEYS}/{ApiKey.objects.get().pk}/first-call")["Location"].startswith("/login")
